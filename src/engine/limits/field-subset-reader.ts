/**
 * A segment with some of its fields only. It looks to queries, aggregations, scripts and the fetch phase as if no
 * document had a value in the other fields. Caches are kept per reader object, so that one caller's limits never show in
 * another's results.
 */
import { computedField } from '../segment/doc-values/computed-field.ts'
import type { FieldUsage } from '../segment/field-usage.ts'
import type {
  BinaryDocValues,
  GeoDocValues,
  NestedDocs,
  NumericDocValues,
  OrderedIndex,
  Postings,
  SegmentReader,
  SortedSetDocValues,
  TermsReader,
} from '../segment/segment-reader-api.ts'
import type { FieldGrants } from './field-grants.ts'

/** Lists, for each document, the fields without doc values and norms that it has. */
const FIELD_NAMES = '_field_names'

export class FieldSubsetReader implements SegmentReader {
  readonly #reader: SegmentReader
  readonly #grants: FieldGrants
  readonly name: string
  readonly docCount: number
  readonly rootCount: number
  readonly fieldNames: readonly string[]

  constructor(reader: SegmentReader, grants: FieldGrants) {
    this.#reader = reader
    this.#grants = grants
    this.name = reader.name
    this.docCount = reader.docCount
    this.rootCount = reader.rootCount
    this.fieldNames = reader.fieldNames.filter((name) => grants.hasPhysical(name))
  }

  get usage(): FieldUsage | undefined {
    return this.#reader.usage
  }

  terms(field: string): TermsReader | undefined {
    if (!this.#grants.hasPhysical(field)) return undefined
    const terms = this.#reader.terms(field)
    return field === FIELD_NAMES && terms !== undefined ? new GrantedNames(terms, this.#grants) : terms
  }

  norms(field: string): Uint8Array | undefined {
    return this.#grants.hasPhysical(field) ? this.#reader.norms(field) : undefined
  }

  normsPresence(field: string): Uint32Array | undefined {
    return this.#grants.hasPhysical(field) ? this.#reader.normsPresence(field) : undefined
  }

  numericDocValues(field: string): NumericDocValues | undefined {
    const computed = computedField(field)
    if (computed !== undefined) return computed.numbers(this)
    return this.#grants.hasPhysical(field) ? this.#reader.numericDocValues(field) : undefined
  }

  sortedSetDocValues(field: string): SortedSetDocValues | undefined {
    const computed = computedField(field)
    if (computed !== undefined) return computed.terms(this)
    return this.#grants.hasPhysical(field) ? this.#reader.sortedSetDocValues(field) : undefined
  }

  fielddataBytes(field: string): number {
    return this.#grants.hasPhysical(field) ? (this.#reader.fielddataBytes?.(field) ?? 0) : 0
  }

  geoDocValues(field: string): GeoDocValues | undefined {
    const computed = computedField(field)
    if (computed !== undefined) return computed.points(this)
    return this.#grants.hasPhysical(field) ? this.#reader.geoDocValues(field) : undefined
  }

  binaryDocValues(field: string): BinaryDocValues | undefined {
    return this.#grants.hasPhysical(field) ? this.#reader.binaryDocValues(field) : undefined
  }

  orderedIndex(field: string): OrderedIndex | undefined {
    return this.#grants.hasPhysical(field) ? this.#reader.orderedIndex(field) : undefined
  }

  source(doc: number): Uint8Array | undefined {
    return this.sourceView(doc)
  }

  /** A filtered source is a copy anyway. */
  sourceView(doc: number, again?: boolean): Uint8Array | undefined {
    const source = this.#reader.sourceView(doc, again)
    return source && this.#grants.source(source)
  }

  storedFields(doc: number): Record<string, unknown[]> | undefined {
    const stored = this.#reader.storedFields(doc)
    return stored && Object.fromEntries(Object.entries(stored).filter(([name]) => this.#grants.has(name)))
  }

  id(doc: number): string {
    return this.#reader.id(doc)
  }

  writeId(doc: number, out: Uint8Array, at: number): number {
    return this.#reader.writeId(doc, out, at)
  }

  findId(idBytes: Uint8Array): number {
    return this.#reader.findId(idBytes)
  }

  seqNo(doc: number): number {
    return this.#reader.seqNo(doc)
  }

  version(doc: number): number {
    return this.#reader.version(doc)
  }

  primaryTerm(doc: number): number {
    return this.#reader.primaryTerm(doc)
  }

  routing(doc: number): string | undefined {
    return this.#reader.routing(doc)
  }

  get nested(): NestedDocs | undefined {
    return this.#reader.nested
  }
}

/** The terms of `_field_names` that name granted fields. They can be looked up and not enumerated. */
class GrantedNames implements TermsReader {
  readonly #terms: TermsReader
  readonly #grants: FieldGrants
  readonly termCount = 0
  readonly docCount: number
  readonly sumTotalTermFreq: number
  readonly sumDocFreq: number
  readonly hasFreqs: boolean
  readonly hasPositions: boolean
  readonly termBytes = new Uint8Array(0)
  readonly termOffsets = new Uint32Array(1)

  constructor(terms: TermsReader, grants: FieldGrants) {
    this.#terms = terms
    this.#grants = grants
    this.docCount = terms.docCount
    this.sumTotalTermFreq = terms.sumTotalTermFreq
    this.sumDocFreq = terms.sumDocFreq
    this.hasFreqs = terms.hasFreqs
    this.hasPositions = terms.hasPositions
  }

  find(term: Uint8Array): number {
    return this.#grants.hasPhysical(Buffer.from(term).toString()) ? this.#terms.find(term) : -1
  }

  term(ordinal: number): Uint8Array {
    return this.#terms.term(ordinal)
  }

  docFreq(ordinal: number): number {
    return this.#terms.docFreq(ordinal)
  }

  totalTermFreq(ordinal: number): number {
    return this.#terms.totalTermFreq(ordinal)
  }

  postings(ordinal: number, withPositions: boolean): Postings {
    return this.#terms.postings(ordinal, withPositions)
  }
}

const known = new WeakMap<SegmentReader, Map<FieldGrants, FieldSubsetReader>>()

/** The same reader for the same grants, so that caches last as long as the segment. */
export function fieldSubset(reader: SegmentReader, grants: FieldGrants): FieldSubsetReader {
  let subsets = known.get(reader)
  if (subsets === undefined) known.set(reader, (subsets = new Map()))
  let subset = subsets.get(grants)
  if (subset === undefined) subsets.set(grants, (subset = new FieldSubsetReader(reader, grants)))
  return subset
}
