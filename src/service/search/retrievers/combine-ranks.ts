/** How compound retrievers rank what their children found. All sums are of single precision, in the order of the children. */
import { formatFloat } from '../../../base/json/json-writer.ts'
import { MAX_ORGANIC_SCORE } from '../../../engine/query/compound/pinned.ts'
import type { RankDoc } from '../../../engine/query/retrieved/rank-docs-query.ts'
import { type Explanation, explained, notMatched } from '../../../engine/scoring/explanation.ts'
import type { CompoundRetriever, LinearRetriever, Normalizer, RrfRetriever } from './retriever.ts'

const f = Math.fround

/** A document that a search found; without an order by score its score may be NaN. */
export interface FoundDoc {
  readonly shard: string
  readonly position: number
  readonly doc: number
  readonly score: number
}

/** Ranks the lists of the children, best first. */
export function combineRanks(retriever: CompoundRetriever, lists: readonly (readonly FoundDoc[])[]): RankDoc[] {
  switch (retriever.kind) {
    case 'rrf':
      return rrfRanks(retriever, lists)
    case 'linear':
      return linearRanks(retriever, lists)
    case 'pinned':
      return asRanked(lists[0]!, explainPinned)
    case 'rescorer':
      return asRanked(lists[0]!, explainRanked)
  }
}

type Explain = (
  doc: Omit<RankDoc, 'explain'>,
  sources: readonly Explanation[],
  names: readonly (string | undefined)[],
) => Explanation

/** The documents in the order in which they were found. */
export function asRanked(found: readonly FoundDoc[], explain: Explain = explainRanked): RankDoc[] {
  return found.map((doc, i) => rankDoc(doc, doc.score, i + 1, explain))
}

function rankDoc({ shard, position, doc }: FoundDoc, score: number, rank: number, explain: Explain): RankDoc {
  const own = { shard, position, doc, score, rank }
  return { ...own, explain: (sources, names) => explain(own, sources, names) }
}

function explainRanked({ doc, score, rank }: Omit<RankDoc, 'explain'>, sources: readonly Explanation[]): Explanation {
  const reason = `doc [${doc}] with an original score of [${formatFloat(score)}] is at rank [${rank}]`
  return { ...explained(rank, `${reason} from the following source queries.`, sources), precision: 'whole' }
}

const explainPinned: Explain = (doc, sources) =>
  doc.score > MAX_ORGANIC_SCORE
    ? explained(doc.score, 'Pinned document, original explanation:', sources)
    : explainRanked(doc, sources)

/** A document with what each child says about it; undefined where a child did not find it. */
interface Candidate {
  readonly found: FoundDoc
  score: number
  readonly parts: (number | undefined)[]
}

class Candidates {
  readonly #byPlace = new Map<string, Candidate>()

  of(found: FoundDoc): Candidate {
    const place = `${found.position}/${found.doc}`
    let candidate = this.#byPlace.get(place)
    if (candidate === undefined) this.#byPlace.set(place, (candidate = { found, score: 0, parts: [] }))
    return candidate
  }

