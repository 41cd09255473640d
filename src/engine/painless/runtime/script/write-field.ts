/** `field('f')` and `metadata()` of scripts that change documents. */
import { illegalArgument } from '../../errors/java-throwable.ts'
import { JHashMap } from '../collections/hash-map.ts'
import { JIterable, make } from '../collections/iterable.ts'
import { JList } from '../collections/list.ts'
import { JMap } from '../collections/map.ts'
import { equals, hashCode } from '../equality.ts'
import { type JFunction, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { zonedFromMillis } from '../time/zoned-date-time.ts'
import type { Environment } from './environment.ts'
import { IngestCtx } from './ingest-ctx.ts'

/** The end of a dotted path: the map that holds the last name. */
interface Leaf {
  map: JMap | undefined
  name: string
}

/** Resolves a path in nested maps. A name may itself contain dots. With `create`, missing maps are added. */
function resolve(root: JMap, path: string, create: boolean): Leaf {
  let map: JMap = root
  let rest = path
  while (true) {
    if (map.containsKey_1(rest)) return { map, name: rest }
    const dot = rest.indexOf('.')
    if (dot < 0) return { map, name: rest }
    const step = rest.slice(0, dot)
    const next = map.get_1(step)
    if (next === null && create) {
      const made = new JHashMap()
      map.put_2(step, made)
      map = made
    } else if (next instanceof JMap) map = next
    else if (next === null) return { map: undefined, name: rest }
    else throw illegalArgument(`Segment [${dot}:'${step}'] has value [${textOf(next)}] of type [${typeof next}]`)
    rest = rest.slice(dot + 1)
  }
}

export class WriteField extends JIterable {
  readonly #root: JMap
  #path: string

  constructor(root: JMap, path: string) {
    super()
    this.#root = root
    this.#path = path
  }

  get $class(): string {
    return 'org.elasticsearch.script.field.WriteField'
  }

  #leaf(create = false): Leaf {
    return resolve(this.#root, this.#path, create)
  }

  #value(): unknown {
    const { map, name } = this.#leaf()
    return map?.get_1(name) ?? null
  }

  /** The values as a list. A single value becomes a list of one. */
  #values(): unknown[] {
    const value = this.#value()
    if (value === null) return []
    return value instanceof JList ? value.items : [value]
  }

  #store(value: unknown): this {
    const { map, name } = this.#leaf(true)
    map!.put_2(name, value)
    return this
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.#values()[Symbol.iterator]()
  }

  getName_0(): string {
    return this.#path
  }

  isEmpty_0(): boolean {
    return this.#values().length === 0
  }

  size_0(): number {
    return this.#values().length
  }

  get_1(fallback: unknown): unknown {
    return this.get_2(0, fallback)
  }

  set_1(value: unknown): this {
    return this.#store(value)
  }

  exists_0(): boolean {
    const { map, name } = this.#leaf()
    return map?.containsKey_1(name) ?? false
  }

  get_2(index: number, fallback: unknown): unknown {
    const values = this.#values()
    return index >= 0 && index < values.length ? values[index] : fallback
  }

  append_1(value: unknown): this {
    const old = this.#value()
    if (old instanceof JList) {
      old.add_1(value)
      return this
    }
    return this.#store(make.list(old === null ? [value] : [old, value]))
  }

  remove_0(): void {
    const { map, name } = this.#leaf()
    map?.remove_1(name)
  }

  removeValue_1(index: number): this {
    const value = this.#value()
    if (value instanceof JList) value.remove_1(index)
    else if (index === 0) this.remove_0()
    return this
  }

  removeValuesIf_1(test: JFunction): this {
    const value = this.#value()
    if (value instanceof JList) value.removeWhere((item) => test.call(item))
    else if (value !== null && test.call(value)) this.remove_0()
    return this
  }

  hasValue_1(test: JFunction): boolean {
    return this.#values().some((value) => test.call(value))
  }

  transform_1(map: JFunction): this {
    const value = this.#value()
    if (value instanceof JList) value.replaceAll_1(map)
    else if (value !== null) this.#store(map.call(value))
    return this
  }

  /** Keeps the first of equal values. */
  deduplicate_0(): this {
    const value = this.#value()
    if (!(value instanceof JList)) return this
    const kept: unknown[] = []
    const seen = new Map<number, unknown[]>()
    for (const item of value.items) {
      const same = seen.get(hashCode(item)) ?? []
      if (same.some((other) => equals(other, item))) continue
      seen.set(hashCode(item), [...same, item])
      kept.push(item)
    }
    return this.#store(make.list(kept))
  }

  move_1(to: unknown): this {
    if (new WriteField(this.#root, pathOf(to)).exists_0())
      throw illegalArgument(`Cannot move to non-empty destination [${pathOf(to)}]`)
    return this.overwrite_1(to)
  }

  overwrite_1(to: unknown): this {
    const value = this.#value()
    this.remove_0()
    this.#path = pathOf(to)
    return value === null ? this : this.#store(value)
  }
}

const pathOf = (target: unknown): string => (target instanceof WriteField ? target.getName_0() : textOf(target))

/** The field of an update script is in the source. Ingest scripts work on the document itself. */
export function writeField(env: Environment, name: string): WriteField {
  const ctx = env['ctx'] as JMap
  const source = ctx.get_1('_source')
  return new WriteField(source instanceof JMap ? source : ctx, name)
}

/** `metadata()`: the metadata of ctx. */
export class Metadata extends JObject {
  readonly #ctx: JMap

  constructor(ctx: JMap) {
    super()
    this.#ctx = ctx
  }

  get $class(): string {
    return 'org.elasticsearch.script.Metadata'
  }

  getIndex_0(): unknown {
    return this.#ctx.get_1('_index')
  }

  getId_0(): unknown {
    return this.#ctx.get_1('_id')
  }

  getRouting_0(): unknown {
    return this.#ctx.get_1('_routing')
  }

  getOp_0(): unknown {
    return this.#ctx.get_1('op')
  }

  getVersionType_0(): unknown {
    return this.#ctx.get_1('_version_type')
  }

  getNow_0(): unknown {
    return nowOf(this.#ctx instanceof IngestCtx ? this.#ctx.timestamp : this.#ctx.get_1('_now'))
  }

  setIndex_1(value: string): void {
    this.#ctx.put_2('_index', value)
  }

  setId_1(value: string): void {
    this.#ctx.put_2('_id', value)
  }

  setRouting_1(value: string): void {
    this.#ctx.put_2('_routing', value)
  }

  setOp_1(value: string): void {
    this.#ctx.put_2('op', value)
  }

  setVersionType_1(value: string): void {
    this.#ctx.put_2('_version_type', value)
  }

  setVersion_1(value: bigint): void {
    this.#ctx.put_2('_version', value)
  }

  isVersionInternal_0(): boolean {
    return this.#ctx.get_1('_version') === null
  }

  setVersionToInternal_0(): void {
    this.#ctx.remove_1('_version')
  }

  getVersion_0(): bigint {
    const version = this.#ctx.get_1('_version')
    return typeof version === 'bigint' ? version : BigInt(Number(version ?? -1))
  }
}

const nowOf = (millis: unknown): unknown => (millis === null ? null : zonedFromMillis(Number(millis)))
