/** A source of a composite on one shard: its codes, the values they stand for, and the place of an `after` value among them. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { murmur3 } from '../../../base/murmur3.ts'
import { javaSimpleClass, javaText } from '../../mapping/java-text.ts'
import type { ShardQueryContext } from '../../query/query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { parseTile, tileKey, tileOf } from '../../values/geotile.ts'
import { requireIp } from '../../values/ip.ts'
import { parseDouble } from '../../values/java-number.ts'
import { BlockRounding } from '../block-rounding.ts'
import { roundingOf } from '../date-interval.ts'
import { GeoTileBounds } from '../geo-tile-bounds.ts'
import { globalOrdinals } from '../global-ordinals.ts'
import { decoderOf, numberValues } from '../number-values.ts'
import { termPrinter } from '../terms/terms-result.ts'
import type { DateValueFormat } from '../value-format.ts'
import { bindSource, type SourceType, type ValueSource } from '../value-source.ts'
import {
  CONSTANT_CODE,
  type CodeReader,
  cutToDates,
  cutToInterval,
  NumberCodes,
  OrdinalCodes,
  RankCodes,
  TileCodes,
} from './code-readers.ts'
import {
  type KeyPrinter,
  type KeyValue,
  printBoolean,
  printDate,
  printDouble,
  printIp,
  printTerm,
  printTile,
  printWhole,
} from './key-value.ts'
import type { CompositeSource, SourceKind } from './source-settings.ts'

export interface BoundSource {
  readonly settings: CompositeSource
  readonly source: ValueSource
  readonly print: KeyPrinter
  /** Undefined where no document of the segment has a value. */
  codes(view: SegmentView): CodeReader | undefined
  value(code: number): KeyValue
  /** The code of a given value, or a number between those of its neighbours. Throws when the value is of a wrong kind. */
  position(after: unknown): number
  /** The same for equal values on every shard. */
  hash(code: number): number
  /** How documents can be found by this source in the order of its codes; undefined when they cannot. */
  readonly order: LeadingOrder | undefined
}

export type LeadingOrder =
  | { readonly by: 'terms'; readonly field: string }
  | {
      readonly by: 'numbers'
      readonly field: string
      /** The code of a value, and the one after a code. */
      code(value: number): number
      next(code: number): number
    }

/** The value a signed code stands for. */
export function keyValue(source: BoundSource, code: number): KeyValue {
  if (!Number.isFinite(code)) return null
  return source.value(source.settings.descending ? -code + 0 : code)
}

const SUPPORTED: Readonly<Record<SourceKind, readonly SourceType[]>> = {
  terms: ['keyword', 'ip', 'number', 'date', 'boolean'],
  histogram: ['number', 'date'],
  date_histogram: ['date', 'number'],
  geotile_grid: ['geo'],
}
const FALLBACK: Readonly<Record<SourceKind, SourceType>> = {
  terms: 'keyword',
  histogram: 'number',
  date_histogram: 'date',
  geotile_grid: 'geo',
}

export function bindCompositeSource(shard: ShardQueryContext, settings: CompositeSource): BoundSource {
  if (settings.missingOrder !== 'default' && !settings.missingBucket) {
    throw illegalArgument('missingOrder can only be set if missingBucket is true')
  }
  if (settings.source.field === undefined && !settings.source.script) {
    throw illegalArgument('Required one of fields [field, script], but none were specified.')
  }
  const { kind } = settings
  const source = bindSource(shard, settings.source, kind, SUPPORTED[kind], FALLBACK[kind])
  switch (kind) {
    case 'terms':
      if (source.field === undefined && source.missing !== undefined) return constantSource(settings, source)
      if (source.type === 'keyword' || source.type === 'ip') return termSource(shard, settings, source)
      return isInexact(shard, source) ? rankSource(shard, settings, source) : plainSource(shard, settings, source)
    case 'histogram':
      return histogramSource(shard, settings, source)
    case 'date_histogram':
      return dateSource(shard, settings, source)
    case 'geotile_grid':
      return tileSource(shard, settings, source)
  }
}

const columnName = ({ field }: ValueSource) => field?.schema?.name ?? field?.name ?? ''

function termSource(shard: ShardQueryContext, settings: CompositeSource, source: ValueSource): BoundSource {
  const name = columnName(source)
  const ordinals = globalOrdinals(shard.view, name)
  const isIp = source.type === 'ip'
  const mapped = source.field !== undefined
  return {
    settings,
    source,
    print: isIp ? printIp : printTerm(termPrinter(source.field)),
    codes: (view) => {
      const column = mapped ? view.reader.termColumn(name) : undefined
      return column === undefined ? undefined : new OrdinalCodes(column, ordinals.ofSegment(view))
    },
    value: (code) => ordinals.term(code),
    position: (after) => {
      // Nothing compares with an unmapped field, so anything may be given for it.
      if (!mapped) return 0
      if (typeof after !== 'string') throw notAString(after)
      const found = ordinals.find(isIp ? requireIp(after) : Buffer.from(after))
      return found >= 0 ? found : -found - 1.5
    },
    hash: (code) => {
      const term = ordinals.term(code)
      return murmur3(term, 0, term.length, 0)
    },
    order: mapped && source.field!.indexed ? { by: 'terms', field: name } : undefined,
  }
}

