/**
 * Term vectors: the terms of a document's fields, their positions in the text, and their frequency in the shard.
 *
 * Term vectors are not stored: the text is in the source, and analyzing it again gives the indexed terms.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, errorBody, illegalArgument, validationFailed } from '../../base/api-error.ts'
import { taskCancelled } from '../../base/errors/task-errors.ts'
import { JsonReader } from '../../base/json/json-reader.ts'
import { Float, type JsonValue } from '../../base/json/json-writer.ts'
import { memberOf, newMembers } from '../../base/json/members.ts'
import { breakers } from '../../base/memory/process-memory.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { shardOfDocument } from '../../base/shard-routing.ts'
import { DEFAULT_POSITION_INCREMENT_GAP } from '../../engine/analysis/analyzer.ts'
import type { AnalysisRegistry } from '../../engine/analysis/registry/analysis-registry.ts'
import { grantedFields } from '../../engine/limits/field-subset-mapping.ts'
import { limitsOf } from '../../engine/limits/read-limits.ts'
import { isNormalized } from '../../engine/mapping/field-traits.ts'
import type { FieldType } from '../../engine/mapping/field-type.ts'
import type { Mapping, MappingJson } from '../../engine/mapping/mapping-api.ts'
import { ScoreQueue } from '../../engine/scoring/score-queue.ts'
import type { ShardView, TermsReader } from '../../engine/segment/segment-reader-api.ts'
import type { ShardHost } from '../shards/shard-host.ts'
import type { DocumentNames, DocumentService, ReadTarget } from './document-service.ts'
import { type TermVectorsRequest, termVectorsProblems } from './term-vectors-request.ts'

/** The parts of the node that the service uses. */
export interface TermVectorSources {
  readonly documents: DocumentService
  readonly host: ShardHost
  readonly readTarget: DocumentNames['readTarget']
  /** Mapping and analyzers of an index. Throws if it was deleted meanwhile. */
  index(target: ReadTarget): { mapping: Mapping; analysis: AnalysisRegistry }
}

interface TermEntry {
  termFreq: number
  readonly tokens: { position: number; start: number; end: number }[]
}

function shardOf(request: TermVectorsRequest, target: ReadTarget): number {
  return shardOfDocument(target, request.id ?? '', request.routing)
}

/** What fails while the document is read is the cause of a failure of the shard. */
function inShard({ id }: TermVectorsRequest, error: ApiError): ApiError {
  const isConflict = error.type === 'version_conflict_engine_exception'
  if (id !== '' && !isConflict) return error
  const causes = isConflict ? { causedBy: error, rootCauses: [error] } : { causedBy: error }
  return new ApiError(400, 'exception', 'failed to execute term vector request', causes)
}

/** An object for a token of an answer, and its text. */
const TOKEN_BYTES = 120

function tokensIn({ term_vectors: vectors }: Record<string, JsonValue>): number {
  let count = 1
  for (const field of Object.values(
    (vectors ?? {}) as Record<string, { terms: Record<string, { term_freq: number }> }>,
  )) {
    for (const term in field.terms) count += 1 + field.terms[term]!.term_freq
  }
  return count
}

export class TermVectorService {
  readonly #sources: TermVectorSources

  constructor(sources: TermVectorSources) {
    this.#sources = sources
  }

  async get(request: TermVectorsRequest): Promise<Record<string, JsonValue>> {
    const problems = termVectorsProblems(request.id, request.doc)
    if (problems.length > 0) throw validationFailed(...problems)
    const startedAtMs = performance.now()
    const target = this.#sources.readTarget(request.index!)
    const found = request.doc === undefined ? await this.#stored(request) : { source: request.doc, version: 0 }
    const took = Math.round(performance.now() - startedAtMs)
    const head = { _index: target.indexName, _id: request.id, _version: found?.version ?? 0 }
    if (found === undefined) return { ...head, found: false, took }
    const shard = shardOf(request, target)
    await this.#sources.host.wake?.({ indexUuid: target.indexUuid, shard })
    return { ...head, found: true, took, term_vectors: this.#vectors(request, target, shard, found.source) }
  }

  /**
   * Answers each request separately; a failure takes the place of its response. Each document is a turn of its own,
   * because its text may be long, and a request without a client ends. `release` gives back the memory of the answer.
   */
  async getAll(
    requests: readonly TermVectorsRequest[],
    refuse?: (index: string) => ApiError | undefined,
    isGone: () => boolean = () => false,
  ): Promise<{ docs: Record<string, JsonValue>[]; release: () => void }> {
    const docs: Record<string, JsonValue>[] = []
    const memory = breakers().request.claim('<term_vectors>')
    let bytes = 0
    try {
      for (const request of requests) {
        if (isGone()) throw taskCancelled()
        const doc = await this.#one(request, refuse)
        bytes += TOKEN_BYTES * tokensIn(doc)
        memory.resize(bytes)
        docs.push(doc)
        await nextTurn()
      }
    } catch (error) {
      memory.release()
      throw error
    }
    return { docs, release: () => memory.release() }
  }

  async #one(
    request: TermVectorsRequest,
    refuse: ((index: string) => ApiError | undefined) | undefined,
  ): Promise<Record<string, JsonValue>> {
    try {
      const refused = request.index === undefined ? undefined : refuse?.(request.index)
      if (refused !== undefined) throw refused
      return await this.get(request)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { _index: request.index, _id: request.id, error: errorBody(inShard(request, error)).error }
    }
  }

