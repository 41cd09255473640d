/** The fetch phase: the contents of a hit in the response. Runs only for the hits of the page. */

import { ApiError } from '../../../base/api-error.ts'
import { RawJson } from '../../../base/json/json-writer.ts'
import { newMembers } from '../../../base/json/members.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import { SourceFilter } from '../../mapping/source/source-filter.ts'
import { MatchAllQuery } from '../../query/term-level/match-all.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { SearchGuard } from '../../scoring/search-guard.ts'
import { withScriptIndex } from '../../scripts/script-environment.ts'
import { USES_STORED_FIELDS } from '../../segment/field-usage.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { Highlighter } from '../highlight/highlighter.ts'
import type { FetchProfile } from '../profile/fetch-profile.ts'
import { DocValueFetcher } from './doc-value-fetcher.ts'
import type { FetchedHit, FetchRequest } from './fetched-hit.ts'
import { FieldFetcher } from './field-fetcher.ts'
import { HitDocument } from './hit-document.ts'
import { InnerHitsFetcher, queriesWithInnerHits } from './inner-hits.ts'
import { addMetadata, ignoredFields, metadataNames } from './metadata-values.ts'
import { ScriptFieldFetcher } from './script-fields.ts'

/** 64 bytes of a source count as much as a window of documents: a page of ordinary documents stays within the limits. */
const STEP_SHIFT = 6

/** Prepared once per shard and search, then called per hit. */
export class HitFetcher {
  readonly #request: FetchRequest
  readonly #showSource: boolean
  readonly #filter: SourceFilter
  readonly #fields: FieldFetcher | undefined
  readonly #metadata: readonly string[]
  readonly #index: string
  readonly #docValues: DocValueFetcher | undefined
  readonly #stored: ((name: string) => boolean) | undefined
  readonly #highlighter: Highlighter | undefined
  readonly #guard: SearchGuard | undefined
  /** Whether a part of the response depends on the whole source, beside the source itself. */
  readonly #worksOnText: boolean
  readonly #innerHits: InnerHitsFetcher | undefined
  readonly #profile: FetchProfile | undefined
  readonly #scripts: ScriptFieldFetcher | undefined

  /** `profile` measures each part, if requested. */
  constructor(context: SearchExecutionContext, request: FetchRequest, profile?: FetchProfile) {
    this.#profile = profile
    const { source, storedFields } = request
    this.#request = request
    const scripts = request.scriptFields ?? []
    this.#scripts = scripts.length === 0 ? undefined : new ScriptFieldFetcher(context, scripts)
    // `script_fields` alone hide `_source`, unless the request asks for it.
    const showsAll = storedFields === undefined && this.#scripts === undefined
    // `stored_fields` that name `_source` show it even where `_source` is off.
    const asStored = storedFields !== 'none' && storedFields?.includes('_source') === true
    this.#showSource = asStored || (source?.enabled ?? showsAll)
    const vectors = source?.withoutVectors === true ? vectorFields(context) : []
    this.#filter = new SourceFilter(source?.includes ?? [], [...(source?.excludes ?? []), ...vectors])
    this.#fields =
      request.fields.length === 0 ? undefined : new FieldFetcher(context.mapping, request.fields, context.index)
    this.#metadata = metadataNames(request.fields.map(({ field }) => field))
    this.#index = context.index.name
    this.#docValues =
      request.docvalueFields.length === 0 ? undefined : new DocValueFetcher(context, request.docvalueFields)
    this.#stored = storedNames(context, storedFields)
    const { highlight, query } = request
    this.#highlighter =
      highlight === undefined || highlight.length === 0
        ? undefined
        : new Highlighter(context, highlight, query ?? new MatchAllQuery())
    this.#guard = context.guard
    this.#worksOnText = this.#highlighter !== undefined || this.#fields !== undefined || !this.#filter.isEmpty
    const withInnerHits = [query, request.postFilter].flatMap((part) =>
      part === undefined ? [] : queriesWithInnerHits(part),
    )
    this.#innerHits =
      withInnerHits.length === 0
        ? undefined
        : new InnerHitsFetcher(context, withInnerHits, (inside, of) => new HitFetcher(inside, of))
  }

  /** Whether anything shown comes from the source. */
  get readsSource(): boolean {
    return this.#showSource || this.#fields !== undefined || this.#highlighter?.readsSource === true
  }

