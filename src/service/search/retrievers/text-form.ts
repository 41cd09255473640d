/** The short form of `rrf` and `linear`: one text, searched in fields of one index, in place of child retrievers. */
import { illegalArgument } from '../../../base/api-error.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import { parseQueryBody } from '../../../engine/query/parse-query.ts'
import type { Reach } from '../shards/reach.ts'
import { indexNames } from '../shards/shard-search.ts'
import type { CompoundRetriever, StandardRetriever } from './retriever.ts'

/** The retriever with the children that its short form stands for. */
export function withChildren(retriever: CompoundRetriever, { shards }: Reach): CompoundRetriever {
  if ((retriever.kind !== 'rrf' && retriever.kind !== 'linear') || retriever.query === undefined) return retriever
  const { kind, fields, query } = retriever
  if (indexNames(shards).length > 1) {
    throw illegalArgument(`[${kind}] cannot specify [query] when querying multiple indices`)
  }
  for (const field of fields ?? []) checkWeight(kind, Number(field.split('^')[1] ?? 1))
  const match = { query, type: 'most_fields', ...(fields === undefined ? {} : { fields }) }
  const child: StandardRetriever = {
    kind: 'standard',
    options: { name: undefined, minScore: undefined, filters: [] },
    query: parseQueryBody(encodeJson({ multi_match: match })),
    searchAfter: undefined,
    terminateAfter: 0,
    sort: undefined,
    collapse: undefined,
  }
  // Elasticsearch loses the name and the least score of the retriever here.
  const options = { ...retriever.options, name: undefined, minScore: undefined }
  const whole = { ...retriever, options, children: [child] }
  return whole.kind === 'rrf' ? whole : { ...whole, weights: [1], normalizers: [whole.normalizer!] }
}

function checkWeight(kind: 'rrf' | 'linear', weight: number): void {
  if (kind === 'rrf' && weight !== 1) throw illegalArgument('[rrf] does not support per-field weights in [fields]')
  if (weight < 0) throw illegalArgument('[linear] per-field weights must be non-negative')
}
