/**
 * The plain highlighter: a value is divided into fragments of about a size; a fragment scores by its distinct words,
 * and the best are shown.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import type { HighlightOptions } from '../../request/highlight/highlight-options.ts'
import { escapeHtml } from './escape-html.ts'
import type { TextToken } from './field-text.ts'
import { spanWindows } from './phrase-windows.ts'
import type { QueryWord } from './query-words.ts'

export interface PlainValue {
  readonly text: string
  readonly tokens: readonly TextToken[]
}

export function plainFragments(
  field: string,
  values: readonly PlainValue[],
  words: readonly QueryWord[],
  options: HighlightOptions,
): string[] {
  const { fragmentCount, fragmenter, noMatchSize } = options
  if (fragmenter !== undefined && fragmenter !== 'simple' && fragmenter !== 'span') {
    throw illegalArgument(`unknown fragmenter option [${fragmenter}] for the field [${field}]`)
  }
  if (fragmentCount < 0) throw illegalArgument(`maxSize must be >= 0 and < 2147483631; got: ${fragmentCount}`)
  const limit = fragmentCount === 0 ? 1 : fragmentCount
  const found: Fragment[] = []
  for (const value of values) {
    const fragments = new ValueFragments(value, words, options).run()
    // The earlier of equal fragments is better.
    const best = fragments.sort((a, b) => b.score - a.score || a.number - b.number).slice(0, limit)
    found.push(...best.filter(({ score }) => score > 0).sort((a, b) => a.number - b.number))
  }
  if (options.byScore) found.sort((a, b) => Math.round(b.score - a.score))
  const all = fragmentCount === 0 && values.length > 1
  if (found.length > 0) return (all ? found : found.slice(0, limit)).map(({ text }) => text)
  const excerpt = noMatchSize > 0 && values.length > 0 ? beginning(values[0]!, noMatchSize) : ''
  return excerpt === '' ? [] : [excerpt]
}

interface Fragment {
  readonly number: number
  text: string
  score: number
}

/** A word in one value: its weight, and its positions if it counts only as part of a phrase. */
interface KnownWord {
  weight: number
  spans: { start: number; end: number }[] | undefined
}

class ValueFragments {
  readonly #value: PlainValue
  readonly #options: HighlightOptions
  readonly #known: Map<string, KnownWord>
  readonly #fragments: Fragment[]
  #seen: Set<string>
  #written: number
  #waitForPosition: number

  constructor(value: PlainValue, words: readonly QueryWord[], options: HighlightOptions) {
    this.#value = value
    this.#options = options
    this.#known = knownWords(words, value.tokens)
    this.#fragments = [{ number: 0, text: '', score: 0 }]
    this.#seen = new Set()
    this.#written = 0
    this.#waitForPosition = -1
  }

  run(): Fragment[] {
    const { tokens, text } = this.#value
    let group: { start: number; end: number; score: number; last: number } | undefined
    for (const token of tokens) {
      // Overlapping tokens (synonyms, parts of words) are marked together.
      if (group !== undefined && token.start >= group.last) {
        this.#write(group)
        group = undefined
        if (this.#beginsFragment(token)) {
          this.#fragments.push({ number: this.#fragments.length, text: '', score: 0 })
          this.#seen = new Set()
        }
      }
      const score = this.#score(token)
      if (group === undefined) group = { start: token.start, end: token.end, score, last: token.end }
      else {
        group.last = Math.max(group.last, token.end)
        if (score > 0) {
          group.start = group.score === 0 ? token.start : Math.min(group.start, token.start)
          group.end = group.score === 0 ? token.end : Math.max(group.end, token.end)
          group.score += score
        }
      }
    }
    if (group !== undefined) this.#write(group)
    if (this.#written < text.length) this.#append(text.slice(this.#written))
    return this.#fragments
  }

  #score(token: TextToken): number {
    const word = this.#known.get(token.term)
    if (word === undefined) return 0
    const { position } = token
    if (word.spans !== undefined && !word.spans.some(({ start, end }) => start <= position && position <= end)) return 0
    if (!this.#seen.has(token.term)) {
      this.#fragments[this.#fragments.length - 1]!.score += word.weight
      this.#seen.add(token.term)
    }
    return word.weight
  }

  #write({ start, end, score }: { start: number; end: number; score: number }): void {
    const { text } = this.#value
    if (start > this.#written) this.#append(text.slice(this.#written, start))
    const { preTags, postTags } = this.#options
    const marked = this.#encode(text.slice(start, end))
    this.#fragments[this.#fragments.length - 1]!.text += score > 0 ? preTags[0] + marked + postTags[0] : marked
    this.#written = Math.max(end, this.#written)
  }

  #append(text: string): void {
    this.#fragments[this.#fragments.length - 1]!.text += this.#encode(text)
  }

  #encode(text: string): string {
    return this.#options.encodeHtml ? escapeHtml(text) : text
  }

  /**
   * A fragment ends at the first token beyond its size; `span` keeps phrases whole and leaves no short fragment at the
   * end.
   */
  #beginsFragment(token: TextToken): boolean {
    const { fragmentCount, fragmentSize, fragmenter } = this.#options
    if (fragmentCount === 0) return false
    const beyond = token.end >= fragmentSize * this.#fragments.length
    if (fragmenter === 'simple') return beyond
    if (this.#waitForPosition <= token.position) this.#waitForPosition = -1
    else if (this.#waitForPosition !== -1) return false
    const span = this.#known.get(token.term)?.spans?.find(({ start }) => start === token.position)
    if (span !== undefined) this.#waitForPosition = span.end + 1
    return beyond && this.#value.text.length - token.end >= fragmentSize >>> 1
  }
}

function knownWords(words: readonly QueryWord[], tokens: readonly TextToken[]): Map<string, KnownWord> {
  const known = new Map<string, KnownWord>()
  const addAnywhere = (term: string, weight: number) => {
    known.set(term, { weight: Math.max(known.get(term)?.weight ?? 0, weight), spans: undefined })
  }
  for (const word of words) {
    if (word.kind === 'term') {
      if (word.isExpanded !== true) addAnywhere(word.term, word.boost)
    } else if (word.kind === 'terms') {
      for (const { term } of tokens) if (word.matches(term)) addAnywhere(term, word.boost)
    } else {
      for (const window of spanWindows(word, tokens)) {
        const positions = window.map(({ position }) => position)
        const span = { start: Math.min(...positions), end: Math.max(...positions) }
        for (const { term } of window) {
          const entry = known.get(term)
          if (entry === undefined) known.set(term, { weight: word.boost, spans: [span] })
          else entry.spans?.push(span)
        }
      }
    }
  }
  return known
}

/** The start of a value, up to the last token that fits. */
function beginning({ text, tokens }: PlainValue, size: number): string {
  let end = 0
  for (const token of tokens) {
    if (token.end > size) break
    end = token.end
    if (end === size) break
  }
  return text.slice(0, end)
}
