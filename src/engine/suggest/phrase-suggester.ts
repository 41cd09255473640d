/**
 * The `phrase` suggester: corrects a whole text. Every word has candidates; of all sequences with few enough changed
 * words, those more likely than the text itself are suggested.
 */
import { illegalArgument } from '../../base/api-error.ts'
import type { FieldType } from '../mapping/field-type.ts'
import { storageName } from '../mapping/storage-name.ts'
import type { CandidateGenerator, PhraseRequest } from '../request/suggest/phrase-request.ts'
import type { SuggestEntry, SuggestText } from '../request/suggest/suggest-request.ts'
import { newSpellingOptions } from '../request/suggest/suggester-options.ts'
import type { QueryToken, SearchExecutionContext } from '../scoring/query.ts'
import { docFrequency, spellingCandidates } from './spelling.ts'
import { requireText, suggestField, suggestTokens } from './term-suggester.ts'
import { WordModel } from './word-model.ts'

export interface PhraseOption {
  readonly text: string
  readonly highlighted: string | undefined
  readonly score: number
}

interface WordCandidate {
  readonly text: string
  /** The similarity of the candidate to the original word. */
  readonly likeness: number
  readonly frequencyScore: number
  /** Whether this is the original word. */
  readonly isOriginal: boolean
}

interface WordPlace {
  readonly original: WordCandidate
  readonly candidates: readonly WordCandidate[]
}

/** Frequencies up to this value are used directly; above, candidates must be exponentially more frequent. */
const FREQUENCY_BASE = 5

export function suggestPhrases(
  context: SearchExecutionContext,
  request: PhraseRequest,
  texts: SuggestText,
): SuggestEntry<PhraseOption>[] {
  const text = requireText(texts)
  if (request.collates) throw illegalArgument('script_lang not supported [mustache]')
  const field = suggestField(context, request.field)
  const name = storageName(field)
  const tokens = suggestTokens(context, field, text, request.analyzer)
  if (request.forceUnigrams && request.generators.length === 0) checkUnigrams(context, field, request)
  const entry = (options: PhraseOption[]) => [{ text, offset: 0, length: text.length, options }]
  const model = new WordModel(context.view.segments, name, request.smoothing, request.separator)
  const words = tokens.filter((token) => !request.forceUnigrams || kindOf(token) !== 'shingle')
  if (words.length === 0 || words.length >= request.tokenLimit) return entry([])
  if (!context.view.segments.some(({ reader }) => reader.terms(name) !== undefined)) return entry([])
  const places = words.map(({ term }) => placeOf(context, request, name, term, model))
  const gramSize = request.gramSize ?? shingleSize(tokens, request.separator)
  return entry(new PhraseSearch(places, model, request, gramSize).run())
}

/** Candidates are single words, so a field with only shingles has none. */
function checkUnigrams(context: SearchExecutionContext, field: FieldType, { analyzer }: PhraseRequest): void {
  const tokens = suggestTokens(context, field, 'first second third', analyzer)
  if (tokens.length === 0 || tokens.some((token) => kindOf(token) !== 'shingle')) return
  throw illegalArgument(
    `The default candidate generator for phrase suggest can't operate on field: [${field.name}] since it doesn't emit ` +
      'unigrams. If this is intentional try to set the candidate generator field explicitly',
  )
}

const kindOf = (token: QueryToken) => ('type' in token ? token.type : undefined)

/** The number of words in the longest shingle; one if there are none. */
function shingleSize(tokens: readonly QueryToken[], separator: string): number {
  let size = 1
  for (const token of tokens) {
    if (kindOf(token) === 'shingle') size = Math.max(size, token.term.split(separator).length)
  }
  return size
}

function placeOf(
  context: SearchExecutionContext,
  request: PhraseRequest,
  field: string,
  word: string,
  model: WordModel,
): WordPlace {
  const generators: readonly CandidateGenerator[] = request.generators
  const candidates = new Map<string, WordCandidate>()
  const add = (text: string, likeness: number) => {
    if (text === word || candidates.has(text)) return
    candidates.set(text, { text, likeness, frequencyScore: likeness * (model.count(text) + 1), isOriginal: false })
  }
  if (generators.length === 0) drawCandidates(context, defaultGenerator(field), word, add)
  else for (const generator of generators) drawCandidates(context, generator, word, add)
  let drawn = [...candidates.values()]
  if (drawn.length > request.shardSize) {
    drawn = drawn.sort((a, b) => b.frequencyScore - a.frequencyScore).slice(0, request.shardSize)
  }
  return { original: { text: word, likeness: 1, frequencyScore: 0, isOriginal: true }, candidates: drawn }
}

function defaultGenerator(field: string): CandidateGenerator {
  return {
    field,
    size: 5,
    preFilter: undefined,
    postFilter: undefined,
    spelling: newSpellingOptions(),
  }
}