  async #stored(
    request: TermVectorsRequest,
  ): Promise<{ source: Record<string, unknown>; version: number } | undefined> {
    const { index, id, routing, realtime, version, limits } = request
    const found = await this.#sources.documents.read({
      index: index!,
      id: id!,
      routing,
      realtime,
      refresh: false,
      version,
      sourceFilter: undefined,
      storedFields: undefined,
      limits,
    })
    if (found === undefined) return undefined
    const reader = new JsonReader().reset(Uint8Array.from(found.source ?? Buffer.from('{}')))
    reader.next()
    return { source: reader.value() as Record<string, unknown>, version: found.version }
  }

  #vectors(request: TermVectorsRequest, target: ReadTarget, shard: number, source: Record<string, unknown>): JsonValue {
    const { mapping: whole, analysis } = this.#sources.index(target)
    const mapping = grantedFields(whole, limitsOf(request.limits, target.reachedBy))
    const held = this.#sources.host.holdView({ indexUuid: target.indexUuid, shard })
    try {
      const vectors: Record<string, JsonValue> = newMembers()
      for (const type of selectFields(request, mapping)) {
        const terms = analyzeField(type, source, memberOf(request.perFieldAnalyzer, type.name), analysis)
        if (terms.size > 0) vectors[type.name] = printField(request, terms, fieldStatistics(held.view, type.name))
      }
      return { ...vectors }
    } finally {
      held.release()
    }
  }
}

function selectFields(request: TermVectorsRequest, mapping: Mapping): FieldType[] {
  const matchers = request.fields?.map(namePattern)
  const json = mapping.toJson()
  const selected: FieldType[] = []
  for (const name of [...mapping.fieldNames()].sort()) {
    const type = mapping.field(name)
    if (type === undefined || type.name !== name || !type.indexed) continue
    if (type.shape !== 'text' && type.shape !== 'term') continue
    const wanted =
      matchers !== undefined
        ? matchers.some((matches) => matches(name))
        : request.doc !== undefined || keepsTermVectors(json, name.split('.'))
    if (wanted) selected.push(type)
  }
  return selected
}

/** Whether the definition of a field has `term_vector`. */
function keepsTermVectors(definition: MappingJson, path: readonly string[]): boolean {
  const [first, ...rest] = path
  if (first === undefined) return definition['term_vector'] !== undefined && definition['term_vector'] !== 'no'
  const children = { ...(definition['properties'] as MappingJson), ...(definition['fields'] as MappingJson) }
  const child = children[first] as MappingJson | undefined
  return child !== undefined && keepsTermVectors(child, rest)
}

function analyzeField(
  type: FieldType,
  source: Record<string, unknown>,
  analyzerName: string | undefined,
  analysis: AnalysisRegistry,
): Map<string, TermEntry> {
  const terms = new Map<string, TermEntry>()
  const isText = type.shape === 'text'
  const analyzer = analysis.analyzer(analyzerName ?? (isText ? (type.analyzerName ?? 'default') : 'keyword'))
  if (analyzer === undefined) {
    const causedBy = illegalArgument('analyzer must not be null')
    throw new ApiError(400, 'exception', 'failed to execute term vector request', { causedBy })
  }
  const isNormalizing = analyzerName === undefined && isNormalized(type.traits)
  let position = 0
  let offset = 0
  for (const text of valuesAt(source, type.sourcePath.split('.'))) {
    let last = -1
    for (const token of analyzer.tokens(text)) {
      const term = isNormalizing ? indexedText(type, token.term) : token.term
      let entry = terms.get(term)
      if (entry === undefined) terms.set(term, (entry = { termFreq: 0, tokens: [] }))
      entry.termFreq++
      last = token.position
      entry.tokens.push({
        position: position + token.position,
        start: offset + token.startOffset,
        end: offset + token.endOffset,
      })
    }
    position += last + 1 + (isText ? DEFAULT_POSITION_INCREMENT_GAP : 0)
    offset += text.length + 1
  }
  return terms
}

/** A text as a normalizer of the field leaves it. */
function indexedText(type: FieldType, text: string): string {
  const term = type.termValue(text)
  return term instanceof Uint8Array ? Buffer.from(term).toString() : text
}

