/** Composite aggregations: all combinations of the values of each item, in the order of the sources. */
import { bucketValues, startOf, toMillis } from './intervals.ts'
import { isObject, type Json, type JsonObject, listOf } from './json.ts'
import { only } from './queries.ts'
import { compareValues, FIELD_TYPES, type FieldType, type Value } from './values.ts'
import { fieldOf, type Item, NotModelled, typeIn } from './world.ts'

interface Source {
  readonly name: string
  readonly isDescending: boolean
  /** Whether items without a value have a bucket, and where it is. */
  readonly missing: 'none' | 'first' | 'last'
  valuesOf(item: Item): readonly Value[]
  show(value: Value): Json
  compare(a: Value, b: Value): number
}

function sourceOf(definition: Json, items: readonly Item[]): Source {
  const [name, inner] = only(definition)
  const [kind, body] = only(inner)
  if (!isObject(body)) throw new NotModelled('a source without options')
  const isDescending = body.order === 'desc'
  const order = body.missing_order ?? 'default'
  const comesFirst = order === 'default' ? !isDescending : order === 'first'
  const field = String(body.field)
  const mapped = typeIn(items, field)
  const type: FieldType = mapped?.type ?? FIELD_TYPES.keyword!
  const own = (item: Item): Value[] => bucketValues(item, fieldOf(item.index, field))
  const base = {
    name,
    isDescending,
    missing: body.missing_bucket === true ? (comesFirst ? ('first' as const) : ('last' as const)) : ('none' as const),
    show: (value: Value): Json => value,
    compare: compareValues,
  }
  switch (kind) {
    case 'terms':
      return { ...base, valuesOf: own, show: type.family === 'nanos' ? base.show : type.show, compare: type.compare }
    case 'histogram': {
      const interval = Number(body.interval)
      return { ...base, valuesOf: (item) => own(item).map((value) => Math.floor(Number(value) / interval) * interval) }
    }
    case 'date_histogram': {
      const format = body.format
      if (format !== undefined && format !== 'yyyy-MM-dd') throw new NotModelled(`the format ${format}`)
      return {
        ...base,
        valuesOf: (item) => own(item).map((value) => startOf(body, toMillis(value))),
        show: (value) => (format === undefined ? value : new Date(Number(value)).toISOString().slice(0, 10)),
      }
    }
    case 'geotile_grid':
      return {
        ...base,
        valuesOf: (item) => own(item).map((value) => tileOf(String(value), Number(body.precision ?? 7))),
        compare: compareTiles,
      }
    default:
      throw new NotModelled(`the source [${kind}]`)
  }
}

function tileOf(point: string, zoom: number): string {
  const [lat, lon] = point.split(',').map(Number) as [number, number]
  const tiles = 2 ** zoom
  const sin = Math.sin((lat * Math.PI) / 180)
  const x = Math.floor(((lon + 180) / 360) * tiles)
  const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * tiles)
  return `${zoom}/${x}/${y}`
}

function compareTiles(a: Value, b: Value): number {
  const [left, right] = [a, b].map((tile) => String(tile).split('/').map(Number)) as [number[], number[]]
  return left[1]! - right[1]! || left[2]! - right[2]!
}

type Key = readonly (Value | undefined)[]

/** The buckets of a composite from its first on, or after `after`. */
export function compositeBuckets(
  items: readonly Item[],
  body: JsonObject,
  bucket: (items: readonly Item[]) => JsonObject,
): JsonObject {
  const sources = listOf(body.sources).map((source) => sourceOf(source, items))
  if (body.after !== undefined) throw new NotModelled('after, which the pages of a composite are checked with')
  const groups = new Map<string, { key: Key; items: Item[] }>()
  for (const item of items) {
    const own = new Map(combinations(item, sources).map((key) => [key.map(String).join('\u0000'), key]))
    for (const [text, key] of own) {
      const group = groups.get(text)
      if (group === undefined) groups.set(text, { key, items: [item] })
      else group.items.push(item)
    }
  }
  const sorted = [...groups.values()]
    .sort((a, b) => compareKeys(sources, a.key, b.key))
    .slice(0, Number(body.size ?? 10))
  const shown = (key: Key): JsonObject =>
    Object.fromEntries(sources.map(({ name, show }, i) => [name, key[i] === undefined ? null : show(key[i]!)]))
  const last = sorted.at(-1)
  return {
    ...(last === undefined ? {} : { after_key: shown(last.key) }),
    buckets: sorted.map((group) => ({ key: shown(group.key), ...bucket(group.items) })),
  }
}

function combinations(item: Item, sources: readonly Source[]): Key[] {
  return sources.reduce<Key[]>(
    (keys, source) => {
      const values: readonly (Value | undefined)[] = source.valuesOf(item)
      const usable = values.length === 0 && source.missing !== 'none' ? [undefined] : values
      return keys.flatMap((key) => usable.map((value) => [...key, value]))
    },
    [[]],
  )
}

function compareKeys(sources: readonly Source[], a: Key, b: Key): number {
  for (const [i, source] of sources.entries()) {
    const [left, right] = [a[i], b[i]]
    if (left === undefined || right === undefined) {
      if (left === right) continue
      const first = source.missing === 'first' ? -1 : 1
      return left === undefined ? first : -first
    }
    const order = source.compare(left, right)
    if (order !== 0) return source.isDescending ? -order : order
  }
  return 0
}
