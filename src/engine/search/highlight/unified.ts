/**
 * The unified highlighter: the text is divided into passages around its matches, the passages are scored like
 * documents, and the best are shown in text order.
 */

import { ApiError } from '../../../base/api-error.ts'
import type { HighlightOptions } from '../../request/highlight/highlight-options.ts'
import { escapeHtml } from './escape-html.ts'
import type { FieldText } from './field-text.ts'
import { BoundedSentences, betweenBoundaries, type FragmentBounds, wholeValue } from './fragment-bounds.ts'
import { Boundaries } from './text-breaks.ts'
import type { TextMatch } from './unified-matches.ts'

interface Passage {
  readonly start: number
  readonly end: number
  readonly matches: TextMatch[]
  score: number
}

/** The fragments of a field. `tokenized` is false for fields whose values are never split. */
export function unifiedFragments(
  text: FieldText,
  matches: readonly TextMatch[],
  options: HighlightOptions,
  tokenized: boolean,
): string[] {
  if (options.fragmentCount < 0)
    throw new ApiError(400, 'illegal_argument_exception', '', { details: { reason: null } })
  const passages = bestPassages(text, matches, options, tokenized)
  if (passages.length === 0) {
    const excerpt = options.noMatchSize > 0 ? beginning(text, options.noMatchSize) : undefined
    if (excerpt === undefined) return []
    passages.push(excerpt)
  }
  const shown = passages
    .map((passage) => ({ fragment: format(text, passage, options), score: passage.score }))
    .filter(({ fragment }) => fragment !== '')
  if (options.byScore) shown.sort((a, b) => b.score - a.score)
  return shown.map(({ fragment }) => fragment)
}

function bestPassages(
  text: FieldText,
  matches: readonly TextMatch[],
  options: HighlightOptions,
  tokenized: boolean,
): Passage[] {
  const passages: Passage[] = []
  let value = -1
  let bounds: FragmentBounds | undefined
  let current: Passage | undefined
  for (const match of matches) {
    if (current === undefined || match.start >= current.end) {
      // Only an empty last value can match here. Lucene does not look at it.
      if (match.start >= text.length) break
      const at = text.valueAt(match.start)
      if (at !== value) {
        value = at
        bounds = fragmentBounds(text.values[at]!, options, tokenized)
      }
      const base = text.starts[at]!
      const { start, end } = passageBounds(bounds!, match.start - base, match.end - base)
      current = { start: base + start, end: base + end, matches: [], score: 0 }
      passages.push(current)
    }
    current.matches.push(match)
  }
  for (const passage of passages) passage.score = passageScore(passage, text.length)
  const limit = options.fragmentCount === 0 ? passages.length : options.fragmentCount
  if (passages.length <= limit) return passages
  // With equal scores the later passage stays.
  const best = [...passages].sort((a, b) => b.score - a.score || b.start - a.start).slice(0, limit)
  return best.sort((a, b) => a.start - b.start)
}

/** The passage around a match; if the match extends beyond it, also the passage around its end. */
function passageBounds(bounds: FragmentBounds, start: number, end: number): { start: number; end: number } {
  const around = bounds.around(start)
  if (end <= around.end) return around
  const last = bounds.around(end - 1)
  return { start: Math.min(start, last.start), end: last.end }
}

function fragmentBounds(value: string, options: HighlightOptions, tokenized: boolean): FragmentBounds {
  if (options.fragmentCount === 0 || !tokenized) return wholeValue(value)
  if (options.boundaryScanner === 'word') return betweenBoundaries(value, Boundaries.words(value))
  if (options.fragmentSize === 0) return betweenBoundaries(value, Boundaries.sentences(value))
  return new BoundedSentences(value, options.fragmentSize)
}

const K1 = 1.2
const B = 0.75
/** The average length of a passage. */
const PIVOT = 87

/** BM25 with passages as documents; earlier passages count slightly more. */
function passageScore({ start, end, matches }: Passage, textLength: number): number {
  const kinds = new Map<string, { count: number; frequency: number }>()
  for (const { kind, frequency } of matches) {
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, { count: 1, frequency })
    else known.count++
  }
  let score = 0
  for (const { count, frequency } of kinds.values()) {
    const weight = (K1 + 1) * Math.log(1 + (1 + textLength / PIVOT + 0.5) / (frequency + 0.5))
    const norm = K1 * (1 - B + B * ((end - start) / PIVOT))
    score += (count / (count + norm)) * weight
  }
  return Math.fround(score * (1 + 1 / Math.log(PIVOT + start)))
}

/** The text shown for a field without a match: the start of its first value, up to the end of a word. */
function beginning(text: FieldText, size: number): Passage | undefined {
  const at = text.values.findIndex((value) => value.length > 0)
  if (at < 0) return undefined
  const value = text.values[at]!
  const cut = size < value.length ? Boundaries.words(value).following(size) : value.length
  const start = text.starts[at]!
  return { start, end: start + (cut < 0 ? value.length : cut), matches: [], score: Number.NaN }
}

function format(text: FieldText, passage: Passage, options: HighlightOptions): string {
  const at = text.valueAt(passage.start)
  const base = text.starts[at]!
  const value = text.values[at]!
  const piece = (from: number, to: number) => {
    const part = value.slice(from - base, to - base)
    return options.encodeHtml ? escapeHtml(part) : part
  }
  const [preTag] = options.preTags
  const [postTag] = options.postTags
  let result = ''
  let position = passage.start
  for (let i = 0; i < passage.matches.length; i++) {
    const { start } = passage.matches[i]!
    let { end } = passage.matches[i]!
    while (i + 1 < passage.matches.length && passage.matches[i + 1]!.start < end) {
      end = Math.max(end, passage.matches[++i]!.end)
    }
    end = Math.min(end, passage.end)
    result += `${piece(position, start)}${preTag}${piece(start, end)}${postTag}`
    position = end
  }
  const shown = result + piece(position, Math.max(position, passage.end))
  return options.fragmentCount === 0 ? shown : shown.trim()
}
