/**
 * Doc values of nested objects seen from their parent documents: a document has the values of its objects. Built per
 * search, because a filter may select among the objects.
 */
import type {
  GeoDocValues,
  NumericDocValues,
  OrdinalBlock,
  PointBlock,
  SegmentReader,
  SortedSetDocValues,
  ValueBlock,
} from '../segment/segment-reader-api.ts'

/** The selected nested objects, and their parent documents. */
export interface ChosenChildren {
  /** Selected objects, ascending. */
  readonly children: Int32Array
  /** The parent document of each. */
  readonly parents: Int32Array
  readonly maxChildren: number
}

interface Slots {
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued: boolean
  has(doc: number): boolean
  start(doc: number): number
  end(doc: number): number
  /** The index of each value in the objects' own doc values. */
  readonly from: Int32Array
}

interface OwnSlots {
  has(doc: number): boolean
  start(doc: number): number
  end(doc: number): number
}

/** `order` is the order in which the values of one document are sorted. */
function collectSlots(
  { children, parents, maxChildren }: ChosenChildren,
  docValues: OwnSlots,
  docCount: number,
  order: (a: number, b: number) => number,
): Slots {
  const starts = new Int32Array(docCount + 1)
  const lists = new Map<number, number[]>()
  const seen = new Map<number, number>()
  for (let i = 0; i < children.length; i++) {
    const child = children[i]!
    if (!docValues.has(child)) continue
    const parent = parents[i]!
    const count = (seen.get(parent) ?? 0) + 1
    seen.set(parent, count)
    if (count > maxChildren) continue
    let list = lists.get(parent)
    if (list === undefined) lists.set(parent, (list = []))
    for (let slot = docValues.start(child); slot < docValues.end(child); slot++) list.push(slot)
  }
  let total = 0
  for (const list of lists.values()) total += list.length
  const from = new Int32Array(total)
  let at = 0
  for (let doc = 0; doc < docCount; doc++) {
    starts[doc] = at
    const list = lists.get(doc)
    if (list === undefined) continue
    from.set(list.sort(order), at)
    at += list.length
  }
  starts[docCount] = at
  return {
    docsWithValue: lists.size,
    valueCount: total,
    multiValued: total > lists.size,
    has: (doc) => starts[doc + 1]! > starts[doc]!,
    start: (doc) => starts[doc]!,
    end: (doc) => starts[doc + 1]!,
    from,
  }
}

/** Fills the offsets of a block and calls `each` with the position and index of every value. */
function readSlots(
  slots: Slots,
  docs: Int32Array,
  count: number,
  offsets: Int32Array,
  each: (at: number, slot: number) => void,
): void {
  let at = 0
  for (let i = 0; i < count; i++) {
    offsets[i] = at
    for (let slot = slots.start(docs[i]!); slot < slots.end(docs[i]!); slot++) each(at++, slot)
  }
  offsets[count] = at
}

function slotCount(slots: Slots, docs: Int32Array, count: number): number {
  let total = 0
  for (let i = 0; i < count; i++) total += slots.end(docs[i]!) - slots.start(docs[i]!)
  return total
}

function nestedNumbers(chosen: ChosenChildren, own: NumericDocValues, docCount: number): NumericDocValues {
  const slots = collectSlots(chosen, own, docCount, (a, b) => {
    if (own.exact) return own.valueAt(a) - own.valueAt(b)
    return own.bigAt(a) < own.bigAt(b) ? -1 : 1
  })
  const valueAt = (slot: number) => own.valueAt(slots.from[slot]!)
  return {
    ...slots,
    min: own.min,
    max: own.max,
    exact: own.exact,
    valueAt,
    bigAt: (slot) => own.bigAt(slots.from[slot]!),
    readBlock(docs: Int32Array, count: number, into: ValueBlock) {
      const total = slotCount(slots, docs, count)
      if (into.values.length < total) into.values = new Float64Array(total)
      readSlots(slots, docs, count, into.offsets, (at, slot) => {
        into.values[at] = valueAt(slot)
      })
    },
  }
}

function nestedTerms(chosen: ChosenChildren, own: SortedSetDocValues, docCount: number): SortedSetDocValues {
  const slots = collectSlots(chosen, own, docCount, (a, b) => own.ordinalAt(a) - own.ordinalAt(b))
  const ordinalAt = (slot: number) => own.ordinalAt(slots.from[slot]!)
  return {
    ...slots,
    termCount: own.termCount,
    ordinalAt,
    term: (ordinal) => own.term(ordinal),
    find: (term) => own.find(term),
    readBlock(docs: Int32Array, count: number, into: OrdinalBlock) {
      const total = slotCount(slots, docs, count)
      if (into.ordinals.length < total) into.ordinals = new Int32Array(total)
      readSlots(slots, docs, count, into.offsets, (at, slot) => {
        into.ordinals[at] = ordinalAt(slot)
      })
    },
  }
}

function nestedPoints(chosen: ChosenChildren, own: GeoDocValues, docCount: number): GeoDocValues {
  const slots = collectSlots(chosen, own, docCount, (a, b) => a - b)
  return {
    ...slots,
    latitudeAt: (slot) => own.latitudeAt(slots.from[slot]!),
    longitudeAt: (slot) => own.longitudeAt(slots.from[slot]!),
    readBlock(docs: Int32Array, count: number, into: PointBlock) {
      const total = slotCount(slots, docs, count)
      if (into.latitudes.length < total) {
        into.latitudes = new Int32Array(total)
        into.longitudes = new Int32Array(total)
      }
      readSlots(slots, docs, count, into.offsets, (at, slot) => {
        into.latitudes[at] = own.latitudeAt(slots.from[slot]!)
        into.longitudes[at] = own.longitudeAt(slots.from[slot]!)
      })
    },
  }
}

/** A reader whose doc values are those of the selected nested objects. */
export function nestedDocValuesReader(reader: SegmentReader, chosen: ChosenChildren): SegmentReader {
  const { docCount } = reader
  const map = <C, R>(docValues: C | undefined, make: (chosen: ChosenChildren, docValues: C, docCount: number) => R) =>
    docValues === undefined ? undefined : make(chosen, docValues, docCount)
  const allDocValues: Partial<SegmentReader> = {
    numericDocValues: (field) => map(reader.numericDocValues(field), nestedNumbers),
    sortedSetDocValues: (field) => map(reader.sortedSetDocValues(field), nestedTerms),
    geoDocValues: (field) => map(reader.geoDocValues(field), nestedPoints),
    // Its documents are the nested objects and not the documents being sorted.
    orderedIndex: () => undefined,
  }
  return new Proxy(reader, {
    get(target, name) {
      const own = allDocValues[name as keyof SegmentReader]
      if (own !== undefined) return own
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
