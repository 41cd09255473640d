/** The `phrase` suggester of a request. */

import { illegalArgument } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { END_ARRAY, END_OBJECT, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../request-reader.ts'
import {
  atLeast,
  newSpellingOptions,
  readSpellingOption,
  readSuggester,
  requireField,
  type SpellingOptions,
} from './suggester-options.ts'

/** Finds candidates for single words, in the field of the phrases or in another one. */
export interface CandidateGenerator {
  readonly field: string
  readonly size: number
  /** Analyzers for a word before its lookup, and for a candidate before its use. */
  readonly preFilter: string | undefined
  readonly postFilter: string | undefined
  readonly spelling: Readonly<SpellingOptions>
}

export type SmoothingModel =
  | { readonly kind: 'stupid_backoff'; readonly discount: number }
  | { readonly kind: 'laplace'; readonly alpha: number }
  | {
      readonly kind: 'linear_interpolation'
      readonly trigramLambda: number
      readonly bigramLambda: number
      readonly unigramLambda: number
    }

export interface PhraseRequest {
  readonly kind: 'phrase'
  readonly field: string
  readonly analyzer: string | undefined
  readonly size: number
  readonly shardSize: number
  readonly confidence: number
  /** A count from 1 on, below that a fraction of the words. */
  readonly maxErrors: number
  readonly realWordErrorLikelihood: number
  /** Undefined: the analyzer's shingle size, or single words. */
  readonly gramSize: number | undefined
  readonly separator: string
  readonly forceUnigrams: boolean
  readonly tokenLimit: number
  readonly smoothing: SmoothingModel
  readonly generators: readonly CandidateGenerator[]
  /** Whether suggestions are checked by a collate template, for which there is no script language. */
  readonly collates: boolean
  readonly tags: { readonly pre: string; readonly post: string } | undefined
}

const SIZE_DEFAULT = 5
const GENERATOR_SIZE_DEFAULT = 5

type Draft = { -readonly [K in keyof PhraseRequest]: PhraseRequest[K] }

export function parsePhrase(reader: RequestReader): PhraseRequest {
  const draft: Omit<Draft, 'field' | 'shardSize'> & { field?: string; shardSize?: number } = {
    kind: 'phrase',
    analyzer: undefined,
    size: SIZE_DEFAULT,
    confidence: 1,
    maxErrors: 0.5,
    realWordErrorLikelihood: 0.95,
    gramSize: undefined,
    separator: ' ',
    forceUnigrams: true,
    tokenLimit: 10,
    smoothing: { kind: 'stupid_backoff', discount: 0.4 },
    generators: [],
    collates: false,
    tags: undefined,
  }
  readSuggester(reader, 'phrase', (member) => {
    switch (member) {
      case 'field':
        draft.field = reader.text()
        return true
      case 'analyzer':
        draft.analyzer = reader.text()
        return true
      case 'size':
        draft.size = atLeast(reader.integer(), 1, 'size must be positive')
        return true
      case 'shard_size':
        draft.shardSize = atLeast(reader.integer(), 1, 'shardSize must be positive')
        return true
      case 'confidence':
        draft.confidence = atLeast(reader.float(), 0, 'confidence must be >= 0.0')
        return true
      case 'max_errors':
        draft.maxErrors = reader.float()
        if (draft.maxErrors <= 0) throw illegalArgument('max_error must be > 0.0')
        return true
      case 'real_word_error_likelihood':
        draft.realWordErrorLikelihood = reader.float()
        if (draft.realWordErrorLikelihood <= 0) throw illegalArgument('real_word_error_likelihood must be > 0.0')
        return true
      case 'gram_size':
        draft.gramSize = atLeast(reader.integer(), 1, 'gramSize must be >= 1')
        return true
      case 'separator':
        draft.separator = reader.text()
        return true
      case 'force_unigrams':
        draft.forceUnigrams = reader.boolean()
        return true
      case 'token_limit':
        draft.tokenLimit = atLeast(reader.integer(), 1, 'token_limit must be >= 1')
        return true
      case 'smoothing':
        draft.smoothing = parseSmoothing(reader)
        return true
      case 'direct_generator':
        draft.generators = parseGenerators(reader)
        return true
      case 'collate':
        reader.skipChildren()
        draft.collates = true
        return true
      case 'highlight':
        draft.tags = parseTags(reader)
        return true
      default:
        return false
    }
  })
  const field = requireField(draft.field)
  return { ...draft, field, shardSize: draft.shardSize ?? Math.max(draft.size, SIZE_DEFAULT) }
}

function parseGenerators(reader: RequestReader): CandidateGenerator[] {
  const generators: CandidateGenerator[] = []
  if (!reader.is(START_ARRAY)) return [parseGenerator(reader)]
  while (reader.next() !== END_ARRAY) generators.push(parseGenerator(reader))
  return generators
}

function parseGenerator(reader: RequestReader): CandidateGenerator {
  const spelling = newSpellingOptions()
  let field: string | undefined
  let size = GENERATOR_SIZE_DEFAULT
  let preFilter: string | undefined
  let postFilter: string | undefined
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    const place = reader.tokenOffset
    reader.next()
    if (member === 'field') field = reader.text()
    else if (member === 'size') size = atLeast(reader.integer(), 1, 'size must be positive')
    else if (member === 'pre_filter') preFilter = reader.text()
    else if (member === 'post_filter') postFilter = reader.text()
    else if (!readSpellingOption(reader, member, spelling)) {
      throw reader.contentError(`[direct_generator] unknown field [${member}]`, undefined, place)
    }
  }
  if (field === undefined) throw requiredMember('field')
  return { field, size, preFilter, postFilter, spelling }
}

