/** Explains the score of a term, phrase or span: the factors of BM25 and their inputs. */
import { formatFloat } from '../../base/json/json-writer.ts'
import type { ScorePart } from '../scripts/scripted-similarity.ts'
import { type Explanation, explained, explainedCount } from './explanation.ts'
import { inverseDocumentFrequency, LENGTH_OF_NORM, type SimScorer } from './similarity.ts'

const f = Math.fround

/** `text` is the query's; `norm` is 1 for fields without norms. */
export function explainWeight(
  text: string,
  doc: number,
  simScorer: SimScorer,
  freq: Explanation,
  norm: number,
): Explanation {
  if (simScorer.scripted !== undefined) {
    const own = explainedPart(simScorer.scripted.explain(freq.value, LENGTH_OF_NORM[norm]!))
    return explained(own.value, `weight(${text} in ${doc}) [PerFieldSimilarity], result of:`, [own])
  }
  const score = simScorer.similarity.isConstant === true ? explainBoost(simScorer) : explainScore(simScorer, freq, norm)
  return explained(score.value, `weight(${text} in ${doc}) [PerFieldSimilarity], result of:`, [score])
}

function explainedPart({ value, description, isCount, details }: ScorePart): Explanation {
  return isCount ? explainedCount(value, description) : explained(value, description, details.map(explainedPart))
}

function explainBoost({ boost }: SimScorer): Explanation {
  return explained(boost, 'score(BooleanWeight), computed from:', [explained(boost, 'boost')])
}

export function explainScore(simScorer: SimScorer, freq: Explanation, norm: number): Explanation {
  const factors: Explanation[] = []
  const boost = f(simScorer.boost * f(1 + f(simScorer.similarity.k1)))
  if (boost !== 1) factors.push(explained(boost, 'boost'))
  factors.push(explainIdf(simScorer), explainTf(simScorer, freq, norm))
  const shown = `score(freq=${formatFloat(freq.value)}), computed as boost * idf * tf from:`
  return explained(simScorer.score(freq.value, norm), shown, factors)
}

function explainIdf({ docFreqs, statistics }: SimScorer): Explanation {
  const each = docFreqs.map((docFreq) =>
    explained(
      inverseDocumentFrequency(docFreq, statistics.docCount),
      'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      [
        explainedCount(docFreq, 'n, number of documents containing term'),
        explainedCount(statistics.docCount, 'N, total number of documents with field'),
      ],
    ),
  )
  if (each.length === 1) return each[0]!
  return explained(f(each.reduce((sum, { value }) => sum + value, 0)), 'idf, sum of:', each)
}

function explainTf(simScorer: SimScorer, freq: Explanation, norm: number): Explanation {
  const { similarity, statistics } = simScorer
  const k1 = f(similarity.k1)
  const b = f(similarity.b)
  const length = LENGTH_OF_NORM[norm]!
  const average = f(statistics.sumTotalTermFreq / statistics.docCount)
  const inverse = f(1 / f(k1 * f(f(1 - b) + f(f(b * length) / average))))
  return explained(
    f(1 - f(1 / f(1 + f(freq.value * inverse)))),
    'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
    [
      freq,
      explained(k1, 'k1, term saturation parameter'),
      explained(b, 'b, length normalization parameter'),
      explained(length, norm > 39 ? 'dl, length of field (approximate)' : 'dl, length of field'),
      explained(average, 'avgdl, average length of field'),
    ],
  )
}
