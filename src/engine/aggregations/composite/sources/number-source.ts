/** Numbers, dates and booleans, whose codes are the values themselves, and code shared with interval sources. */
import { unparsableBoolean } from '../../../../base/errors/value-errors.ts'
import { murmur3 } from '../../../../base/murmur3.ts'
import { storageName } from '../../../mapping/storage-name.ts'
import type { SegmentView } from '../../../segment/segment-reader-api.ts'
import { parseDouble } from '../../../values/java-number.ts'
import { javaText } from '../../../values/java-text.ts'
import { decoderOf, numberValues } from '../../values/number-values.ts'
import type { ValueSource } from '../../values/value-source.ts'
import type { BoundSource, LeadingOrder } from '../bound-source.ts'
import { printBoolean, printDouble, printWhole } from '../key-value.ts'
import type { CompositeSource } from '../source-settings.ts'
import { type CodeReader, NumberCodes } from './code-readers.ts'

export function numberSource(settings: CompositeSource, source: ValueSource): BoundSource {
  const whole = source.type === 'date' || (source.type === 'number' && source.field?.traits.number?.isWhole !== false)
  const print = source.type === 'boolean' ? printBoolean : whole ? printWhole : printDouble
  return {
    settings,
    source,
    print,
    codes: (view) => numberCodes(source, view),
    value: (code) => code,
    position: source.type === 'boolean' ? booleanPosition : (after) => numberPosition(after, whole),
    hash: hashDouble,
    // Every value is its own code, so there is no list of codes to walk.
    order: numbersInOrder(
      source,
      (value) => value,
      () => Number.NaN,
    ),
  }
}

export function numberCodes(
  source: ValueSource,
  view: SegmentView,
  cut?: (codes: Float64Array, count: number) => void,
): CodeReader | undefined {
  const values = numberValues(source, view)
  return values === undefined ? undefined : new NumberCodes(values, cut)
}

/**
 * Values of the ordered index must equal those of the doc values; if they have to be decoded first it cannot be used.
 */
export function numbersInOrder(
  { field }: ValueSource,
  code: (value: number) => number,
  next: (code: number) => number,
): LeadingOrder | undefined {
  if (field === undefined || !field.indexed || decoderOf(field) !== undefined) return undefined
  return { by: 'numbers', field: storageName(field), code, next }
}

export function numberPosition(after: unknown, whole: boolean): number {
  if (typeof after === 'bigint') return Number(after)
  if (typeof after === 'number') return whole ? Math.trunc(after) : after
  const value = parseDouble(javaText(after))
  // As in Java, NaN is the largest number, and is rounded to 0.
  if (Number.isNaN(value)) return whole ? 0 : Number.POSITIVE_INFINITY
  return whole ? Math.floor(value) : value
}

function booleanPosition(after: unknown): number {
  const text = javaText(after)
  if (text === 'true') return 1
  if (text === 'false') return 0
  throw unparsableBoolean(text)
}

const double = new Float64Array(1)
const bytes = new Uint8Array(double.buffer)

export function hashDouble(value: number): number {
  double[0] = value + 0
  return murmur3(bytes, 0, 8, 0)
}
