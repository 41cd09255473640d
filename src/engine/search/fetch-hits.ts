/** The fetch phase: what a winning document carries in the answer. Runs for the hits of the page only. */
import { JsonReader } from '../../base/json/json-reader.ts'
import { RawJson } from '../../base/json/json-writer.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { SourceFilter } from '../mapping/source-filter.ts'
import type { ShardQueryContext } from '../query/query.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { DocValueFetcher } from './doc-value-fetcher.ts'
import { type FieldAndFormat, FieldFetcher } from './field-fetcher.ts'
import type { SourceObject } from './source-values.ts'

export interface FetchRequest {
  /** Whether `_source` is shown, and which parts of it; undefined shows it unless stored fields were asked for. */
  readonly source:
    | { readonly enabled: boolean; readonly includes: readonly string[]; readonly excludes: readonly string[] }
    | undefined
  /** Undefined: nothing said. `none` leaves out even the id. */
  readonly storedFields: readonly string[] | 'none' | undefined
  readonly docvalueFields: readonly FieldAndFormat[]
  readonly fields: readonly FieldAndFormat[]
  readonly version: boolean
  readonly seqNoPrimaryTerm: boolean
}

/** The members of a hit that come from the document, in the order of the answer. Undefined ones are left out. */
export interface FetchedHit {
  readonly _id: string | undefined
  readonly _version: number | undefined
  readonly _seq_no: number | undefined
  readonly _primary_term: number | undefined
  readonly _routing: string | undefined
  readonly _ignored: readonly string[] | undefined
  readonly _source: RawJson | undefined
  readonly fields: Record<string, unknown[]> | undefined
  readonly ignored_field_values: Record<string, unknown[]> | undefined
}

/** Prepared once per shard and search, then asked hit by hit. */
export class HitFetcher {
  readonly #request: FetchRequest
  readonly #showSource: boolean
  readonly #filter: SourceFilter
  readonly #fields: FieldFetcher | undefined
  readonly #docValues: DocValueFetcher | undefined
  readonly #stored: ((name: string) => boolean) | undefined

  constructor(context: ShardQueryContext, request: FetchRequest) {
    const { source, storedFields } = request
    this.#request = request
    this.#showSource = source?.enabled ?? (storedFields === undefined || storedFields.includes('_source'))
    this.#filter = new SourceFilter(source?.includes ?? [], source?.excludes ?? [])
    this.#fields = request.fields.length === 0 ? undefined : new FieldFetcher(context.mapping, request.fields)
    this.#docValues =
      request.docvalueFields.length === 0 ? undefined : new DocValueFetcher(context, request.docvalueFields)
    this.#stored = storedNames(context, storedFields)
  }

  fetch(reader: SegmentReader, doc: number): FetchedHit {
    const request = this.#request
    const bare = request.storedFields === 'none'
    const source = this.#showSource || this.#fields !== undefined ? reader.source(doc) : undefined
    return {
      _id: bare ? undefined : reader.id(doc),
      _version: request.version ? reader.version(doc) : undefined,
      _seq_no: request.seqNoPrimaryTerm ? reader.seqNo(doc) : undefined,
      _primary_term: request.seqNoPrimaryTerm ? reader.primaryTerm(doc) : undefined,
      _routing: bare ? undefined : reader.routing(doc),
      _ignored: bare ? undefined : ignoredFields(reader, doc),
      _source: this.#showSource && source !== undefined ? new RawJson(this.#filter.apply(source)) : undefined,
      ...this.#fieldValues(reader, doc, source),
    }
  }

  #fieldValues(
    reader: SegmentReader,
    doc: number,
    source: Uint8Array | undefined,
  ): Pick<FetchedHit, 'fields' | 'ignored_field_values'> {
    const values: Record<string, unknown[]> = {}
    let ignored: Record<string, unknown[]> = {}
    if (this.#stored !== undefined) {
      for (const [name, kept] of Object.entries(reader.storedFields(doc) ?? {})) {
        if (this.#stored(name)) values[name] = kept
      }
    }
    if (this.#fields !== undefined && source !== undefined) {
      const fetched = this.#fields.fetch(parse(source))
      Object.assign(values, fetched.values)
      ignored = fetched.ignored
    }
    this.#docValues?.fetch(reader, doc, values)
    return { fields: unlessEmpty(values), ignored_field_values: unlessEmpty(ignored) }
  }
}

function unlessEmpty<T extends object>(object: T): T | undefined {
  return Object.keys(object).length === 0 ? undefined : object
}

/** Which stored fields are wanted; aliases and patterns count. */
function storedNames(
  context: ShardQueryContext,
  names: FetchRequest['storedFields'],
): ((name: string) => boolean) | undefined {
  if (names === undefined || names === 'none' || names.length === 0) return undefined
  const patterns = names.map((name) => namePattern(context.mapping.field(name)?.name ?? name))
  return (name) => patterns.some((matches) => matches(name))
}

function parse(source: Uint8Array): SourceObject {
  const reader = new JsonReader().reset(Uint8Array.from(source))
  reader.next()
  return reader.value() as SourceObject
}

function ignoredFields(reader: SegmentReader, doc: number): readonly string[] | undefined {
  const column = reader.termColumn('_ignored')
  if (!column?.has(doc)) return undefined
  const names: string[] = []
  for (let slot = column.start(doc); slot < column.end(doc); slot++) {
    names.push(Buffer.from(column.term(column.ordinalAt(slot))).toString())
  }
  return names
}
