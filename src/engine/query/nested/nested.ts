/** `nested`: documents with a matching nested object; the objects' scores are combined to their root's. */

import { illegalArgument, illegalRequestState } from '../../../base/api-error.ts'
import { unknownChildScoreMode } from '../../../base/errors/query-errors.ts'
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../../base/json/json-reader.ts'
import { type InnerHitsRequest, parseInnerHits } from '../../request/inner-hits.ts'
import { type Explanation, explainConstant, explained, notMatched, scoreOfDocument } from '../../scoring/explanation.ts'
import { KEPT_LATER } from '../../scoring/filter-cache.ts'
import {
  checkExpensive,
  filterText,
  matchNothing,
  type Query,
  type SearchExecutionContext,
  type Weight,
} from '../../scoring/query.ts'
import { type NestedLevels, type NestedScoreMode, nestedScorer } from '../../scoring/scorers/nested-scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { amongObjects, reachesOthers } from './nested-objects.ts'

export interface NestedSettings {
  scoreMode?: NestedScoreMode
  ignoreUnmapped?: boolean
  /** The matching objects are listed with the hit. */
  innerHits?: InnerHitsRequest
}

export class NestedQuery extends QueryNode {
  override readonly kind = 'nested'
  readonly path: string
  readonly query: Query
  readonly scoreMode: NestedScoreMode
  readonly ignoreUnmapped: boolean
  readonly innerHits: InnerHitsRequest | undefined

  constructor(path: string, query: Query, settings: NestedSettings = {}, options: ClauseOptions = newOptions()) {
    super(options)
    this.path = path
    this.query = query
    this.scoreMode = settings.scoreMode ?? 'avg'
    this.ignoreUnmapped = settings.ignoreUnmapped ?? false
    this.innerHits = settings.innerHits
  }

  children(): readonly Query[] {
    return [this.query]
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    if (context.mapping.objectKind(this.path) !== 'nested') {
      if (this.ignoreUnmapped) return matchNothing('')
      const reason = `[nested] failed to find nested object under path [${this.path}]`
      throw illegalRequestState(reason)
    }
    checkExpensive(context, '[joining] queries')
    const scored = scoring && this.scoreMode !== 'none'
    const inside = { ...context, nestedScope: this.path, nestedParent: context.nestedScope }
    const planned = this.query.plan(inside, scored, scored ? boost : 1)
    const isInside = (field: string) => `${context.mapping.field(field)?.nestedPath}.`.startsWith(`${this.path}.`)
    const inner = reachesOthers(planned, isInside) ? amongObjects(planned, this.path) : planned
    const levels = { path: this.path, scope: context.nestedScope }
    const mode = scored ? this.scoreMode : 'none'
    return {
      field: this.path,
      text: (rewritten) => `ToParentBlockJoinQuery (${inner.text(rewritten)})`,
      explain(segment, doc) {
        const score = scoreOfDocument(this, segment, doc)
        return score === undefined ? notMatched('Not a match') : explainNested(segment, doc, levels, inner, mode, score)
      },
      scorer: (segment) => nestedScorer(segment, levels, inner, mode),
      looksAhead: true,
      words: (visitor) => visitor.nested(() => inner.words?.(visitor)),
      luceneName: 'ESToParentBlockJoinQuery',
      parts: [inner],
      asFilter: inner.asFilter && {
        key: () => `nested(${levels.path};${levels.scope};${inner.asFilter?.key()})`,
        keptAtUse: KEPT_LATER,
      },
    }
  }
}

/** The objects of a document precede it, up to the previous document of its own level. */
function explainNested(
  segment: SegmentView,
  doc: number,
  levels: NestedLevels,
  query: Weight,
  mode: NestedScoreMode,
  score: number,
): Explanation {
  const nested = segment.reader.nested!
  const scopeNumber = levels.scope === undefined ? 0 : nested.paths.indexOf(levels.scope) + 1
  let start = doc
  while (start > 0 && nested.pathOf[start - 1] !== 0 && nested.pathOf[start - 1] !== scopeNumber) start--
  const pathNumber = nested.paths.indexOf(levels.path) + 1
  const found: Explanation[] = []
  for (let child = start; child < doc; child++) {
    if (nested.pathOf[child] !== pathNumber) continue
    const explanation =
      mode === 'none'
        ? explainConstant(query, segment, child, `ConstantScore(${filterText(query)})`, 0)
        : query.explain(segment, child)
    if (explanation.match) found.push(explanation)
  }
  const better = (a: Explanation, b: Explanation) => (mode === 'min' ? a.value < b.value : a.value > b.value)
  const shown = found.reduce((best, each) => (better(each, best) ? each : best))
  const range = `in range from ${segment.docBase + start} to ${segment.docBase + doc - 1}`
  return explained(score, `Score based on ${found.length} child docs ${range}, using score mode ${MODE_NAMES[mode]}`, [
    shown,
  ])
}

const MODE_NAMES: Readonly<Record<NestedScoreMode, string>> = {
  avg: 'Avg',
  max: 'Max',
  min: 'Min',
  sum: 'Total',
  none: 'None',
}

export const nestedClause: QueryClause = {
  name: 'nested',
  parse(reader, inner) {
    const options = newOptions()
    const settings: NestedSettings = {}
    let path: string | undefined
    let query: Query | undefined
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_OBJECT) {
        if (member === 'query') query = inner(reader)
        else if (member === 'inner_hits') settings.innerHits = parseInnerHits(reader, inner)
        else throw doesNotSupport(reader, 'nested', member)
      } else if (reader.isValue) {
        if (member === 'path') path = reader.text()
        else if (member === 'ignore_unmapped') settings.ignoreUnmapped = reader.boolean()
        else if (member === 'score_mode') settings.scoreMode = parseScoreMode(reader.text())
        else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'nested', member)
      }
    }
    if (path === undefined) throw illegalArgument("[nested] requires 'path' field")
    if (query === undefined) throw illegalArgument("[nested] requires 'query' field")
    return new NestedQuery(path, query, settings, options)
  },
}

function parseScoreMode(text: string): NestedScoreMode {
  if (text === 'avg' || text === 'sum' || text === 'min' || text === 'max' || text === 'none') return text
  throw unknownChildScoreMode(text)
}
