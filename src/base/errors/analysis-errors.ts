/** Errors of analysis settings and of `_analyze`. */
import { ApiError, illegalArgument } from '../api-error.ts'

type Kind = 'analyzer' | 'normalizer' | 'tokenizer' | 'filter' | 'char_filter'

export const unknownComponentType = (kind: Kind, type: string, name: string): ApiError =>
  illegalArgument(`Unknown ${kind} type [${type}] for [${name}]`)

/** Elasticsearch's message says "analyzer" for every kind of component. */
export const componentWithoutType = (kind: Kind, name: string): ApiError =>
  illegalArgument(`${kind} [${name}] must specify either an analyzer type, or a tokenizer`)

export const componentNotFound = (kind: Kind, analyzer: string, name: string): ApiError =>
  illegalArgument(`Custom Analyzer [${analyzer}] failed to find ${kind} under name [${name}]`)

/** Former names of components, and Elasticsearch's message for each. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  'tokenizer nGram':
    'The [nGram] tokenizer name was deprecated in 7.6. Please use the tokenizer name to [ngram] for indices created in versions 8 ' +
    'or higher instead.',
  'tokenizer edgeNGram':
    'The [edgeNGram] tokenizer name was deprecated in 7.6. Please use the tokenizer name to [edge_ngram] for indices created in ' +
    'versions 8 or higher instead.',
  'filter standard': 'The [standard] token filter has been removed.',
}

export const globalComponentNotFound = (kind: Kind, name: string): ApiError =>
  illegalArgument(
    FORMER_NAMES[`${kind} ${name}`] ??
      (kind === 'analyzer'
        ? `failed to find global analyzer [${name}]`
        : `failed to find global ${kind} under [${name}]`),
  )

export const analyzerWithoutTokenizer = (name: string): ApiError =>
  illegalArgument(`Custom Analyzer [${name}] must be configured with a tokenizer`)

export const normalizerWithTokenizer = (name: string): ApiError =>
  illegalArgument(`Custom normalizer [${name}] cannot configure a tokenizer`)

/** `name` is absent for a custom normalizer defined inside the request. */
export const notForNormalizers = (kind: 'filter' | 'char filter', component: string, name?: string): ApiError =>
  illegalArgument(`Custom normalizer ${name === undefined ? '' : `[${name}] `}may not use ${kind} [${component}]`)

export const reservedAnalyzerName = (name: string): ApiError =>
  illegalArgument(`analyzer name must not start with '_'. got "${name}"`)

/** `default_index` is the old name of the `default` analyzer. */
export const renamedDefaultAnalyzer = (index: string): ApiError =>
  illegalArgument(
    'setting [index.analysis.analyzer.default_index] is not supported anymore, use [index.analysis.analyzer.default] ' +
      `instead for index [${index}]`,
  )

export const notForSynonyms = (filter: string): ApiError =>
  illegalArgument(`Token filter [${filter}] cannot be used to parse synonyms`)

/** `code` is the system's error code: `ENOENT`, `EISDIR`. */
export const unreadableAnalysisFile = (setting: string, path: string, code = 'ENOENT'): ApiError =>
  illegalArgument(
    `IOException while reading ${setting}: ${path}`,
    code === 'ENOENT'
      ? new ApiError(400, 'no_such_file_exception', path)
      : new ApiError(400, 'i_o_exception', code === 'EISDIR' ? 'Is a directory' : code),
  )

export const deniedAnalysisFile = (setting: string, path: string): ApiError =>
  illegalArgument(`Access denied trying to read file ${setting}: ${path}`)

export const undecodableAnalysisFile = (setting: string, path: string): ApiError =>
  illegalArgument(
    `Unsupported character encoding detected while reading ${setting}: ${path} - files must be UTF-8 encoded`,
  )

/** The same failure inside an index, where the message does not say `global`. */
export const indexComponentNotFound = (kind: Kind, name: string): ApiError =>
  illegalArgument(kind === 'analyzer' ? `failed to find analyzer [${name}]` : `failed to find ${kind} under [${name}]`)

export const componentNeedsSettings = (): ApiError =>
  illegalArgument("Analysis settings required - can't instantiate analysis factory")

export const inlineComponentWithoutType = (kind: Kind, definition: unknown): ApiError =>
  illegalArgument(`Missing [type] setting for anonymous ${kind}: ${JSON.stringify(definition, asText)}`)

/** Settings are texts, whatever they were written as. */
const asText = (_name: string, value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value

export const fieldNeedsIndex = (): ApiError => illegalArgument('analysis based on a specific field requires an index')

export const fieldNotAnalyzed = (field: string): ApiError =>
  illegalArgument(`Can't process field [${field}], Analysis requests are only supported on tokenized fields`)

export const tooManyTokens = (maximum: number): ApiError =>
  new ApiError(
    400,
    'status_exception',
    `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${maximum}]. ` +
      'This limit can be set by changing the [index.analyze.max_token_count] index level setting.',
  )

export const minGramTooLarge = () => illegalArgument('minGram must not be greater than maxGram')

export const minGramTooSmall = () => illegalArgument('minGram must be greater than zero')
