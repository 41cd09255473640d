/** The body of a get: `{_index, _id, _version, _seq_no, _primary_term, _routing?, found, _source?, fields?}`. */
import { RawJson } from '../../base/json/json-writer.ts'
import { SourceFilter as SourceFilterWalk } from '../../engine/mapping/source/source-filter.ts'
import type { GetAnswer, SourceFilter } from '../shards/shard-host.ts'
import type { DocumentGet } from './document-requests.ts'

export function foundBody(indexName: string, request: DocumentGet, found: GetAnswer): Record<string, unknown> {
  const source = shownSource(request, found)
  const fields = found.storedFields
  return {
    _index: indexName,
    _id: request.id,
    _version: found.version,
    _seq_no: found.seqNo,
    _primary_term: found.primaryTerm,
    _ignored: request.storedFields?.includes('_ignored') && found.ignored.length > 0 ? found.ignored : undefined,
    _routing: readsStoredFields(request) ? found.routing : undefined,
    found: true,
    _source: source === undefined ? undefined : new RawJson(source),
    fields: fields === undefined || Object.keys(fields).length === 0 ? undefined : fields,
  }
}

export function notFoundBody(indexName: string, id: string): Record<string, unknown> {
  return { _index: indexName, _id: id, found: false }
}

/** Without `_source` and stored fields the document is not read, not even its routing. */
function readsStoredFields({ sourceFilter, storedFields }: DocumentGet): boolean {
  return storedFields !== undefined || sourceFilter?.enabled !== false
}

/** Requesting stored fields hides the source unless `_source` is also requested. */
function shownSource(request: DocumentGet, found: GetAnswer): Uint8Array | undefined {
  if (found.source === undefined) return undefined
  const { sourceFilter, storedFields } = request
  if (sourceFilter === undefined) {
    return storedFields === undefined || storedFields.includes('_source') ? found.source : undefined
  }
  return sourceFilter.enabled ? filteredSource(found.source, sourceFilter) : undefined
}

export function filteredSource(source: Uint8Array, filter: SourceFilter | undefined): Uint8Array {
  return filter === undefined ? source : new SourceFilterWalk(filter.includes, filter.excludes).apply(source)
}
