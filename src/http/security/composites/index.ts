/** The checks of actions in addition to those of the names in the path. */
import type { Composite } from './composite.ts'
import { clearScroll, closePointInTime, scrollPage } from './contexts.ts'
import { changeAliases, createIndex, executeScript, getIndex, modifyDataStreams } from './metadata.ts'
import { multiGet, multiTermVectors, termVectors } from './reads.ts'
import { multiSearch, multiSearchTemplate, query, search, searchTemplate } from './searches.ts'
import { bulk, reindex, updateByQuery, updateDocument, writeDocument } from './writes.ts'

export const COMPOSITES: ReadonlyMap<string, Composite> = new Map<string, Composite>([
  ['indices:data/write/index', writeDocument],
  ['indices:data/write/delete', writeDocument],
  ['indices:data/write/update', updateDocument],
  ['indices:data/write/bulk', bulk],
  ['indices:data/write/reindex', reindex],
  ['indices:data/write/update/byquery', updateByQuery],
  ['indices:data/read/mget', multiGet],
  ['indices:data/read/mtv', multiTermVectors],
  ['indices:data/read/tv', termVectors],
  ['indices:data/read/search', search],
  ['indices:data/read/msearch', multiSearch],
  ['indices:data/read/search/template', searchTemplate],
  ['indices:data/read/msearch/template', multiSearchTemplate],
  ['indices:data/read/explain', query],
  ['indices:data/read/field_caps', query],
  ['indices:data/read/xpack/termsenum/list', query],
  ['indices:data/read/open_point_in_time', query],
  ['indices:data/read/rank_eval', query],
  ['indices:admin/validate/query', query],
  ['indices:data/read/scroll', scrollPage],
  ['indices:data/read/scroll/clear', clearScroll],
  ['indices:data/read/close_point_in_time', closePointInTime],
  ['indices:admin/aliases', changeAliases],
  ['indices:admin/create', createIndex],
  ['indices:admin/get', getIndex],
  ['indices:admin/data_stream/modify', modifyDataStreams],
  ['cluster:admin/scripts/painless/execute', executeScript],
])