/** All documents have the same term: the name of their index. */
function constantSource(settings: CompositeSource, source: ValueSource): BoundSource {
  const term = Buffer.from(String(source.missing))
  return {
    settings,
    source,
    print: printTerm(termPrinter(undefined)),
    codes: () => CONSTANT_CODE,
    value: () => term,
    position: (after) => {
      if (typeof after !== 'string') throw notAString(after)
      return Math.sign(Buffer.compare(Buffer.from(after), term)) / 2
    },
    hash: () => murmur3(term, 0, term.length, 0),
    order: undefined,
  }
}

const notAString = (value: unknown) => illegalArgument(`invalid value, expected string, got ${javaSimpleClass(value)}`)

const WHOLE_TYPES: ReadonlySet<string> = new Set(['long', 'integer', 'short', 'byte', 'unsigned_long', 'token_count'])

function plainSource(shard: ShardQueryContext, settings: CompositeSource, source: ValueSource): BoundSource {
  const whole = source.type === 'date' || (source.type === 'number' && WHOLE_TYPES.has(source.field?.type ?? 'long'))
  const print = source.type === 'boolean' ? printBoolean : whole ? printWhole : printDouble
  return {
    settings,
    source,
    print,
    codes: (view) => numberCodes(shard, source, view),
    value: (code) => code,
    position: source.type === 'boolean' ? booleanPosition : (after) => numberPosition(after, whole),
    hash: hashDouble,
    // Every value is a code of its own, so there is no list of codes to go by.
    order: numbersInOrder(
      source,
      (value) => value,
      () => Number.NaN,
    ),
  }
}

function numberCodes(
  shard: ShardQueryContext,
  source: ValueSource,
  view: SegmentView,
  cut?: (codes: Float64Array, count: number) => void,
): CodeReader | undefined {
  const values = numberValues(source, view, shard.nowMs)
  return values === undefined ? undefined : new NumberCodes(values, cut)
}

/** Values of the ordered index are those of the column; where they must be decoded first it is of no use. */
function numbersInOrder(
  { field }: ValueSource,
  code: (value: number) => number,
  next: (code: number) => number,
): LeadingOrder | undefined {
  if (field === undefined || !field.indexed || decoderOf(field) !== undefined) return undefined
  return { by: 'numbers', field: field.schema?.name ?? field.name, code, next }
}

function numberPosition(after: unknown, whole: boolean): number {
  if (typeof after === 'bigint') return Number(after)
  if (typeof after === 'number') return whole ? Math.trunc(after) : after
  const text = javaText(after)
  return whole ? Math.trunc(parseDouble(text)) : parseDouble(text)
}

