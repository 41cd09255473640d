/** Options common to the term and phrase suggesters, and their grammar. */
import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { END_OBJECT } from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../request-reader.ts'

export type SuggestMode = 'missing' | 'popular' | 'always'

/** How candidates for a word are found. */
export interface SpellingOptions {
  mode: SuggestMode
  accuracy: number
  distance: StringDistance
  maxEdits: number
  maxInspections: number
  /** A count from 1 on, below that a fraction of the documents. */
  maxTermFrequency: number
  prefixLength: number
  minWordLength: number
  minDocFrequency: number
}

export const newSpellingOptions = (): SpellingOptions => ({
  mode: 'missing',
  accuracy: 0.5,
  distance: 'internal',
  maxEdits: 2,
  maxInspections: 5,
  maxTermFrequency: 0.01,
  prefixLength: 1,
  minWordLength: 4,
  minDocFrequency: 0,
})

/** Reads the members of a suggester; `read` returns whether it knew one. */
export function readSuggester(reader: RequestReader, kind: string, read: (member: string) => boolean): void {
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (!read(member)) throw reader.parsingError(`suggester[${kind}] doesn't support field [${member}]`)
  }
}

export function requireField(field: string | undefined): string {
  if (field === undefined) throw parseFailure('the required field option [field] is missing')
  return field
}

export function readSpellingOption(reader: RequestReader, member: string, options: SpellingOptions): boolean {
  switch (member) {
    case 'suggest_mode':
      options.mode = parseMode(reader.text())
      return true
    case 'accuracy':
      options.accuracy = between(reader.float(), 0, 1, 'accuracy must be between 0 and 1')
      return true
    case 'string_distance':
      options.distance = parseDistance(reader.text())
      return true
    case 'max_edits':
      options.maxEdits = between(reader.integer(), 1, 2, 'maxEdits must be between 1 and 2')
      return true
    case 'max_inspections':
      options.maxInspections = atLeast(reader.integer(), 0, 'maxInspections must be positive')
      return true
    case 'max_term_freq':
      options.maxTermFrequency = checkFrequency(reader.float(), 'maxTermFreq')
      return true
    case 'prefix_length':
      options.prefixLength = atLeast(reader.integer(), 0, 'prefixLength must be positive')
      return true
    case 'min_word_length':
      options.minWordLength = atLeast(reader.integer(), 1, 'minWordLength must be greater or equal to 1')
      return true
    case 'min_doc_freq':
      options.minDocFrequency = checkFrequency(reader.float(), 'minDocFreq')
      return true
    default:
      return false
  }
}

function checkFrequency(value: number, name: string): number {
  atLeast(value, 0, `${name} must be positive`)
  if (value > 1 && !Number.isInteger(value)) {
    throw illegalArgument(`if ${name} is greater than 1, it must not be a fraction`)
  }
  return Math.fround(value)
}

export function atLeast(value: number, least: number, reason: string): number {
  if (value < least) throw illegalArgument(reason)
  return value
}

function between(value: number, low: number, high: number, reason: string): number {
  if (value < low || value > high) throw illegalArgument(reason)
  return value
}

export function parseMode(text: string): SuggestMode {
  const mode = text.toLowerCase()
  if (mode === 'missing' || mode === 'popular' || mode === 'always') return mode
  throw illegalArgument(
    `No enum constant org.elasticsearch.search.suggest.term.TermSuggestionBuilder.SuggestMode.${text.toUpperCase()}`,
  )
}

function parseDistance(text: string): StringDistance {
  const name = text.toLowerCase()
  if (isStringDistance(name)) return name
  throw illegalArgument(`Illegal distance option ${text}`)
}

const DISTANCES = ['internal', 'damerau_levenshtein', 'levenshtein', 'jaro_winkler', 'ngram'] as const

export type StringDistance = (typeof DISTANCES)[number]

export function isStringDistance(name: string): name is StringDistance {
  return (DISTANCES as readonly string[]).includes(name)
}
