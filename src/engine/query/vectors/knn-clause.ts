/** The grammar of `knn`, which is a query clause and a section of a search. */
import { type ApiError, illegalArgument, xContentParse } from '../../../base/api-error.ts'
import { notSupportedYet } from '../../../base/errors/search-errors.ts'
import { START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { type InnerHitsRequest, parseInnerHits } from '../../request/inner-hits.ts'
import {
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  ACCEPTS_STRING_ARRAY,
  type MemberTable,
  type RequestReader,
} from '../../request/request-reader.ts'
import type { Query } from '../../scoring/query.ts'
import { bytesOfHex } from '../../vectors/read-vector.ts'
import { type ClauseOptions, commonMembers, newOptions, type QueryClause } from '../clause.ts'
import { KnnQuery } from './knn-query.ts'
import { KnnSection } from './knn-section.ts'
import type { KnnRequest } from './neighbour-search.ts'

const CANDIDATES_MAX = 10_000
/** Candidates per neighbour where the request names none. */
const CANDIDATES_PER_NEIGHBOUR = 1.5

interface ParsedKnn {
  field: string | undefined
  vector: readonly number[] | Int8Array | undefined
  k: number | undefined
  candidates: number | undefined
  similarity: number | undefined
  filters: Query[]
  options: ClauseOptions
}

export const knnClause: QueryClause = {
  name: 'knn',
  parse(reader, inner) {
    const parsed = readMembers(reader, inner)
    if (parsed.field === undefined) throw illegalArgument('Required [field]')
    try {
      if (parsed.vector === undefined) {
        throw illegalArgument('either [query_vector] or [query_vector_builder] must be provided')
      }
      return new KnnQuery(requestOf(parsed, parsed.k), parsed.options)
    } catch (error) {
      throw xContentParse('Failed to build [knn] after last required field arrived', { causedBy: error as ApiError })
    }
  },
}

/** Reads a section. `finish` returns its query once the size of the page is known, which is the default of `k`. */
export function readKnnSection(
  reader: RequestReader,
  inner: (reader: RequestReader) => Query,
): (pageSize: number) => KnnSection {
  let innerHits: InnerHitsRequest | undefined
  const parsed = readMembers(reader, inner, {
    inner_hits: { accepts: ACCEPTS_OBJECT, parse: () => (innerHits = parseInnerHits(reader, inner)) },
  })
  if (parsed.field === undefined) throw illegalArgument('Required [field]')
  if (parsed.vector === undefined) {
    throw illegalArgument('either [query_vector_builder] or [query_vector] must be provided')
  }
  return (pageSize) => {
    const k = parsed.k ?? pageSize
    parsed.candidates ??= Math.min(CANDIDATES_MAX, Math.round(CANDIDATES_PER_NEIGHBOUR * k))
    return new KnnSection({ ...requestOf(parsed, k), k }, parsed.options, innerHits)
  }
}

/**
 * Reads a retriever, which has no boost and no inner hits, and whose `extra` members are those of all retrievers. Its query is made
 * later, with the filters of the retrievers around it: mistakes in the numbers are those of the search.
 */
export function readKnnRetriever(
  reader: RequestReader,
  inner: (reader: RequestReader) => Query,
  extra: MemberTable,
): (filters: readonly Query[], name: string | undefined) => KnnSection {
  const parsed = newParsed()
  const { field, k, num_candidates, similarity, rescore_vector, query_vector_builder } = members(reader, inner, parsed)
  // Digits in a text are a number here, not bytes.
  const query_vector = {
    accepts: [...ACCEPTS_STRING_ARRAY, ...ACCEPTS_NUMBER],
    parse: () => {
      const numbers: number[] = []
      reader.each(() => numbers.push(Math.fround(reader.float())))
      parsed.vector = numbers
    },
  }
  const own = {
    field,
    query_vector,
    query_vector_builder,
    k,
    num_candidates,
    similarity,
    rescore_vector,
  } as MemberTable
  reader.parseObject('knn', [own, extra])
  const missing = [
    ...(parsed.field === undefined ? ['field'] : []),
    ...(parsed.k === undefined ? ['k'] : []),
    ...(parsed.candidates === undefined ? ['num_candidates'] : []),
  ]
  if (missing.length > 0) throw illegalArgument(`Required [${missing.join(', ')}]`)
  if (parsed.vector === undefined) {
    const causedBy = illegalArgument('either [query_vector] or [query_vector_builder] must be provided')
    throw xContentParse('Failed to build [knn] after last required field arrived', { causedBy })
  }
  const count = parsed.k!
  return (filters, name) => {
    const request = { ...requestOf({ ...parsed, filters: [...filters] }, count), k: count }
    return new KnnSection(request, { boost: 1, name }, undefined)
  }
}

function requestOf({ field, vector, candidates, similarity, filters }: ParsedKnn, k: number | undefined): KnnRequest {
  if (k !== undefined && k < 1) throw illegalArgument('[k] must be greater than 0')
  if (candidates !== undefined && k !== undefined && candidates < k) {
    throw illegalArgument('[num_candidates] cannot be less than [k]')
  }
  if (candidates !== undefined && candidates > CANDIDATES_MAX) {
    throw illegalArgument(`[num_candidates] cannot exceed [${CANDIDATES_MAX}]`)
  }
  return { field: field!, vector: vector!, k, candidates, similarity, filters }
}

const newParsed = (): ParsedKnn => ({
  field: undefined,
  vector: undefined,
  k: undefined,
  candidates: undefined,
  similarity: undefined,
  filters: [],
  options: newOptions(),
})

function readMembers(reader: RequestReader, inner: (reader: RequestReader) => Query, own: MemberTable = {}): ParsedKnn {
  const parsed = newParsed()
  reader.parseObject('knn', [members(reader, inner, parsed), own])
  return parsed
}

function members(reader: RequestReader, inner: (reader: RequestReader) => Query, parsed: ParsedKnn) {
  return {
    field: { accepts: ACCEPTS_STRING, parse: () => (parsed.field = reader.text()) },
    query_vector: {
      accepts: [...ACCEPTS_STRING_ARRAY, ...ACCEPTS_NUMBER],
      parse: () => (parsed.vector = readVector(reader)),
    },
    k: { accepts: ACCEPTS_NUMBER, parse: () => (parsed.k = reader.integer()) },
    num_candidates: { accepts: ACCEPTS_NUMBER, parse: () => (parsed.candidates = reader.integer()) },
    similarity: { accepts: ACCEPTS_NUMBER, parse: () => (parsed.similarity = Math.fround(reader.float())) },
    filter: { accepts: ACCEPTS_OBJECT_ARRAY, parse: () => readFilters(reader, inner, parsed.filters) },
    rescore_vector: { accepts: ACCEPTS_OBJECT, parse: () => readRescore(reader) },
    query_vector_builder: { accepts: ACCEPTS_OBJECT, parse: () => refuse('query_vector_builder') },
    ...commonMembers(reader, parsed.options),
  }
}

function refuse(member: string): never {
  throw notSupportedYet(member)
}

function readVector(reader: RequestReader): readonly number[] | Int8Array {
  if (reader.is(STRING)) return bytesOfHex(reader.text())
  if (!reader.is(START_ARRAY)) return [Math.fround(reader.float())]
  const numbers: number[] = []
  reader.each(() => numbers.push(Math.fround(reader.float())))
  return numbers
}

function readFilters(reader: RequestReader, inner: (reader: RequestReader) => Query, filters: Query[]): void {
  if (reader.is(START_OBJECT)) filters.push(inner(reader))
  else reader.each(() => filters.push(inner(reader)))
}

/** Scores are exact, so rescoring changes nothing; the value is checked. */
function readRescore(reader: RequestReader): void {
  let oversample: number | undefined
  reader.parseObject('rescore_vector', {
    oversample: { accepts: ACCEPTS_NUMBER, parse: () => (oversample = checkedOversample(reader.float())) },
  })
  if (oversample === undefined) throw illegalArgument('Required [oversample]')
}

function checkedOversample(oversample: number): number {
  if (oversample === 0 || oversample >= 1) return oversample
  const causedBy = illegalArgument('[oversample] must be >= 1.0 or 0')
  throw xContentParse('Failed to build [rescore_vector] after last required field arrived', { causedBy })
}