function booleanPosition(after: unknown): number {
  const text = javaText(after)
  if (text === 'true') return 1
  if (text === 'false') return 0
  throw illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`)
}

function isInexact(shard: ShardQueryContext, source: ValueSource): boolean {
  if (source.field === undefined || source.field.type === 'date_nanos') return false
  const name = columnName(source)
  return shard.view.segments.some(({ reader }) => reader.numberColumn(name)?.exact === false)
}

/** Integers beyond 2^53: all of the shard are listed once, and a value's place in the list is its code. */
function rankSource(shard: ShardQueryContext, settings: CompositeSource, source: ValueSource): BoundSource {
  const name = columnName(source)
  const values = new Set<bigint>()
  for (const { reader } of shard.view.segments) {
    const column = reader.numberColumn(name)
    for (let slot = 0; slot < (column?.valueCount ?? 0); slot++) values.add(column!.bigAt(slot))
  }
  const sorted = BigInt64Array.from(values).sort()
  const rank = (value: bigint) => rankOf(sorted, value)
  const field = source.field!
  const isShifted = field.type === 'unsigned_long'
  return {
    settings,
    source,
    print: printWhole,
    codes: ({ reader }) => {
      const column = reader.numberColumn(name)
      return column === undefined ? undefined : new RankCodes(column, rank)
    },
    value: (code) => {
      const value = isShifted ? field.formatDocValue(sorted[code]!, undefined) : sorted[code]!
      return narrowed(BigInt(value as bigint))
    },
    position: (after) => {
      const given = typeof after === 'bigint' ? after : BigInt(Math.trunc(numberPosition(after, true)))
      return rank(isShifted ? BigInt(field.termValue(given) as bigint) : given)
    },
    hash: (code) => hashDouble(Number(sorted[code]!)),
    order: undefined,
  }
}

function narrowed(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Place in the list; between two places where the value is not in it. */
function rankOf(sorted: BigInt64Array | BigUint64Array, value: bigint): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = sorted[middle]!
    if (found === value) return middle
    if (found < value) low = middle + 1
    else high = middle - 1
  }
  return low - 0.5
}

function histogramSource(shard: ShardQueryContext, settings: CompositeSource, source: ValueSource): BoundSource {
  const { interval } = settings
  if (interval === undefined) throw illegalArgument('[interval] must be greater than 0 for [histogram] source')
  const isDate = source.type === 'date'
  return {
    settings,
    source,
    print: isDate ? printDate(source.format as DateValueFormat) : printDouble,
    codes: (view) => numberCodes(shard, source, view, cutToInterval(interval)),
    value: (code) => code,
    position: (after) => {
      if (isDate && typeof after === 'string') return source.format.parse(after, shard.nowMs)
      return numberPosition(after, false)
    },
    hash: hashDouble,
    order: numbersInOrder(
      source,
      (value) => Math.floor(value / interval) * interval,
      (code) => Math.round(code / interval + 1) * interval,
    ),
  }
}

function dateSource(shard: ShardQueryContext, settings: CompositeSource, source: ValueSource): BoundSource {
  const rounding = roundingOf(settings.dates, settings.source.timeZone)
  const formatted = settings.source.format !== undefined
  return {
    settings,
    source,
    print: formatted ? printDate(source.format as DateValueFormat) : printWhole,
    codes: (view) => {
      const values = numberValues(source, view, shard.nowMs)
      if (values === undefined) return undefined
      return new NumberCodes(values, cutToDates(new BlockRounding(rounding, values.min, values.max)))
    },
    value: (code) => code,
    position: (after) =>
      formatted ? datePosition(after, source.format as DateValueFormat) : numberPosition(after, true),
    hash: hashDouble,
    order: numbersInOrder(
      source,
      (value) => rounding.round(value),
      (code) => rounding.nextRoundingValue(code),
    ),
  }
}

/** Keys are read as they were printed, without date math. */
function datePosition(after: unknown, { format, zone }: DateValueFormat): number {
  const text = javaText(after)
  try {
    return format.parse(text, { zone }).ms
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(400, 'parse_exception', `${error.message}: [${error.message}]`, { causedBy: error })
  }
}

/** Up to this zoom a tile's number within the zoom fits a double. */
const PLAIN_ZOOM_MAX = 26

function tileSource(shard: ShardQueryContext, settings: CompositeSource, source: ValueSource): BoundSource {
  const { precision: zoom, bounds: box } = settings
  const bounds = box === undefined ? undefined : new GeoTileBounds(box, zoom)
  const name = columnName(source)
  const tiles = 2 ** zoom
  const listed = zoom > PLAIN_ZOOM_MAX ? listTiles(shard, name, zoom) : undefined
  const code = (x: number, y: number) =>
    listed === undefined ? x * tiles + y : rankOf(listed, tileKey({ zoom, x, y }))
  const keyOf = (number: number) =>
    listed === undefined ? tileKey({ zoom, x: Math.floor(number / tiles), y: number % tiles }) : listed[number]!
  return {
    settings,
    source,
    print: printTile,
    codes: ({ reader }) => {
      const column = source.field === undefined ? undefined : reader.geoColumn(name)
      return column === undefined ? undefined : new TileCodes(column, zoom, bounds, code)
    },
    value: keyOf,
    position: (after) => {
      const key = typeof after === 'number' ? BigInt(Math.trunc(after)) : tileKey(parseTile(javaText(after)))
      const given = Number(key >> 58n)
      // A tile of another zoom lies before or behind all tiles of this one.
      if (given !== zoom) return given < zoom ? -1 : Number.MAX_VALUE
      const [x, y] = [Number((key >> 29n) & 0x1fffffffn), Number(key & 0x1fffffffn)]
      return code(x, y)
    },
    hash: (number) => hashDouble(Number(keyOf(number))),
    order: undefined,
  }
}

function listTiles(shard: ShardQueryContext, name: string, zoom: number): BigInt64Array {
  const keys = new Set<bigint>()
  for (const { reader } of shard.view.segments) {
    const column = reader.geoColumn(name)
    for (let slot = 0; slot < (column?.valueCount ?? 0); slot++) {
      const [lon, lat] = [column!.longitudeAt(slot), column!.latitudeAt(slot)]
      keys.add(tileKey(tileOf(decodeLongitude(lon), decodeLatitude(lat), zoom)))
    }
  }
  return BigInt64Array.from(keys).sort()
}

const double = new Float64Array(1)
const bytes = new Uint8Array(double.buffer)

function hashDouble(value: number): number {
  double[0] = value + 0
  return murmur3(bytes, 0, 8, 0)
}