function parseSmoothing(reader: RequestReader): SmoothingModel {
  let model: SmoothingModel | undefined
  while (reader.next() !== END_OBJECT) {
    const kind = reader.name
    reader.next()
    if (!reader.is(START_OBJECT)) {
      throw reader.parsingError(`[smoothing] unknown token [${reader.tokenName}] after [${kind}]`)
    }
    const numbers = readNumbers(reader)
    if (kind === 'stupid_backoff' || kind === 'stupidbackoff') {
      model = { kind: 'stupid_backoff', discount: numbers.get('discount') ?? 0.4 }
    } else if (kind === 'laplace') model = { kind: 'laplace', alpha: numbers.get('alpha') ?? 0.5 }
    else if (kind === 'linear') model = linearInterpolation(numbers)
    else throw illegalArgument(`suggester[phrase] doesn't support object field [${kind}]`)
  }
  if (model === undefined) throw reader.parsingError('[smoothing] requires a smoothing model')
  return model
}

function linearInterpolation(numbers: ReadonlyMap<string, number>): SmoothingModel {
  const trigramLambda = numbers.get('trigram_lambda') ?? 0
  const bigramLambda = numbers.get('bigram_lambda') ?? 0
  const unigramLambda = numbers.get('unigram_lambda') ?? 0
  if (Math.abs(trigramLambda + bigramLambda + unigramLambda - 1) > 0.001) {
    throw illegalArgument('linear smoothing lambdas must sum to 1')
  }
  return { kind: 'linear_interpolation', trigramLambda, bigramLambda, unigramLambda }
}

function readNumbers(reader: RequestReader): Map<string, number> {
  const numbers = new Map<string, number>()
  while (reader.next() !== END_OBJECT) {
    const { name } = reader
    reader.next()
    numbers.set(name, reader.float())
  }
  return numbers
}

function parseTags(reader: RequestReader): { pre: string; post: string } | undefined {
  let pre: string | undefined
  let post: string | undefined
  while (reader.next() !== END_OBJECT) {
    const { name } = reader
    reader.next()
    if (name === 'pre_tag') pre = reader.text()
    else if (name === 'post_tag') post = reader.text()
    else throw illegalArgument(`suggester[phrase][highlight] doesn't support field [${name}]`)
  }
  if ((pre === undefined) !== (post === undefined)) {
    throw illegalArgument('Pre and post tag must both be null or both not be null.')
  }
  return pre === undefined || post === undefined ? undefined : { pre, post }
}
