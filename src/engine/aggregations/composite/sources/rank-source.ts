/** Integers beyond 2^53, which doubles cannot represent exactly. */
import { inNanoseconds } from '../../../mapping/field-traits.ts'
import { narrow } from '../../../mapping/field-types/number.ts'
import { storageName } from '../../../mapping/storage-name.ts'
import type { SearchExecutionContext } from '../../../scoring/query.ts'
import { javaText } from '../../../values/java-text.ts'
import { LONG_MAX, LONG_MIN, parseUnsignedDigits, UNSIGNED_SHIFT } from '../../../values/long.ts'
import type { ValueSource } from '../../values/value-source.ts'
import type { BoundSource } from '../bound-source.ts'
import { printWhole } from '../key-value.ts'
import type { CompositeSource } from '../source-settings.ts'
import { RankCodes } from './code-readers.ts'
import { hashDouble, numberPosition } from './number-source.ts'

export function isInexact(shard: SearchExecutionContext, source: ValueSource): boolean {
  if (source.field === undefined || inNanoseconds(source.field.traits)) return false
  const name = storageName(source.field!)
  // The numbers near the middle of an unsigned range are stored as small ones.
  const isShifted = source.field.traits.number?.storedAs === 'shifted'
  return shard.view.segments.some(({ reader }) => {
    const docValues = reader.numericDocValues(name)
    return docValues !== undefined && (isShifted || !docValues.exact)
  })
}

/** Integers beyond 2^53: all values of the shard are listed once, and a value's position in the list is its code. */
export function rankSource(shard: SearchExecutionContext, settings: CompositeSource, source: ValueSource): BoundSource {
  const name = storageName(source.field!)
  const values = new Set<bigint>()
  for (const { reader } of shard.view.segments) {
    const docValues = reader.numericDocValues(name)
    for (let slot = 0; slot < (docValues?.valueCount ?? 0); slot++) values.add(docValues!.bigAt(slot))
  }
  const sorted = BigInt64Array.from(values).sort()
  const rank = (value: bigint) => rankOf(sorted, value)
  const field = source.field!
  const isShifted = field.traits.number?.storedAs === 'shifted'
  return {
    settings,
    source,
    print: printWhole,
    codes: ({ reader }) => {
      const docValues = reader.numericDocValues(name)
      return docValues === undefined ? undefined : new RankCodes(docValues, rank)
    },
    value: (code) => {
      const value = isShifted ? field.formatDocValue(sorted[code]!, undefined) : sorted[code]!
      return narrow(BigInt(value as bigint))
    },
    position: (after) => {
      if (isShifted) return rank(parseUnsignedDigits(javaText(after)) + UNSIGNED_SHIFT)
      return rank(longPosition(after))
    },
    hash: (code) => hashDouble(Number(sorted[code]!)),
    order: undefined,
  }
}

/** Digits are read exactly; numbers beyond 64 bits are the largest or smallest, as in Java. */
function longPosition(after: unknown): bigint {
  if (typeof after === 'bigint') return after
  if (typeof after === 'string' && /^[+-]?\d{1,40}$/.test(after)) return BigInt(after.replace('+', ''))
  const value = numberPosition(after, true)
  if (value >= 2 ** 63) return LONG_MAX
  return value <= -(2 ** 63) ? LONG_MIN : BigInt(value)
}

/** The position in the list; between two positions if the value is not in it. */
export function rankOf(sorted: BigInt64Array | BigUint64Array, value: bigint): number {
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