  /** The best by score, then by shard and document. */
  best(most: number): Candidate[] {
    const all = [...this.#byPlace.values()]
    all.sort((a, b) => b.score - a.score || a.found.position - b.found.position || a.found.doc - b.found.doc)
    return all.slice(0, most)
  }
}

function rrfRanks({ rankConstant, window }: RrfRetriever, lists: readonly (readonly FoundDoc[])[]): RankDoc[] {
  const candidates = new Candidates()
  lists.forEach((list, child) => {
    list.forEach((found, i) => {
      const candidate = candidates.of(found)
      candidate.score = f(candidate.score + reciprocal(i + 1, rankConstant))
      candidate.parts[child] = i + 1
    })
  })
  return candidates.best(window).map(({ found, score, parts }, i) =>
    rankDoc(found, score, i + 1, (_, sources, names) => {
      const details = sources.map((source, child) => {
        const rank = parts[child]
        const query = `at index [${child}]${nameText(names[child])}`
        if (rank === undefined) return notMatched(`rrf score: [0], result not found in query ${query}`)
        const value = formatFloat(reciprocal(rank, rankConstant))
        const reason = `rrf score: [${value}], for rank [${rank}] in query ${query} computed as [1 / (${rank} + ${rankConstant})]`
        const own = explained(rank, `${reason}, for matching query with score`, [source])
        return { ...own, precision: 'whole' as const }
      })
      const ranks = sources.map((_source, child) => parts[child] ?? 0).join(', ')
      const reason = `rrf score: [${formatFloat(score)}] computed for initial ranks [${ranks}]`
      const how = `with rankConstant: [${rankConstant}] as sum of [1 / (rank + rankConstant)] for each query`
      return explained(score, `${reason} ${how}`, details)
    }),
  )
}

const reciprocal = (rank: number, constant: number) => f(1 / (rank + constant))

const nameText = (name: string | undefined) => (name === undefined ? '' : ` [${name}]`)

function linearRanks(retriever: LinearRetriever, lists: readonly (readonly FoundDoc[])[]): RankDoc[] {
  const { weights, normalizers, window, options } = retriever
  const candidates = new Candidates()
  lists.forEach((list, child) => {
    const scores = normalized(
      Float32Array.from(list, ({ score }) => score),
      normalizers[child]!,
    )
    list.forEach((found, i) => {
      const candidate = candidates.of(found)
      const score = scores[i]!
      candidate.parts[child] = score
      if (!Number.isNaN(score)) candidate.score = f(candidate.score + f(weights[child]! * score))
    })
  })
  const ranked = candidates
    .best(window)
    .map(({ found, score, parts }, i) =>
      rankDoc(found, score, i + 1, (_, sources, names) => explainLinear(retriever, score, parts, sources, names)),
    )
  const { minScore } = options
  return minScore === undefined ? ranked : ranked.filter(({ score }) => score >= minScore)
}

/** The scores of a list, which become comparable with those of others. */
export function normalized(scores: Float32Array, normalizer: Normalizer): Float32Array {
  if (normalizer === 'none' || scores.every((score) => Number.isNaN(score))) return scores
  if (normalizer === 'l2_norm') {
    let squares = 0
    for (const score of scores) if (!Number.isNaN(score)) squares += f(score * score)
    const norm = Math.sqrt(squares)
    return norm < NEARLY_EQUAL ? scores : scores.map((score) => score / norm)
  }
  let least = GREATEST_FLOAT
  let most = LEAST_FLOAT
  for (const score of scores) {
    if (score > most) most = score
    if (score < least) least = score
  }
  const range = f(most - least)
  if (Math.abs(f(least - most)) < NEARLY_EQUAL) return scores.map(() => 1)
  return scores.map((score) => f(score - least) / range)
}

const NEARLY_EQUAL = f(1e-6)
const GREATEST_FLOAT = (2 - 2 ** -23) * 2 ** 127
const LEAST_FLOAT = 2 ** -149

function explainLinear(
  { weights, normalizers }: LinearRetriever,
  score: number,
  parts: readonly (number | undefined)[],
  sources: readonly Explanation[],
  names: readonly (string | undefined)[],
): Explanation {
  const shares = sources.map((_, child) => parts[child] ?? 0)
  const details = sources.map((source, child) => {
    const query = `at index [${child}]${nameText(names[child])}`
    const share = shares[child]!
    if (!(share > 0)) return notMatched(`weighted score: [0], result not found in query ${query}`)
    const weight = weights[child]!
    const value = f(weight * share)
    const how = `computed as [${formatFloat(weight)} * ${formatFloat(share)}] using score normalizer [${normalizers[child]}]`
    const reason = `weighted score: [${formatFloat(value)}] in query ${query} ${how}`
    return explained(value, `${reason} for original matching query with score:`, [source])
  })
  const all = (numbers: readonly number[]) => `[${numbers.map(formatFloat).join(', ')}]`
  const reason = `weighted linear combination score: [${formatFloat(score)}] computed for normalized scores ${all(shares)}`
  return explained(
    score,
    `${reason} and weights ${all(weights)} as sum of (weight[i] * score[i]) for each query.`,
    details,
  )
}
