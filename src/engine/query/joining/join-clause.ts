/** The parts that `has_child` and `has_parent` share: finding the relation, and planning the join. */
import { queryShardError } from '../../../base/errors/search-errors.ts'
import type { JoinType } from '../../mapping/field-types/join/join.ts'
import { explained, notMatched, scoreOfDocument } from '../../scoring/explanation.ts'
import {
  checkExpensive,
  matchNothing,
  type Query,
  type SearchExecutionContext,
  type Weight,
} from '../../scoring/query.ts'
import { joinField } from './join-field.ts'
import { JoinedDocuments, type JoinRules } from './joined-documents.ts'

/**
 * The join field if it has the kind on that side of a relation; otherwise a weight that matches nothing, or an error.
 */
export function findRelation(
  context: SearchExecutionContext,
  clause: string,
  side: 'child' | 'parent',
  kind: string,
  ignoreUnmapped: boolean,
): { readonly field: JoinType } | (Weight & { readonly matches: 'none' }) {
  checkExpensive(context, '[joining] queries')
  const nothing = () => ({ ...matchNothing(`${clause} with an unmapped relation`), matches: 'none' as const })
  const field = joinField(context.mapping)
  if (field === undefined) {
    if (ignoreUnmapped) return nothing()
    throw queryShardError(context.index, `[${clause}] no join field has been configured`)
  }
  const isKnown = side === 'child' ? field.parentOf(kind) !== undefined : field.isParent(kind)
  if (isKnown) return { field }
  if (ignoreUnmapped) return nothing()
  throw queryShardError(context.index, `[${clause}] join field [${field.name}] doesn't hold [${kind}] as a ${side}`)
}

/**
 * Documents of `to` that share a parent id with documents of `from`. The statistics of `from` are those of the whole
 * shard.
 */
export function planJoin(context: SearchExecutionContext, from: Query, to: Query, rules: JoinRules): Weight {
  const root = { ...context, nestedScope: undefined }
  const inner = from.plan(root, rules.mode !== 'none', 1)
  const joined = new JoinedDocuments(root, inner, to.plan(root, false, 1), rules)
  return {
    text: () => `LateParsingQuery {joinField=${rules.idField}}`,
    luceneName: 'LateParsingQuery',
    scorer: (segment) => joined.scorer(segment),
    looksAhead: true,
    explain(segment, doc) {
      const score = scoreOfDocument(this, segment, doc)
      if (score === undefined) return notMatched(`Not a match, join value ${joined.joinValue(segment, doc)}`)
      return explained(score, `A match, join value ${joined.joinValue(segment, doc)}`)
    },
  }
}
