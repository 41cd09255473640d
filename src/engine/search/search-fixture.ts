/** Test helper: a shard made of plain documents, one segment per batch, searched with request bodies. */
import { AnalysisRegistry } from '../analysis/registry/analysis-registry.ts'
import { ParsedDocument } from '../document/parsed-document.ts'
import { JsonDocumentParser } from '../mapping/documents/document-parser.ts'
import { parseMapping } from '../mapping/mapping.ts'
import type { MappingJson } from '../mapping/mapping-api.ts'
import { mappingLimits } from '../mapping/mapping-context.ts'
import { Arena } from '../memory/arena.ts'
import { parseQuery, parseQueryBody } from '../query/parse-query.ts'
import { RequestReader } from '../request/request-reader.ts'
import { parseSort, type SortSpec } from '../request/sort/sort-spec.ts'
import { inSearch } from '../running/running-search.ts'
import type { SearchExecutionContext } from '../scoring/query.ts'
import { WriteBuffer } from '../segment/buffer/write-buffer.ts'
import type { IndexSortField } from '../segment/index-sort.ts'
import { memoryFile } from '../segment/segment-fixture.ts'
import { openSegment } from '../segment/segment-reader.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { sealSegment } from '../segment/segment-writer.ts'
import { executeSearch, type ShardSearchRequest, type ShardSearchResult } from './execute-search.ts'

export interface TestDocument {
  readonly id: string
  readonly source: Record<string, unknown>
  /** Deleted after it was written: counts for statistics, is never found. */
  readonly deleted?: boolean
}

/** A shard with a segment per batch. Documents do not extend the mapping. */
export function openTestShard(
  properties: MappingJson,
  batches: readonly (readonly TestDocument[])[],
  options: { indexSort?: readonly IndexSortField[] } = {},
): SearchExecutionContext {
  const analysis = AnalysisRegistry.fromSettings({})
  const mapping = parseMapping({ dynamic: false, properties }, { analysis, limits: mappingLimits({}) })
  const parser = new JsonDocumentParser()
  const parsed = new ParsedDocument()
  const arena = Arena.create(64 << 20)
  const segments: SegmentView[] = []
  let docBase = 0
  let seqNo = 0
  batches.forEach((batch, index) => {
    const buffer = new WriteBuffer(options)
    for (const { id, source, deleted } of batch) {
      const bytes = Buffer.from(JSON.stringify(source))
      parsed.reset()
      parser.parse(mapping, bytes, 0, bytes.length, { id, routing: undefined }, parsed)
      const meta = { idBytes: Buffer.from(id), seqNo: seqNo++, version: 1, primaryTerm: 1, routing: undefined }
      const doc = buffer.add(parsed, mapping.schemas, meta, bytes)
      if (deleted === true) buffer.delete(doc)
    }
    const sealed = sealSegment(buffer, { nestedPaths: mapping.nestedPaths })
    const reader = openSegment(memoryFile(`segment-${index}`, sealed.chunks), arena)
    segments.push({ reader, live: sealed.live, liveCount: buffer.liveRoots, docBase })
    docBase += reader.docCount
  })
  return {
    mapping,
    view: { generation: 1, segments, liveRoots: segments.reduce((sum, { liveCount }) => sum + liveCount, 0) },
    counted: segments,
    limits: {
      maxResultWindow: 10_000,
      maxTermsCount: 65_536,
      maxRegexLength: 1_000,
      maxDocvalueFields: 100,
      maxRescoreWindow: 10_000,
      maxAnalyzedOffset: 1_000_000,
      maxInnerResultWindow: 100,
      maxScriptFields: 32,
    },
    nowMs: Date.UTC(2024, 0, 1),
    index: { name: 'test', uuid: 'test-uuid' },
    shard: 0,
    analyzer: (name) => analysis.analyzer(name),
    similarity: () => ({ k1: 1.2, b: 0.75 }),
  }
}

export interface TestSearch {
  readonly query?: unknown
  readonly sort?: unknown
  readonly size?: number
}

export function runSearch(
  context: SearchExecutionContext,
  search: TestSearch,
  options: Partial<ShardSearchRequest> = {},
): ShardSearchResult {
  return inSearch({ guard: context.guard }, () => executeSearch(context, searchRequest(search, options)))
}

export function searchRequest(search: TestSearch, options: Partial<ShardSearchRequest> = {}): ShardSearchRequest {
  return {
    query: parseQueryBody(Buffer.from(JSON.stringify(search.query ?? { match_all: {} }))),
    filters: [],
    postFilter: undefined,
    minScore: undefined,
    window: search.size ?? 100,
    sort: search.sort === undefined ? undefined : readSort(search.sort),
    trackScores: false,
    boost: 1,
    terminateAfter: undefined,
    rescores: [],
    collapse: undefined,
    ...options,
  }
}

/** Ids of the hits, best first. */
export function hitIds(context: SearchExecutionContext, search: TestSearch): string[] {
  return runSearch(context, search).hits.map(({ segment, doc }) => context.view.segments[segment]!.reader.id(doc))
}

function readSort(sort: unknown): SortSpec[] {
  const reader = new RequestReader(Buffer.from(JSON.stringify(sort)))
  reader.next()
  return parseSort(reader, parseQuery)
}
