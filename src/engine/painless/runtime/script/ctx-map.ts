/** `ctx` of scripts that change a stored document. Scripts may change the source and some of the metadata. */
import { illegalArgument, unsupportedOperation } from '../../errors/java-throwable.ts'
import { toJava } from '../../host/host-values.ts'
import { classOf } from '../class-of.ts'
import { JHashMap } from '../collections/hash-map.ts'
import { JMap } from '../collections/map.ts'
import { textOf } from '../java-text.ts'
import { checkMetadata, VERSION } from './metadata-rules.ts'

const TEXT = { type: 'java.lang.String' }

/** The metadata that scripts may set. */
const RULES = new Map<unknown, typeof VERSION>([
  ['op', TEXT],
  ['_index', { ...TEXT, required: true }],
  ['_id', TEXT],
  ['_routing', TEXT],
  ['_version', { ...VERSION, required: undefined }],
])

export class CtxMap extends JHashMap {
  readonly #writable: ReadonlySet<string>
  readonly #operations: readonly string[] | undefined

  /** `writable` are the members that scripts may set, `operations` the values of `op`; undefined for any. */
  constructor(
    members: Readonly<Record<string, unknown>>,
    writable: ReadonlySet<string>,
    operations?: readonly string[],
  ) {
    super(true)
    for (const name in members) super.put_2(name, toJava(members[name], true))
    this.#writable = writable
    this.#operations = operations
  }

  override put_2(key: unknown, value: unknown): unknown {
    if (this.#writable?.has(String(key)) === false && super.get_1(key) !== value) {
      if (super.entry(key) !== undefined) throw illegalArgument(`${textOf(key)} cannot be updated`)
      throw illegalArgument(`Cannot put key [${textOf(key)}] with value [${textOf(value)}] into ctx`)
    }
    if (key === '_source') {
      if (value instanceof JMap) return super.put_2(key, value)
      const type = value === null ? '' : ` with type [${classOf(value)}]`
      throw illegalArgument(`Expected [_source] to be a Map, not [${textOf(value)}]${type}`)
    }
    const operations = this.#operations
    if (key === 'op' && operations !== undefined && value === null) throw illegalArgument('op cannot be null')
    const rule = RULES.get(key)
    if (rule !== undefined) checkMetadata(String(key), rule, value)
    if (key === 'op' && operations !== undefined && !operations.includes(String(value))) {
      throw illegalArgument(`[op] must be one of ${operations.join(', ')}, not [${textOf(value)}]`)
    }
    return super.put_2(key, value)
  }

  override remove_1(key: unknown): unknown {
    if (this.entry(key) === undefined || key === '_source') {
      throw unsupportedOperation(`Cannot remove key ${textOf(key)} from ctx`)
    }
    if (!this.#writable.has(String(key))) throw illegalArgument(`${textOf(key)} cannot be updated`)
    if (key === 'op' && this.#operations !== undefined) throw illegalArgument('op cannot be removed')
    return super.remove_1(key)
  }

  override clear_0(): void {
    for (const { key } of [...this.entries()]) this.remove_1(key)
  }
}
