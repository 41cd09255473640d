/** Candidates for corrections: words of a field that are similar to a given one. */
import { EditAutomaton } from '../query/multi-term/edit-automaton.ts'
import { fuzzyTerms } from '../query/multi-term/fuzzy-terms.ts'
import type { SpellingOptions } from '../request/suggest/suggester-options.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { similarity } from './string-distance.ts'

export interface SpellingCandidate {
  readonly text: string
  readonly score: number
  readonly docFrequency: number
}

interface ScoredTerm extends SpellingCandidate {
  /** Similarity by edit distance alone; it decides which candidates are inspected. */
  readonly nearness: number
}

export function docFrequency(segments: readonly SegmentView[], field: string, term: string): number {
  const bytes = Buffer.from(term)
  let count = 0
  for (const { reader } of segments) {
    const terms = reader.terms(field)
    const ordinal = terms === undefined ? -1 : terms.find(bytes)
    if (ordinal >= 0) count += terms!.docFreq(ordinal)
  }
  return count
}

/** Best first. */
export function spellingCandidates(
  segments: readonly SegmentView[],
  field: string,
  word: string,
  count: number,
  options: Readonly<SpellingOptions>,
): SpellingCandidate[] {
  if ([...word].length < options.minWordLength) return []
  const own = docFrequency(segments, field, word)
  if (options.mode === 'missing' && own > 0) return []
  const docs = segments.reduce((sum, { reader }) => sum + reader.docCount, 0)
  const { maxTermFrequency: limit, minDocFrequency: least } = options
  if (own > (limit >= 1 ? limit : Math.ceil(limit * docs))) return []
  let frequencyMin = options.mode === 'popular' ? own : 0
  if (least >= 1) frequencyMin = Math.max(frequencyMin, Math.trunc(least))
  else if (least > 0) frequencyMin = Math.max(frequencyMin, Math.trunc(least * docs) - 1)

  const inspected = count * options.maxInspections
  const found = new Map<string, ScoredTerm>()
  const look = (edits: number) => {
    const near = nearTerms(segments, field, word, edits, frequencyMin, options).slice(0, inspected)
    for (const term of near) found.set(term.text, term)
  }
  look(1)
  if (options.maxEdits > 1 && found.size < inspected) look(options.maxEdits)
  return [...found.values()].sort(byScore).slice(0, count)
}

export function byScore(a: SpellingCandidate, b: SpellingCandidate): number {
  return b.score - a.score || b.docFrequency - a.docFrequency || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)
}

function nearTerms(
  segments: readonly SegmentView[],
  field: string,
  word: string,
  edits: number,
  frequencyMin: number,
  options: Readonly<SpellingOptions>,
): ScoredTerm[] {
  const length = [...word].length
  // With two edits there are too many candidates, so the first letter must match.
  const prefixLength = Math.max(options.prefixLength, edits - 1)
  const automaton = new EditAutomaton(word, { maxEdits: edits, prefixLength, transpositions: true })
  const frequencies = new Map<string, { edits: number; count: number }>()
  for (const { reader } of segments) {
    const terms = reader.terms(field)
    if (terms === undefined) continue
    fuzzyTerms(terms, automaton, (ordinal, text, distance) => {
      const known = frequencies.get(text)
      if (known === undefined) frequencies.set(text, { edits: distance, count: terms.docFreq(ordinal) })
      else known.count += terms.docFreq(ordinal)
    })
  }
  const near: ScoredTerm[] = []
  for (const [text, { edits: distance, count }] of frequencies) {
    if (text === word || count <= frequencyMin) continue
    const nearness = Math.fround(1 - Math.fround(distance / Math.min([...text].length, length)))
    const score = options.distance === 'internal' ? nearness : similarity(options.distance, word, text)
    if (score >= Math.fround(options.accuracy)) near.push({ text, score, docFrequency: count, nearness })
  }
  return near.sort((a, b) => b.nearness - a.nearness || (a.text < b.text ? -1 : 1))
}
