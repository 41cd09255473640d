/**
 * `profile`: the cost of each clause of a query. The search itself runs normally; then every clause runs alone over the
 * same segments, and its time and matches are shown. The times of clauses are thus accurate, but do not add up to the
 * total, because one clause spares others their work.
 */
import { countBits } from '../../../base/bit-set.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'

export interface QueryProfile {
  readonly type: string
  readonly description: string
  /** Nanoseconds and counts by step. */
  readonly breakdown: Readonly<Record<string, number>>
  readonly children: readonly QueryProfile[]
}

/** The timers of Lucene's scorers; this engine has counterparts for some of them. */
const STEPS = [
  'set_min_competitive_score',
  'match',
  'shallow_advance',
  'next_doc',
  'score',
  'compute_max_score',
  'advance',
  'count_weight',
  'build_scorer',
  'create_weight',
] as const

/** `planNanos` is the time of binding the query to the shard, including its clauses. */
export function profileQuery(
  context: SearchExecutionContext,
  query: Weight,
  options: { readonly scoring: boolean; readonly planNanos: number },
): QueryProfile {
  const { scoring, planNanos } = options
  const own = profileClause(context, query, scoring, planNanos)
  if (scoring) return own
  // Without scores only the documents are searched.
  return {
    type: 'ConstantScoreQuery',
    description: `ConstantScore(${own.description})`,
    breakdown: own.breakdown,
    children: [own],
  }
}

function profileClause(
  context: SearchExecutionContext,
  query: Weight,
  scoring: boolean,
  planNanos: number,
): QueryProfile {
  const breakdown: Record<string, number> = {}
  for (const step of STEPS) {
    breakdown[step] = 0
    breakdown[`${step}_count`] = 0
  }
  breakdown['create_weight'] = planNanos
  breakdown['create_weight_count'] = 1
  for (const segment of context.view.segments) walk(query, segment, scoring, breakdown)
  const description = query.text(true)
  return {
    type: query.luceneName ?? nameFromText(description),
    description,
    breakdown,
    children: (query.parts ?? []).map((part) => profileClause(context, part, scoring, 0)),
  }
}

function walk(query: Weight, segment: SegmentView, scoring: boolean, breakdown: Record<string, number>): void {
  const add = (step: string, nanos: number, count: number) => {
    breakdown[step] = breakdown[step]! + nanos
    breakdown[`${step}_count`] = breakdown[`${step}_count`]! + count
  }
  const begin = process.hrtime.bigint()
  const scorer = query.scorer(segment)
  add('build_scorer', nanosSince(begin), 1)
  if (scorer === undefined) return
  const { docCount } = segment.reader
  const scratch = takeScratch()
  let matches = 0
  const started = process.hrtime.bigint()
  for (let doc = scorer.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    scratch.bits.fill(0)
    if (scoring) scorer.matchScored(base, limit, scratch.bits, scratch.scores)
    else scorer.match(base, limit, scratch.bits)
    matches += countBits(scratch.bits)
    doc = limit < docCount ? scorer.next(limit) : docCount
  }
  const nanos = nanosSince(started)
  releaseScratch(scratch)
  add('next_doc', nanos, matches + 1)
  // Documents are scored while they are found; the time of both is above.
  if (scoring) add('score', 0, matches)
}

export function nanosSince(begin: bigint): number {
  return Number(process.hrtime.bigint() - begin)
}

const NAMES: readonly (readonly [start: string, name: string])[] = [
  ['*:*', 'MatchAllDocsQuery'],
  ['ConstantScore(', 'ConstantScoreQuery'],
  ['function score (', 'FunctionScoreQuery'],
]

/** The text of most queries starts with their name; the rest are multi-term queries: prefixes, patterns, sets. */
function nameFromText(text: string): string {
  const known = NAMES.find(([start]) => text.startsWith(start))
  if (known !== undefined) return known[1]
  return /^\w+Query\b/.exec(text)?.[0] ?? 'MultiTermQueryConstantScoreBlendedWrapper'
}
