/** Test helper: documents as plain objects, and a readable dump of a segment. */
import type { FieldSchema, IndexAnalyzer } from '../document/field-schema.ts'
import { BINARY, GEO, NUMBER, ParsedDocument, ROOT, STORED, TERM, TEXT } from '../document/parsed-document.ts'
import { Arena } from '../memory/arena.ts'
import type { WriteBuffer } from './buffer/write-buffer.ts'
import { LEAF_BOUNDS, LEAF_POINTS } from './doc-values/spatial-order.ts'
import type { SegmentFile } from './segment-file.ts'
import { openSegment, type StoredSegment } from './segment-reader.ts'

/** Splits at spaces; enough for positions and frequencies. */
const words: IndexAnalyzer = {
  analyze(bytes, start, end, sink) {
    let from = start
    for (let at = start; at <= end; at++) {
      if (at < end && bytes[at] !== 0x20) continue
      if (at > from) sink.token(bytes, from, at, 1)
      from = at + 1
    }
    sink.endOfValue(0)
  },
}

const plain = {
  inverted: 'none',
  norms: false,
  docValues: 'none',
  ordered: false,
  analyzer: undefined,
  positionGap: 0,
} as const

export const SCHEMAS: readonly FieldSchema[] = [
  { ...plain, id: 0, name: 'text', inverted: 'positions', norms: true, analyzer: words, positionGap: 100 },
  { ...plain, id: 1, name: 'tag', inverted: 'docs', docValues: 'term' },
  { ...plain, id: 2, name: 'label', docValues: 'term' },
  { ...plain, id: 3, name: 'number', docValues: 'number', ordered: true },
  { ...plain, id: 4, name: 'long', docValues: 'long', ordered: true },
  { ...plain, id: 5, name: 'place', docValues: 'geo' },
  { ...plain, id: 6, name: 'blob', docValues: 'binary' },
  { ...plain, id: 7, name: 'bare', ordered: true },
  { ...plain, id: 8, name: 'inner.tag', inverted: 'docs', docValues: 'term' },
]

export const NESTED_PATHS = ['inner', 'inner.deep'] as const

export interface PlainDocument {
  readonly id: string
  readonly text?: readonly string[]
  readonly tag?: readonly string[]
  readonly label?: readonly string[]
  readonly number?: readonly number[]
  readonly long?: readonly bigint[]
  readonly place?: readonly (readonly [number, number])[]
  readonly blob?: readonly string[]
  readonly bare?: readonly number[]
  readonly inner?: readonly { readonly tag: readonly string[]; readonly deep?: number }[]
  readonly routing?: string | undefined
}

const parsed = new ParsedDocument()

/** Adds a document; its `_source` is the JSON of its id and tags. */
export function addPlain(buffer: WriteBuffer, doc: PlainDocument, seqNo: number, version = 1): number {
  parsed.reset()
  const text = (
    field: number,
    kind: typeof TERM | typeof TEXT | typeof BINARY | typeof STORED,
    value: string,
    to = ROOT,
  ) => {
    const bytes = Buffer.from(value)
    const start = parsed.reserve(bytes.length)
    parsed.bytes.set(bytes, start)
    parsed.add(SCHEMAS[field]!, kind, start, start + bytes.length, to)
  }
  for (const value of doc.text ?? []) text(0, TEXT, value)
  for (const value of doc.tag ?? []) text(1, TERM, value)
  for (const value of doc.label ?? []) text(2, TERM, value)
  for (const value of doc.number ?? []) parsed.add(SCHEMAS[3]!, NUMBER, value, 0, ROOT)
  for (const value of doc.long ?? []) {
    const number = Number(value)
    if (Number.isSafeInteger(number)) parsed.add(SCHEMAS[4]!, NUMBER, number, 0, ROOT)
    else parsed.addLong(SCHEMAS[4]!, value, ROOT)
  }
  for (const [latitude, longitude] of doc.place ?? []) parsed.add(SCHEMAS[5]!, GEO, latitude, longitude, ROOT)
  for (const value of doc.blob ?? []) text(6, BINARY, value)
  for (const value of doc.bare ?? []) parsed.add(SCHEMAS[7]!, NUMBER, value, 0, ROOT)
  for (const value of doc.tag ?? []) text(1, STORED, JSON.stringify(value))
  for (const inner of doc.inner ?? []) {
    const nested = parsed.beginNested(0, ROOT)
    for (const value of inner.tag) text(8, TERM, value, nested)
    for (let i = 0; i < (inner.deep ?? 0); i++) parsed.endDocument(parsed.beginNested(1, nested))
    parsed.endDocument(nested)
  }
  parsed.endDocument(ROOT)
  const meta = { idBytes: Buffer.from(doc.id), seqNo, version, primaryTerm: 1, routing: doc.routing }
  return buffer.add(parsed, SCHEMAS, meta, Buffer.from(JSON.stringify({ id: doc.id, tag: doc.tag ?? [] })))
}

