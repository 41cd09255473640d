/** `ctx` of scripts that change a stored document. Scripts may change the source and some of the metadata. */
import { illegalArgument } from '../../errors/java-throwable.ts'
import { toJava } from '../../host/host-values.ts'
import { JHashMap } from '../collections/hash-map.ts'
import { textOf } from '../java-text.ts'

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
    if (key === 'op' && this.#operations !== undefined && !this.#operations.includes(String(value))) {
      throw illegalArgument(`[op] must be one of ${this.#operations.join(', ')}, not [${textOf(value)}]`)
    }
    return super.put_2(key, value)
  }
}