/** The texts at a path, through objects, arrays and dotted names. */
function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path))
  if (path.length === 0) return value === null || typeof value === 'object' ? [] : [String(value)]
  if (typeof value !== 'object' || value === null) return []
  const object = value as Record<string, unknown>
  const found: string[] = []
  for (let parts = 1; parts <= path.length; parts++) {
    const name = path.slice(0, parts).join('.')
    if (Object.hasOwn(object, name)) found.push(...valuesAt(object[name], path.slice(parts)))
  }
  return found
}

interface FieldStatistics {
  readonly sumDocFreq: number
  readonly docCount: number
  readonly sumTotalTermFreq: number
  readonly readers: readonly TermsReader[]
}

function fieldStatistics(view: ShardView, field: string): FieldStatistics {
  const readers = view.segments.map(({ reader }) => reader.terms(field)).filter((terms) => terms !== undefined)
  const sum = (count: (terms: TermsReader) => number) => readers.reduce((total, terms) => total + count(terms), 0)
  return {
    readers,
    sumDocFreq: sum((terms) => terms.sumDocFreq),
    docCount: sum((terms) => terms.docCount),
    sumTotalTermFreq: sum((terms) => terms.sumTotalTermFreq),
  }
}

function termStatistics({ readers }: FieldStatistics, term: string): { docFreq: number; totalTermFreq: number } {
  const bytes = Buffer.from(term)
  let docFreq = 0
  let totalTermFreq = 0
  for (const terms of readers) {
    const ordinal = terms.find(bytes)
    if (ordinal < 0) continue
    docFreq += terms.docFreq(ordinal)
    totalTermFreq += terms.totalTermFreq(ordinal)
  }
  return { docFreq, totalTermFreq }
}

function printField(
  request: TermVectorsRequest,
  terms: Map<string, TermEntry>,
  statistics: FieldStatistics,
): JsonValue {
  const scores = request.filter === undefined ? undefined : keptTerms(request.filter, terms, statistics)
  const printed: Record<string, JsonValue> = newMembers()
  for (const [term, entry] of inByteOrder(terms)) {
    const score = scores?.get(term)
    if (scores !== undefined && score === undefined) continue
    const { docFreq, totalTermFreq } = request.termStatistics
      ? termStatistics(statistics, term)
      : { docFreq: 0, totalTermFreq: 0 }
    printed[term] = {
      doc_freq: docFreq > 0 ? docFreq : undefined,
      ttf: docFreq > 0 ? totalTermFreq : undefined,
      term_freq: entry.termFreq,
      tokens:
        request.positions || request.offsets ? entry.tokens.map((token) => printToken(request, token)) : undefined,
      score: score === undefined ? undefined : new Float(score),
    }
  }
  const { sumDocFreq, docCount, sumTotalTermFreq } = statistics
  return {
    field_statistics: request.fieldStatistics
      ? { sum_doc_freq: sumDocFreq, doc_count: docCount, sum_ttf: sumTotalTermFreq }
      : undefined,
    terms: printed,
  }
}

function printToken(
  { positions, offsets }: TermVectorsRequest,
  { position, start, end }: { position: number; start: number; end: number },
): JsonValue {
  return {
    position: positions ? position : undefined,
    start_offset: offsets ? start : undefined,
    end_offset: offsets ? end : undefined,
  }
}

/** The terms with the highest scores: term frequency times Lucene's classic inverse document frequency. */
function keptTerms(
  filter: NonNullable<TermVectorsRequest['filter']>,
  terms: Map<string, TermEntry>,
  statistics: FieldStatistics,
): Map<string, number> {
  // A field without terms in the shard has the statistics of the document alone.
  const isKnown = statistics.readers.length > 0
  const docCount = isKnown ? statistics.docCount : 1
  const queue = new ScoreQueue<{ term: string; score: number }>(Math.min(filter.maxNumTerms, terms.size))
  for (const [term, { termFreq }] of inByteOrder(terms)) {
    const docFreq = isKnown ? termStatistics(statistics, term).docFreq : 1
    if (termFreq < filter.minTermFreq || termFreq > filter.maxTermFreq) continue
    if (docFreq < filter.minDocFreq || docFreq > filter.maxDocFreq) continue
    if (term.length < filter.minWordLength || term.length > filter.maxWordLength) continue
    const idf = Math.fround(Math.log((docCount + 1) / (docFreq + 1)) + 1)
    queue.offer({ term, score: Math.fround(termFreq * idf) })
  }
  return new Map(queue.drain().map(({ term, score }) => [term, score]))
}

function inByteOrder(terms: Map<string, TermEntry>): [string, TermEntry][] {
  const keyed = [...terms].map((entry) => ({ entry, key: Buffer.from(entry[0]) }))
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ entry }) => entry)
}