export function memoryFile(name: string, chunks: readonly Uint8Array[]): SegmentFile & { bytes: Buffer } {
  const bytes = Buffer.concat(chunks)
  return {
    name,
    bytes,
    size: bytes.length,
    read(offset, target) {
      target.set(bytes.subarray(offset, offset + target.length))
    },
  }
}

export function openChunks(chunks: readonly Uint8Array[], name = 'test'): StoredSegment {
  return openSegment(memoryFile(name, chunks), Arena.create(256 << 20))
}

const string = (bytes: Uint8Array) => Buffer.from(bytes).toString()

/** All contents of a segment, document by document and field by field. */
export function dump(reader: StoredSegment): unknown {
  const docs = []
  for (let doc = 0; doc < reader.docCount; doc++) {
    const path = reader.nested?.pathOf[doc] ?? 0
    const root = path === 0
    docs.push({
      path,
      id: reader.id(doc),
      ...(root
        ? {
            source: string(reader.source(doc)!),
            stored: reader.storedFields(doc),
            seqNo: reader.seqNo(doc),
            version: reader.version(doc),
            routing: reader.routing(doc),
            norm: reader.norms('text')?.[doc] ?? 0,
            found: reader.findId(reader.idBytes(doc)) >= 0,
          }
        : { parent: reader.nested!.parentOf(doc) - doc }),
      allDocValues: dumpDocValues(reader, doc),
    })
  }
  return {
    docs,
    terms: reader.fieldNames.map((name) => dumpTerms(reader, name)).filter(Boolean),
    ordered: dumpOrdered(reader),
    spatial: dumpSpatial(reader),
  }
}

function dumpDocValues(reader: StoredSegment, doc: number): unknown {
  const slots = (
    docValues: { start(doc: number): number; end(doc: number): number; has(doc: number): boolean } | undefined,
  ) => {
    if (docValues === undefined || !docValues.has(doc)) return []
    return Array.from({ length: docValues.end(doc) - docValues.start(doc) }, (_, i) => docValues.start(doc) + i)
  }
  const terms = (name: string) => {
    const docValues = reader.sortedSetDocValues(name)
    return slots(docValues).map((slot) => string(docValues!.term(docValues!.ordinalAt(slot))))
  }
  const number = reader.numericDocValues('number')
  const long = reader.numericDocValues('long')
  const place = reader.geoDocValues('place')
  const blob = reader.binaryDocValues('blob')
  return {
    tag: terms('tag'),
    label: terms('label'),
    inner: terms('inner.tag'),
    number: slots(number).map((slot) => number!.valueAt(slot)),
    long: slots(long).map((slot) => long!.bigAt(slot)),
    place: slots(place).map((slot) => [place!.latitudeAt(slot), place!.longitudeAt(slot)]),
    blob: slots(blob).map((slot) => string(blob!.bytesAt(slot))),
  }
}

function dumpTerms(reader: StoredSegment, name: string): unknown {
  const terms = reader.terms(name)
  if (terms === undefined) return undefined
  const list = []
  for (let ordinal = 0; ordinal < terms.termCount; ordinal++) {
    const postings = terms.postings(ordinal, true)
    const entries: unknown[] = []
    while (postings.nextBlock()) {
      for (let i = 0; i < postings.count; i++) {
        const positionCount = terms.hasPositions ? postings.readPositions(i) : 0
        entries.push([postings.docs[i], postings.freqs[i], [...postings.positions.subarray(0, positionCount)]])
      }
    }
    list.push([string(terms.term(ordinal)), terms.docFreq(ordinal), terms.totalTermFreq(ordinal), entries])
  }
  const { docCount, sumDocFreq, sumTotalTermFreq } = terms
  return { name, docCount, sumDocFreq, sumTotalTermFreq, list }
}

function dumpOrdered(reader: StoredSegment): unknown {
  return ['number', 'long', 'bare'].map((name) => {
    const ordered = reader.orderedIndex(name)
    return Array.from({ length: ordered?.length ?? 0 }, (_, i) => [ordered!.valueAt(i), ordered!.docAt(i)])
  })
}

function dumpSpatial(reader: StoredSegment): unknown {
  const spatial = reader.geoDocValues('place')?.spatial
  const docs = new Int32Array(LEAF_POINTS)
  return Array.from({ length: spatial?.leafCount ?? 0 }, (_, leaf) => [
    [...spatial!.bounds.subarray(leaf * LEAF_BOUNDS, (leaf + 1) * LEAF_BOUNDS)],
    [...docs.subarray(0, spatial!.readLeaf(leaf, docs))],
  ])
}
