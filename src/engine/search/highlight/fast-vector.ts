/**
 * The fast vector highlighter: fragments of a fixed size, centred on their phrases and extended to the next boundary
 * character. For fields with term vectors.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import type { HighlightOptions } from '../../request/highlight/highlight-options.ts'
import { escapeHtml } from './escape-html.ts'
import type { FieldText, TextToken } from './field-text.ts'
import type { QueryWord, WordPhrase } from './query-words.ts'
import { Boundaries } from './text-breaks.ts'

interface Span {
  readonly start: number
  readonly end: number
}

/** A word or phrase found in the text, and the ranges to mark. */
interface FoundPhrase extends Span {
  readonly marks: readonly Span[]
  readonly weight: number
  /** The index of its tag. */
  readonly number: number
}

interface FragmentPlan extends Span {
  readonly phrases: readonly FoundPhrase[]
  readonly weight: number
}

/** Margin before the first phrase of a fragment, and the minimum fragment size. */
const MARGIN = 6
const SIZE_MIN = MARGIN * 3

export function fastVectorFragments(
  text: FieldText,
  tokens: readonly TextToken[],
  words: readonly QueryWord[],
  options: HighlightOptions,
): string[] {
  const phrases = foundPhrases(words, tokens).slice(0, options.phraseLimit)
  const whole = options.fragmentCount === 0
  const plans = splitAtValues(text, whole ? wholeText(text, phrases) : planFragments(phrases, options.fragmentSize))
  if (options.byScore) plans.sort((a, b) => b.weight - a.weight || a.start - b.start)
  const shown = whole ? plans : plans.slice(0, options.fragmentCount)
  if (shown.length > 0) return shown.map((plan) => format(text, plan, options, whole))
  return options.noMatchSize > 0 ? beginning(text, options) : []
}

function foundPhrases(words: readonly QueryWord[], tokens: readonly TextToken[]): FoundPhrase[] {
  const found: FoundPhrase[] = []
  const known = tokens.filter(({ term }) => words.some((word) => mayBe(word, term)))
  words.forEach((word, number) => {
    if (word.kind === 'phrase') {
      for (const window of orderedWindows(word, known)) found.push(phraseOf(window, word, number))
    } else for (const token of known) if (mayBe(word, token.term)) found.push(phraseOf([token], word, number))
  })
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  // A phrase inside another one is part of it.
  const kept: FoundPhrase[] = []
  for (const phrase of found) if (kept.length === 0 || phrase.start >= kept[kept.length - 1]!.end) kept.push(phrase)
  return kept
}

function mayBe(word: QueryWord, term: string): boolean {
  switch (word.kind) {
    case 'term':
      return word.term === term
    case 'terms':
      return word.matches(term)
    case 'phrase':
      return word.places.some(({ terms }) => terms.has(term))
  }
}

/** The words of a phrase in order, each at most `slop` from its place, with no other query word in between. */
function orderedWindows({ places, slop }: WordPhrase, known: readonly TextToken[]): TextToken[][] {
  const windows: TextToken[][] = []
  for (let i = 0; i + places.length <= known.length; i++) {
    const window = known.slice(i, i + places.length)
    const fits = window.every(({ term, position }, j) => {
      if (!places[j]!.terms.has(term)) return false
      return j === 0 || Math.abs(position - window[j - 1]!.position - 1) <= slop
    })
    if (fits) windows.push(window)
  }
  return windows
}

/** Adjacent words are marked as one. */
function phraseOf(window: readonly TextToken[], word: QueryWord, number: number): FoundPhrase {
  const tokens = [...window].sort((a, b) => a.position - b.position)
  const marks: { start: number; end: number; position: number }[] = []
  for (const { start, end, position } of tokens) {
    const last = marks[marks.length - 1]
    if (last !== undefined && position === last.position + 1) {
      last.end = end
      last.position = position
    } else marks.push({ start, end, position })
  }
  return { start: tokens[0]!.start, end: tokens[tokens.length - 1]!.end, marks, weight: word.boost, number }
}

