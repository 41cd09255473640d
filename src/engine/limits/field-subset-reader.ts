/**
 * A segment with some of its fields only. It looks to queries, aggregations, scripts and the fetch phase as if no
 * document had a value in the other fields. Caches are kept per reader object, so that one caller's limits never show in
 * another's results.
 */
import { borrowed, copyOfLent, type LentBytes, lentBytes } from '../../base/memory/lent-bytes.ts'
import { derivedDocValues } from '../document/derived-doc-values.ts'
import { computedField } from '../segment/doc-values/computed-field.ts'
import type { FieldUsage } from '../segment/field-usage.ts'
import type {
  BinaryDocValues,
  GeoDocValues,
  NestedDocs,
  NumericDocValues,
  OrderedIndex,
  SegmentReader,
  SortedSetDocValues,
  TermsReader,
} from '../segment/segment-reader-api.ts'
import type { FieldGrants } from './field-grants.ts'
import { FlattenedSubset, flattenedPath } from './flattened-subset.ts'
import { GrantedNames } from './granted-names.ts'
import type { ListedPostings } from './listed-postings.ts'

/** Lists, for each document, the fields without doc values and norms that it has. */
const FIELD_NAMES = '_field_names'

export class FieldSubsetReader implements SegmentReader {
  readonly #reader: SegmentReader
  readonly #grants: FieldGrants
  readonly name: string
  readonly docCount: number
  readonly rootCount: number
  readonly #stored: ReadonlySet<string>
  /** By path; undefined for what only looks like a flattened field. */
  readonly #flattened = new Map<string, FlattenedSubset | undefined>()
  #fieldNames: readonly string[] | undefined

  constructor(reader: SegmentReader, grants: FieldGrants) {
    this.#reader = reader
    this.#grants = grants
    this.name = reader.name
    this.docCount = reader.docCount
    this.rootCount = reader.rootCount
    this.#stored = new Set(reader.fieldNames)
  }

  get fieldNames(): readonly string[] {
    this.#fieldNames ??= this.#reader.fieldNames.filter((name) => this.hasPhysical(name))
    return this.#fieldNames
  }

  /** Whether the caller may read anything in a physical field of the segment. */
  hasPhysical(name: string): boolean {
    return this.#flattenedField(name)?.has(name) ?? this.#grants.hasPhysical(name)
  }

  visibleDocs(name: string): ListedPostings | undefined {
    return this.#flattenedField(name)?.docs()
  }

  #flattenedField(name: string): FlattenedSubset | undefined {
    const path = flattenedPath(name, this.#stored)
    if (path === undefined) return undefined
    let subset = this.#flattened.get(path)
    if (subset === undefined && !this.#flattened.has(path)) {
      subset = FlattenedSubset.of(this.#reader, path, this.#grants)
      this.#flattened.set(path, subset)
    }
    return subset
  }

  get usage(): FieldUsage | undefined {
    return this.#reader.usage
  }

  terms(field: string): TermsReader | undefined {
    const flattened = this.#flattenedField(field)
    if (flattened !== undefined) return flattened.terms(field)
    if (!this.#grants.hasPhysical(field)) return undefined
    const terms = this.#reader.terms(field)
    return field === FIELD_NAMES && terms !== undefined ? new GrantedNames(terms, this.docCount, this) : terms
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
    const derived = derivedDocValues(field)
    const flattened = this.#flattenedField(derived?.kind === 'keyed' ? derived.field : field)
    if (flattened === undefined) {
      return this.#grants.hasPhysical(field) ? this.#reader.sortedSetDocValues(field) : undefined
    }
    if (derived?.kind !== 'keyed') return flattened.sortedSetDocValues(field)
    return flattened.hasKey(derived.key) ? this.#reader.sortedSetDocValues(field) : undefined
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
    const source = this.sourceView(doc)
    return source && copyOfLent(source)
  }

  /** A filtered source is a copy anyway. */
  sourceView(doc: number, again?: boolean): LentBytes | undefined {
    const source = this.#reader.sourceView(doc, again)
    return source && lentBytes(this.#grants.source(borrowed(source)))
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

const known = new WeakMap<SegmentReader, Map<FieldGrants, FieldSubsetReader>>()

/** The same reader for the same grants, so that caches last as long as the segment. */
export function fieldSubset(reader: SegmentReader, grants: FieldGrants): FieldSubsetReader {
  let subsets = known.get(reader)
  if (subsets === undefined) known.set(reader, (subsets = new Map()))
  let subset = subsets.get(grants)
  if (subset === undefined) subsets.set(grants, (subset = new FieldSubsetReader(reader, grants)))
  return subset
}
