/** Doc values: `.dvm` describes them, `.dvd` contains the values. */
import { lz4Size } from './lz4-size.ts'
import { packedBits, packedBytes, presenceBytes, RISING_META_BYTES, risingBytes, vintBytes } from './packed-size.ts'

export interface DocValuesSize {
  readonly meta: number
  readonly data: number
}

/** Values by document, ascending within each. */
export interface DocValueList {
  readonly docCount: number
  readonly docsWithValue: number
  /** The number of values of each document with a value. */
  readonly counts: readonly number[]
  readonly values: readonly bigint[]
}

const FIELD_BYTES = 5
const VALUES_META_BYTES = 72
const TABLE_MAX = 256

/** A field with one number per document. */
export function singleDocValuesSize(docValues: DocValueList): DocValuesSize {
  const { meta, data } = valuesSize(docValues, false)
  return { meta: FIELD_BYTES + meta, data }
}

export function numericDocValuesSize(docValues: DocValueList): DocValuesSize {
  return listSize(docValues, false, FIELD_BYTES)
}

/** Ordinals, and their terms. */
export function sortedSetDocValuesSize(ordinals: DocValueList, terms: readonly Uint8Array[]): DocValuesSize {
  const isSingle = ordinals.values.length === ordinals.docsWithValue
  const own = isSingle ? valuesSize(ordinals, true) : listSize(ordinals, true, 0)
  const dictionary = dictionarySize(terms)
  return { meta: FIELD_BYTES + 1 + own.meta + dictionary.meta, data: own.data + dictionary.data }
}

function listSize(docValues: DocValueList, ordinals: boolean, fieldBytes: number): DocValuesSize {
  const { meta, data } = valuesSize(docValues, ordinals)
  if (docValues.values.length === docValues.docsWithValue) return { meta: fieldBytes + meta + 4, data }
  const starts = [0]
  for (const count of docValues.counts) starts.push(starts.at(-1)! + count)
  return { meta: fieldBytes + meta + 4 + 9 + RISING_META_BYTES + 8, data: data + risingBytes(starts) }
}

/**
 * The smallest encoding: offsets from the minimum divided by a common divisor, or indexes into a table of the values.
 */
function valuesSize({ values, docsWithValue, docCount }: DocValueList, ordinals: boolean): DocValuesSize {
  const presence = presenceBytes(docsWithValue, docCount)
  if (values.length === 0) return { meta: VALUES_META_BYTES, data: presence }
  let min = values[0]!
  let max = min
  let divisor = 0n
  const unique = new Set<bigint>()
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
    if (divisor !== 1n) divisor = isExtreme(value) ? 1n : greatestDivisor(divisor, value - values[0]!)
    unique.add(value)
  }
  if (min === max) return { meta: VALUES_META_BYTES, data: presence }
  const range = ordinals ? max - min : BigInt.asUintN(64, max - min) / divisor
  const bits = packedBits(range)
  const tableBits = packedBits(BigInt(unique.size - 1))
  if (!ordinals && unique.size <= TABLE_MAX && tableBits < bits) {
    return { meta: VALUES_META_BYTES + 8 * unique.size, data: presence + packedBytes(values.length, tableBits) }
  }
  return { meta: VALUES_META_BYTES, data: presence + packedBytes(values.length, bits) }
}

/** Differences of extreme values could overflow, so Lucene uses no common divisor. */
const isExtreme = (value: bigint) => value < -(1n << 62n) || value > (1n << 62n) - 1n

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

const TERMS_BLOCK = 64

/** Blocks of 64 terms: the first completely, the others without the prefix shared with the previous one, compressed. */
function dictionarySize(terms: readonly Uint8Array[]): DocValuesSize {
  const meta = vintBytes(terms.length) + 4 + RISING_META_BYTES + 8 + 32 + 4 + RISING_META_BYTES + 32
  const starts: number[] = []
  let data = 0
  for (let first = 0; first < terms.length; first += TERMS_BLOCK) {
    const lead = terms[first]!
    starts.push(data)
    data += vintBytes(lead.length) + lead.length
    const rest: number[] = [...lead]
    for (let i = first + 1; i < Math.min(first + TERMS_BLOCK, terms.length); i++)
      appendTerm(rest, terms[i - 1]!, terms[i]!)
    const buffer = Uint8Array.from(rest)
    if (buffer.length > lead.length) {
      data += vintBytes(buffer.length - lead.length) + lz4Size(buffer, 0, lead.length, buffer.length)
    }
  }
  return { meta, data: data + risingBytes(starts) }
}

function appendTerm(out: number[], before: Uint8Array, term: Uint8Array): void {
  const shared = sharedLength(before, term)
  const own = term.length - shared
  out.push(Math.min(shared, 15) | (Math.min(15, own - 1) << 4))
  if (shared >= 15) pushVint(out, shared - 15)
  if (own >= 16) pushVint(out, own - 16)
  for (let i = shared; i < term.length; i++) out.push(term[i]!)
}

export function sharedLength(a: Uint8Array, b: Uint8Array): number {
  let shared = 0
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++
  return shared
}

function pushVint(out: number[], value: number): void {
  let rest = value
  for (; rest >= 128; rest >>>= 7) out.push((rest & 127) | 128)
  out.push(rest)
}