function planFragments(phrases: readonly FoundPhrase[], size: number): FragmentPlan[] {
  if (size < SIZE_MIN) {
    throw illegalArgument(`fragCharSize(${size}) is too small. It must be ${SIZE_MIN} or higher.`)
  }
  const plans: FragmentPlan[] = []
  let startMin = 0
  for (let i = 0; i < phrases.length; ) {
    const first = phrases[i]!
    if (first.start < startMin) {
      i++
      continue
    }
    const inside: FoundPhrase[] = []
    let lastEnd = first.end
    const spanStart = Math.max(first.start - MARGIN, startMin)
    const spanEnd = Math.max(lastEnd, spanStart + size)
    for (; i < phrases.length && (phrases[i] === first || phrases[i]!.end <= spanEnd); i++) {
      lastEnd = phrases[i]!.end
      if (lastEnd - first.start <= size) inside.push(phrases[i]!)
    }
    if (inside.length === 0) continue
    const length = lastEnd - first.start
    const start = Math.max(startMin, first.start - Math.max(0, (size - length) >> 1))
    const end = start + Math.max(length, size)
    plans.push({ start, end, phrases: inside, weight: totalWeight(inside) })
    startMin = end
  }
  return plans
}

function totalWeight(phrases: readonly FoundPhrase[]): number {
  return phrases.reduce((sum, { weight }) => sum + weight, 0)
}

function wholeText(text: FieldText, phrases: readonly FoundPhrase[]): FragmentPlan[] {
  if (phrases.length === 0) return []
  return [{ start: 0, end: text.length, phrases, weight: totalWeight(phrases) }]
}

/** A fragment never crosses the end of a value. */
function splitAtValues(text: FieldText, plans: readonly FragmentPlan[]): FragmentPlan[] {
  return plans.flatMap((plan) => {
    const parts: FragmentPlan[] = []
    text.values.forEach((value, i) => {
      const from = text.starts[i]!
      const to = from + value.length
      const phrases = plan.phrases.filter(({ start, end }) => start >= from && end <= to)
      if (phrases.length === 0) return
      const start = Math.max(plan.start, from)
      parts.push({ start, end: Math.min(plan.end, to), phrases, weight: totalWeight(phrases) })
    })
    return parts
  })
}

function format(text: FieldText, plan: FragmentPlan, options: HighlightOptions, whole: boolean): string {
  const at = text.valueAt(plan.start)
  const base = text.starts[at]!
  // Words and sentences are found in the value including the space that separates it from the next one.
  const scanned = options.boundaryScanner === 'word' || options.boundaryScanner === 'sentence'
  const value = scanned && !whole ? `${text.values[at]!} ` : text.values[at]!
  const start = whole ? plan.start - base : widenLeft(value, plan.start - base, options)
  const reachesEnd = whole || plan.end - base >= text.values[at]!.length
  const end = reachesEnd ? plan.end - base : widenRight(value, plan.end - base, options)
  const piece = (from: number, to: number) => {
    const part = value.slice(from, to)
    return options.encodeHtml ? escapeHtml(part) : part
  }
  let result = ''
  let position = start
  for (const { marks, number } of plan.phrases) {
    const preTag = options.preTags[number % options.preTags.length]
    const postTag = options.postTags[number % options.postTags.length]
    for (const mark of marks) {
      result += `${piece(position, mark.start - base)}${preTag}${piece(mark.start - base, mark.end - base)}${postTag}`
      position = mark.end - base
    }
  }
  return result + piece(position, Math.max(position, end))
}

/** Words and sentences are found in the text before the position, as if it ended there. */
function widenLeft(value: string, start: number, options: HighlightOptions): number {
  if (start < 1) return start
  if (options.boundaryScanner === 'word' || options.boundaryScanner === 'sentence') {
    return Math.max(0, boundariesOf(value.slice(0, start), options).preceding(start))
  }
  const stop = Math.max(0, start - options.boundaryMaxScan)
  for (let at = start; at > stop; at--) if (options.boundaryChars.includes(value[at - 1]!)) return at
  return stop === 0 ? 0 : start
}

/** The end of the value is a boundary too. */
function widenRight(value: string, end: number, options: HighlightOptions): number {
  if (end >= value.length) return value.length
  if (options.boundaryScanner === 'word' || options.boundaryScanner === 'sentence') {
    return end + boundariesOf(value.slice(end), options).following(0)
  }
  const stop = end + options.boundaryMaxScan
  for (let at = end; at < stop; at++) {
    if (at === value.length || options.boundaryChars.includes(value[at]!)) return at
  }
  return end
}

function boundariesOf(text: string, { boundaryScanner }: HighlightOptions): Boundaries {
  return boundaryScanner === 'word' ? Boundaries.words(text) : Boundaries.sentences(text)
}

function beginning(text: FieldText, options: HighlightOptions): string[] {
  const value = text.values.find((candidate) => candidate.length > 0)
  if (value === undefined) return []
  return [value.slice(0, widenRight(value, options.noMatchSize, options))]
}
