/** The keys by which a `diversified_sampler` groups documents: numbers of terms, or whole numbers. */
import { illegalArgument } from '../../../base/api-error.ts'
import { storageName } from '../../mapping/storage-name.ts'
import type { NumericDocValues, SegmentView, SortedSetDocValues } from '../../segment/segment-reader-api.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { globalOrdinals } from '../values/global-ordinals.ts'
import { decoderOf } from '../values/number-values.ts'
import type { ValueSource } from '../values/value-source.ts'

type KeyReader = (doc: number) => string | number
export type SegmentKeys = (view: SegmentView) => KeyReader

/**
 * The key of documents without a value if the field stores nothing, with `bytes_hash`, and if the value of `missing` is
 * no term of the field.
 */
const NO_TERM = -1

export function diversityKeys(context: AggregationContext, source: ValueSource, hint: string | undefined): SegmentKeys {
  const { ofDocument } = source
  if (ofDocument !== undefined)
    return ({ reader }) =>
      (doc) =>
        ofDocument(reader, doc)
  const name = storageName(source.field)
  if (name === undefined) return () => () => NO_TERM
  return source.type === 'keyword' ? termKeys(context, name, source.missing, hint) : numberKeys(source, name)
}

/**
 * Documents without a value count as having the first term: the smallest one by ordinals, with `map` the one that was
 * seen first. With `bytes_hash` they are a group of their own.
 */
function termKeys(
  { shard }: AggregationContext,
  name: string,
  missing: unknown,
  hint: string | undefined,
): SegmentKeys {
  const ordinals = globalOrdinals(shard.view, name)
  const seen = new Map<number, number>()
  const keyOf = (ordinal: number): number => {
    if (hint !== 'map') return ordinal
    const key = seen.get(ordinal) ?? seen.size
    if (key === seen.size) seen.set(ordinal, key)
    return key
  }
  const substitute = missing === undefined ? undefined : Math.max(ordinals.find(Buffer.from(String(missing))), NO_TERM)
  const withoutValue = () => (substitute === undefined ? (hint === 'bytes_hash' ? NO_TERM : 0) : keyOf(substitute))
  return (view) => {
    const toGlobal = ordinals.ofSegment(view)
    const terms = view.reader.sortedSetDocValues(name)
    return (doc) => {
      const slot = onlySlot(terms, doc)
      if (slot === undefined) return withoutValue()
      const ordinal = terms!.ordinalAt(slot)
      return keyOf(toGlobal === undefined ? ordinal : toGlobal[ordinal]!)
    }
  }
}

/** Fractions are cut off. Documents without a value count as having 0. */
function numberKeys(source: ValueSource, name: string): SegmentKeys {
  const decode = decoderOf(source.field!)
  const withoutValue = source.missing === undefined ? 0 : Math.trunc(source.missing as number)
  return (view) => {
    const numbers = view.reader.numericDocValues(name)
    return (doc) => {
      const slot = onlySlot(numbers, doc)
      if (slot === undefined) return withoutValue
      if (decode !== undefined) return Math.trunc(decode(numbers!, slot))
      if (numbers!.exact) return Math.trunc(numbers!.valueAt(slot))
      const big = numbers!.bigAt(slot)
      const number = Number(big)
      return Number.isSafeInteger(number) ? number : `${big}`
    }
  }
}

/** The place of a document's value; undefined if it has none. */
function onlySlot(docValues: SortedSetDocValues | NumericDocValues | undefined, doc: number): number | undefined {
  if (!docValues?.has(doc)) return undefined
  const slot = docValues.start(doc)
  if (docValues.end(doc) - slot > 1) throw illegalArgument('Sample diversifying key must be a single valued-field')
  return slot
}