  fetch(segment: SegmentView, doc: number): FetchedHit {
    return withScriptIndex(this.#index, () => this.#fetchTimed(segment, doc))
  }

  #fetchTimed(segment: SegmentView, doc: number): FetchedHit {
    if (this.#profile === undefined) return this.#fetch(segment, doc)
    return this.#profile.hit(() => this.#fetch(segment, doc))
  }

  #timed<T>(phase: string, work: () => T): T {
    return this.#profile === undefined ? work() : this.#profile.phase(phase, work)
  }

  #fetch(segment: SegmentView, doc: number): FetchedHit {
    const document = new HitDocument(segment, doc)
    const { reader, root, steps } = document
    const request = this.#request
    this.#spend(document)
    if (steps.length > 0 && request.seqNoPrimaryTerm) throw noSequenceNumbers()
    const isNone = request.storedFields === 'none'
    // Highlighting loads the id of a hit that shows no stored fields, but not its other metadata.
    const showsId = !isNone || steps.length > 0 || this.#highlighter?.hasFields === true
    const showsMetadata = !isNone && steps.length === 0
    const source = this.#showSource
      ? this.#timed('FetchSourcePhase', () => document.shownSource(this.#filter))
      : undefined
    const { fields, ignored_field_values, lookups } = this.#timed('FetchFieldsPhase', () => this.#fieldValues(document))
    return {
      _id: showsId ? reader.id(root) : undefined,
      _version: request.version ? reader.version(root) : undefined,
      _seq_no: request.seqNoPrimaryTerm ? reader.seqNo(root) : undefined,
      _primary_term: request.seqNoPrimaryTerm ? reader.primaryTerm(root) : undefined,
      _routing: showsMetadata ? reader.routing(root) : undefined,
      _ignored: showsMetadata ? ignoredFields(reader, doc) : undefined,
      _source: source === undefined ? undefined : new RawJson(source),
      fields,
      ignored_field_values,
      lookups,
      highlight: this.#highlighter && this.#timed('HighlightPhase', () => this.#highlighter!.highlight(document)),
      nestedSteps: steps,
      innerHits: this.#innerHits ? this.#timed('InnerHitsPhase', () => this.#innerHits!.fetch(segment, doc)) : [],
    }
  }

  /**
   * Counts the work on the text of a document, which may be larger than everything the query had to do: a thread with
   * limits passes the search on, and a search without a client ends.
   */
  #spend(document: HitDocument): void {
    if (this.#guard === undefined || !this.#worksOnText) return
    this.#guard.isOver((document.source?.length ?? 0) >>> STEP_SHIFT)
  }

  #fieldValues(document: HitDocument): Pick<FetchedHit, 'fields' | 'ignored_field_values' | 'lookups'> {
    const { reader, doc, root } = document
    const values: Record<string, unknown[]> = newMembers()
    let ignored: Record<string, unknown[]> = newMembers()
    let lookups: FetchedHit['lookups']
    if (this.#stored !== undefined) {
      for (const [name, kept] of Object.entries(reader.storedFields(doc) ?? {})) {
        if (!this.#stored(name)) continue
        reader.usage?.mark(name, USES_STORED_FIELDS)
        values[name] = kept
      }
    }
    if (this.#fields !== undefined) {
      const fetched = this.#fields.fetch(document.values, reader, root)
      Object.assign(values, fetched.values)
      ignored = fetched.ignored
      lookups = fetched.lookups
    }
    addMetadata(this.#metadata, reader, root, this.#index, values)
    if (this.#docValues !== undefined) {
      this.#timed('FetchDocValuesPhase', () => this.#docValues!.fetch(reader, doc, root, values))
    }
    this.#scripts?.fetch(document.segment, root, values)
    return { fields: unlessEmpty(values), ignored_field_values: unlessEmpty(ignored), lookups }
  }
}

const noSequenceNumbers = () =>
  new ApiError(500, 'unsupported_operation_exception', 'nested documents are not assigned sequence numbers')

function unlessEmpty<T extends object>(object: T): T | undefined {
  return Object.keys(object).length === 0 ? undefined : { ...object }
}

/** The requested stored fields; aliases and patterns are resolved. */
function storedNames(
  context: SearchExecutionContext,
  names: FetchRequest['storedFields'],
): ((name: string) => boolean) | undefined {
  if (names === undefined || names === 'none' || names.length === 0) return undefined
  const patterns = names.map((name) => namePattern(context.mapping.field(name)?.name ?? name))
  return (name) => patterns.some((matches) => matches(name))
}

function vectorFields({ mapping }: SearchExecutionContext): string[] {
  return [...mapping.fieldNames()].filter((name) => {
    const field = mapping.field(name)
    return field?.traits.family === 'vector' || field?.sparseOptions !== undefined
  })
}