function drawCandidates(
  context: SearchExecutionContext,
  generator: CandidateGenerator,
  word: string,
  add: (text: string, likeness: number) => void,
): void {
  const { segments } = context.view
  const field = context.mapping.field(generator.field)
  const name = storageName(field) ?? generator.field
  const looked = filtered(context, generator.preFilter, word)
  const spelling =
    generator.spelling.mode === 'always'
      ? generator.spelling
      : { ...generator.spelling, minDocFrequency: frequencyThreshold(docFrequency(segments, name, looked)) }
  for (const { text, score } of spellingCandidates(segments, name, looked, generator.size, spelling)) {
    add(filtered(context, generator.postFilter, text), score)
  }
}

function filtered(context: SearchExecutionContext, analyzerName: string | undefined, word: string): string {
  const tokens = analyzerName === undefined ? undefined : context.analyzer(analyzerName)?.tokens(word)
  return tokens?.[tokens.length - 1]?.term ?? word
}

/** A frequent word is replaced only by a far more frequent one. */
function frequencyThreshold(docFreq: number): number {
  if (docFreq <= 0) return 0
  return Math.max(0, Math.round(docFreq * (Math.log10(docFreq) / Math.log10(FREQUENCY_BASE) + 1)))
}

interface Correction {
  readonly score: number
  readonly words: readonly WordCandidate[]
}

/** Enumerates sequences with at most `maxErrors` changed words and keeps the most likely. */
class PhraseSearch {
  readonly #places: readonly WordPlace[]
  readonly #model: WordModel
  readonly #request: PhraseRequest
  readonly #gramSize: number
  readonly #cutoff: number
  readonly #found: Correction[]

  constructor(places: readonly WordPlace[], model: WordModel, request: PhraseRequest, gramSize: number) {
    this.#places = places
    this.#model = model
    this.#request = request
    this.#gramSize = gramSize
    this.#found = []
    const { confidence } = request
    this.#cutoff = confidence > 0 ? this.#originalScore() * confidence : Number.MIN_VALUE
  }

  run(): PhraseOption[] {
    const { maxErrors, shardSize } = this.#request
    const errors = maxErrors >= 1 ? Math.trunc(maxErrors) : Math.round(maxErrors * this.#places.length)
    this.#walk([], Math.max(1, errors), 0)
    const best = this.#found.sort((a, b) => b.score - a.score).slice(0, shardSize)
    return best.map(({ words, score }) => ({
      text: words.map(({ text }) => text).join(' '),
      highlighted: this.#highlight(words),
      score: Math.fround(score),
    }))
  }

  #originalScore(): number {
    const path = this.#places.map(({ original }) => original)
    return Math.exp(path.reduce((sum, _, at) => sum + this.#score(path, at), 0))
  }

  #walk(path: readonly WordCandidate[], errorsLeft: number, score: number): void {
    const at = path.length
    if (at === this.#places.length) {
      const likelihood = Math.exp(score)
      if (likelihood > this.#cutoff) this.#found.push({ score: likelihood, words: path })
      return
    }
    const { original, candidates } = this.#places[at]!
    const step = (word: WordCandidate, left: number) => {
      const next = [...path, word]
      this.#walk(next, left, score + this.#score(next, at))
    }
    step(original, errorsLeft)
    if (errorsLeft > 0) for (const candidate of candidates) step(candidate, errorsLeft - 1)
  }

  #score(path: readonly WordCandidate[], at: number): number {
    const { likeness } = path[at]!
    const channel = likeness === 1 ? this.#request.realWordErrorLikelihood : likeness
    const words = path.map(({ text }) => text)
    return Math.log10(channel * this.#model.likelihood(words, at, this.#gramSize))
  }

  /** Adjacent changed words are highlighted as one. */
  #highlight(words: readonly WordCandidate[]): string | undefined {
    const { tags } = this.#request
    if (tags === undefined) return undefined
    return words
      .map(({ text, isOriginal }, i) => {
        if (isOriginal) return text
        const opens = i === 0 || words[i - 1]!.isOriginal
        const closes = i === words.length - 1 || words[i + 1]!.isOriginal
        return `${opens ? tags.pre : ''}${text}${closes ? tags.post : ''}`
      })
      .join(' ')
  }
}

/** Merges the lists of several shards; the better score wins. */
export function mergePhrases(lists: readonly (readonly PhraseOption[])[], size: number): PhraseOption[] {
  const merged = new Map<string, PhraseOption>()
  for (const option of lists.flat()) {
    const known = merged.get(option.text)
    if (known === undefined || option.score > known.score) merged.set(option.text, option)
  }
  return [...merged.values()].sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1)).slice(0, size)
}
