/**
 * The unified highlighter: the text is divided into passages around its matches, the passages are scored like
 * documents, and the best are shown in text order.
 */

import { ApiError } from '../../../base/api-error.ts'
import type { HighlightOptions } from '../../request/highlight/highlight-options.ts'
import { escapeHtml } from './escape-html.ts'
import type { FieldText } from './field-text.ts'
import { BoundedSentences, betweenBoundaries, type FragmentBounds, wholeValue } from './fragment-bounds.ts'
import { Boundaries, SentenceSteps } from './text-breaks.ts'
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
    .filter(({ fragment }) => /\S/.test(fragment))
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
  const boundsAt = (offset: number) => {
    const at = text.valueAt(offset)
    if (at !== value || bounds === undefined) bounds = fragmentBounds(text.values[at]!, options, tokenized)
    value = at
    return { bounds, base: text.starts[at]! }
  }
  let current: Passage | undefined
  let lastEnd = 0
  for (const match of matches) {
    if (current === undefined || match.start >= current.end) {
      // Only an empty last value can match here. Lucene does not look at it.
      if (match.start >= text.length) break
      // The passage surrounds the middle of the match, and does not reach into the one before.
      const center = match.start + Math.trunc((match.end - match.start) / 2)
      const before = Math.max(match.start + 1, center)
      const first = boundsAt(before - 1)
      const from = first.base + first.bounds.preceding(before - first.base)
      const after = Math.min(match.end - 1, center)
      const last = boundsAt(after)
      const to = last.base + last.bounds.following(after - last.base)
      const start = Math.min(match.start, Math.max(from, lastEnd))
      lastEnd = Math.max(match.end, Math.min(to, text.length))
      current = { start, end: lastEnd, matches: [], score: 0 }
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

function fragmentBounds(value: string, options: HighlightOptions, tokenized: boolean): FragmentBounds {
  if (options.fragmentCount === 0 || !tokenized) return wholeValue(value)
  if (options.boundaryScanner === 'word') return betweenBoundaries(Boundaries.words(value))
  if (options.fragmentSize === 0) return betweenBoundaries(new SentenceSteps(value))
  return new BoundedSentences(value, options.fragmentSize)
}

const f = Math.fround
const K1 = f(1.2)
const B = f(0.75)
/** The average length of a passage. */
const PIVOT = 87

/** BM25 with passages as documents, in single precision; earlier passages count slightly more. */
function passageScore({ start, end, matches }: Passage, textLength: number): number {
  const kinds = new Map<string, { count: number; frequency: number }>()
  for (const { kind, frequency } of matches) {
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, { count: 1, frequency })
    else known.count++
  }
  const norm = f(K1 * f(f(1 - B) + f(B * f((end - start) / PIVOT))))
  const documents = f(1 + f(textLength / PIVOT))
  let score = 0
  for (const { count, frequency } of kinds.values()) {
    const weight = f(f(K1 + 1) * f(Math.log(1 + (documents + 0.5) / (frequency + 0.5))))
    score += f(f(count / f(count + norm)) * weight)
  }
  return f(score * f(1 + f(1 / f(Math.log(PIVOT + start)))))
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
  const piece = (from: number, to: number) => {
    const part = text.part(from, to)
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
  const shown = (result + piece(position, Math.max(position, passage.end))).replace(/[\0\u2029]$/, '')
  return options.fragmentCount === 0 ? shown : trimmed(shown)
}

/** Without the characters that Java trims: up to the space, and no other white space. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}
