/** The values of a segment's fields in the form that Lucene would receive. */
import type { NumberTraits } from '../../mapping/field-traits.ts'
import type { StoredSegment } from '../../segment/segment-reader.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { sortableBits } from '../../values/sortable-bits.ts'
import type { DocValueList } from './doc-values-size.ts'
import type { Point } from './point-size.ts'
import type { IndexedTerm } from './postings-size.ts'

/** Value slots of documents. */
interface Slots {
  start(doc: number): number
  end(doc: number): number
}

export function docValuesOf(slots: Slots, docCount: number, valueAt: (slot: number) => bigint): DocValueList {
  const counts: number[] = []
  const values: bigint[] = []
  for (let doc = 0; doc < docCount; doc++) {
    const [start, end] = [slots.start(doc), slots.end(doc)]
    if (start === end) continue
    counts.push(end - start)
    for (let slot = start; slot < end; slot++) values.push(valueAt(slot))
  }
  return { docCount, docsWithValue: counts.length, counts, values }
}

/** One value of each of some documents. */
export function singleValues(docs: readonly number[], docCount: number, read: (doc: number) => number): DocValueList {
  const values = docs.map((doc) => BigInt(read(doc)))
  return { docCount, docsWithValue: docs.length, counts: docs.map(() => 1), values }
}

export function termsOf(reader: StoredSegment, field: string): IndexedTerm[] {
  const terms = reader.terms(field)!
  const { hasFreqs, hasPositions } = terms
  const list: IndexedTerm[] = []
  for (let ordinal = 0; ordinal < terms.termCount; ordinal++) {
    const postings = terms.postings(ordinal, hasPositions)
    const [docs, freqs, positions]: [number[], number[], number[]] = [[], [], []]
    while (postings.nextBlock()) {
      for (let i = 0; i < postings.count; i++) {
        docs.push(postings.docs[i]!)
        if (hasFreqs) freqs.push(postings.freqs[i]!)
        if (!hasPositions) continue
        const count = postings.readPositions(i)
        for (let j = 0; j < count; j++) positions.push(postings.positions[j]!)
      }
    }
    const bytes = terms.term(ordinal)
    list.push({ bytes, docs, freqs: hasFreqs ? freqs : undefined, positions: hasPositions ? positions : undefined })
  }
  return list
}

/** Documents by a term that each has once. */
export function termsBy(docs: readonly number[], termOf: (doc: number) => Uint8Array): IndexedTerm[] {
  const byTerm = new Map<string, { bytes: Uint8Array; docs: number[] }>()
  for (const doc of docs) {
    const bytes = termOf(doc)
    const name = Buffer.from(bytes).toString('latin1')
    const known = byTerm.get(name)
    if (known === undefined) byTerm.set(name, { bytes, docs: [doc] })
    else known.docs.push(doc)
  }
  const names = [...byTerm.keys()].sort()
  return names.map((name) => ({ ...byTerm.get(name)!, freqs: undefined, positions: undefined }))
}

/** IP addresses, which are terms in our segments. */
export function termPoints(terms: readonly IndexedTerm[]): Point[] {
  return terms.flatMap(({ bytes, docs }) => docs.map((doc) => ({ value: bytes, doc })))
}

export function numberPoints(reader: SegmentReader, field: string, traits: NumberTraits | undefined): Point[] {
  const index = reader.orderedIndex(field)!
  const points: Point[] = []
  for (let i = 0; i < index.length; i++) {
    const value = index.valueAt(i)
    points.push({ value: packed(luceneValue(value, traits), traits?.bytes ?? 8), doc: index.docAt(i) })
  }
  return points
}

export function luceneValue(value: number | bigint, traits: NumberTraits | undefined): bigint {
  return sortableBits(traits, Number(value)) ?? (typeof value === 'bigint' ? value : BigInt(Math.trunc(value)))
}

export function longPoint(value: number, doc: number): Point {
  return { value: packed(BigInt(value), 8), doc }
}

export function geoPoint(latitude: number, longitude: number, doc: number): Point {
  const value = new Uint8Array(8)
  value.set(packed(BigInt(latitude), 4))
  value.set(packed(BigInt(longitude), 4), 4)
  return { value, doc }
}

/** Big-endian with the sign bit flipped: bytes in the order of the values. */
function packed(value: bigint, width: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value))
  const own = Uint8Array.from(bytes.subarray(8 - width))
  own[0] = own[0]! ^ 0x80
  return own
}
