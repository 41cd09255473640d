/**
 * Searches that match nothing by what they ask for, such as `terms` without values. With several shards and a sort by a field,
 * Elasticsearch searches none of them then, and says so: the best score is 0, and all shards are skipped. OpenSearch always
 * searches one.
 */
import { Double } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'
import type { RewrittenSearch } from './search-rewrite.ts'

const SKIPS_ALL = /"?max_score"? ?: ?0\.0/

/** Whether the answer of an index without documents tells that no shard was searched. */
export function skipsAllShards(answer: Buffer): boolean {
  return SKIPS_ALL.test(answer.toString('latin1', 0, 1000))
}

/** Adds the change of the answer to a plan, after all its other changes. */
export function withoutShards(request: JsonObject, plan: RewrittenSearch | undefined): RewrittenSearch {
  const { names = [], conditional = [], amend } = plan ?? {}
  return {
    ...(plan ?? { request }),
    names: [...names, 'no_match'],
    conditional,
    amend: (answer) => amended(amend?.(answer) ?? answer),
    isNeeded: undefined,
  }
}

function amended(answer: JsonObject): JsonObject {
  const { hits, _shards: shards } = answer
  if (!isObject(hits) || !Array.isArray(hits['hits']) || hits['hits'].length > 0 || !isNone(hits['total']))
    return answer
  const skipped = isObject(shards) && shards['failed'] === 0 ? { ...shards, skipped: shards['total'] } : shards
  return {
    ...answer,
    ...(skipped === undefined ? {} : { _shards: skipped }),
    hits: { ...hits, max_score: new Double(0) },
  }
}

function isNone(total: unknown): boolean {
  return total === undefined || total === 0 || (isObject(total) && total['value'] === 0)
}
