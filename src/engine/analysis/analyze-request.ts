/** `_analyze`: shows the tokens of a text, for the whole chain or component by component (`explain`). */
import { validationFailed } from '../../base/api-error.ts'
import {
  componentNeedsSettings,
  fieldNeedsIndex,
  fieldNotAnalyzed,
  globalComponentNotFound,
  indexComponentNotFound,
  inlineComponentWithoutType,
  notForNormalizers,
  tooManyTokens,
} from '../../base/errors/analysis-errors.ts'
import { type Analyzer, DEFAULT_POSITION_INCREMENT_GAP } from './analyzer.ts'
import { type AnalyzeOutput, explainChain, explainTokens, plainTokens, type TokenCounter } from './explain-analysis.ts'
import type { Chain } from './index-analyzers/choose.ts'
import { Normalizer } from './normalizer.ts'
import { type AnalysisRegistry, globalAnalysis, joinChain } from './registry/analysis-registry.ts'
import { flattenSettings } from './registry/analysis-settings.ts'
import { CHAR_FILTER_TYPES } from './registry/char-filter-types.ts'
import { ComponentSettings } from './registry/component-settings.ts'
import type { TokenizerPart } from './registry/component-types.ts'
import { TOKEN_FILTER_TYPES } from './registry/token-filter-types.ts'
import { TOKENIZER_TYPES } from './registry/tokenizer-types.ts'
import { keywordTokenizer } from './tokenizers/keyword.ts'

/** The name of a component, or an inline definition with its `type`. */
export type NameOrDefinition = string | Readonly<Record<string, unknown>>

export interface AnalyzeRequest {
  text: readonly string[]
  analyzer?: string | undefined
  normalizer?: string | undefined
  tokenizer?: NameOrDefinition | undefined
  filter?: readonly NameOrDefinition[] | undefined
  charFilter?: readonly NameOrDefinition[] | undefined
  field?: string | undefined
  explain?: boolean | undefined
  /** The attributes that `explain` shows; all when empty. */
  attributes?: readonly string[] | undefined
}

/** The index that the request names. */
export interface AnalyzeIndex {
  readonly registry: AnalysisRegistry
  /**
   * How a field is analyzed: a text field by its analyzer (with the field's position gap), a keyword field by its
   * normalizer or not at all; `none` for types without analysis; undefined for an unmapped field.
   */
  readonly field: (name: string) => Analyzer | Normalizer | 'keyword' | 'none' | undefined
}

/** Returns the response in wire form. `index` is absent for `/_analyze` without an index. */
export function analyzeRequest(request: AnalyzeRequest, index?: AnalyzeIndex): AnalyzeOutput {
  validate(request, index !== undefined)
  const { chain, name, gap, explainGap = gap } = chosenChain(request, index)
  const counter: TokenCounter = { left: (index?.registry ?? globalAnalysis).maxTokenCount, exceeded: tooManyTokens }
  counter.maximum = counter.left
  if (request.explain !== true) return { tokens: plainTokens(chain, request.text, gap, counter) }
  const attributes = request.attributes ?? []
  return chain.names === undefined
    ? { detail: explainTokens(name, chain, request.text, gap, attributes, counter) }
    : { detail: explainChain(chain, chain.names, request.text, explainGap, attributes, counter) }
}

function validate(request: AnalyzeRequest, hasIndex: boolean): void {
  const problems: string[] = []
  const hasParts =
    request.tokenizer !== undefined || (request.filter?.length ?? 0) > 0 || (request.charFilter?.length ?? 0) > 0
  if (request.text.length === 0) problems.push('text is missing')
  if (!hasIndex && request.normalizer !== undefined) problems.push('index is required if normalizer is specified')
  if (request.normalizer !== undefined && (request.tokenizer !== undefined || request.analyzer !== undefined)) {
    problems.push('tokenizer/analyze should be null if normalizer is specified')
  }
  if (request.analyzer !== undefined && hasParts) problems.push('cannot define extra components on a named analyzer')
  if (request.normalizer !== undefined && hasParts)
    problems.push('cannot define extra components on a named normalizer')
  if (request.field !== undefined && hasParts) {
    problems.push('cannot define extra components on a field-specific analyzer')
  }
  if (problems.length > 0) throw validationFailed(...problems)
}

interface ChosenChain {
  chain: Chain
  name: string
  gap: number
  /** The gap in `explain`, where it differs from the plain response. */
  explainGap?: number
}

function chosenChain(request: AnalyzeRequest, index: AnalyzeIndex | undefined): ChosenChain {
  const registry = index?.registry ?? globalAnalysis
  if (request.analyzer !== undefined) {
    const analyzer = registry.analyzer(request.analyzer)
    if (analyzer !== undefined) return ofAnalyzer(analyzer, index)
    throw notFound('analyzer', request.analyzer, index)
  }
  if (request.normalizer !== undefined) {
    const normalizer = registry.normalizer(request.normalizer)
    if (normalizer !== undefined) return ofNormalizer(normalizer)
    throw notFound('normalizer', request.normalizer, index)
  }
  if (request.tokenizer !== undefined) return ofParts(request, request.tokenizer, index)
  if ((request.filter?.length ?? 0) > 0 || (request.charFilter?.length ?? 0) > 0)
    return ofParts(request, undefined, index)
  if (request.field !== undefined) {
    if (index === undefined) throw fieldNeedsIndex()
    const field = index.field(request.field)
    if (field === 'none') throw fieldNotAnalyzed(request.field)
    if (field === 'keyword') {
      return { chain: { charFilters: [], tokenizer: keywordTokenizer(), filters: [] }, name: '_keyword', gap: 0 }
    }
    if (field !== undefined) return field instanceof Normalizer ? ofNormalizer(field) : ofAnalyzer(field, index)
  }
  return ofAnalyzer(registry.analyzer('default')!, index)
}

/** The position gap between array values belongs to a field of an index; an analyzer outside an index has none. */
function ofAnalyzer(analyzer: Analyzer, index: AnalyzeIndex | undefined): ChosenChain {
  return { chain: analyzer.chain, name: analyzer.name, gap: index === undefined ? 0 : analyzer.positionIncrementGap }
}

function ofNormalizer(normalizer: Normalizer): ChosenChain {
  return { chain: normalizer.chain, name: normalizer.name, gap: 0 }
}

/** A custom chain in the request. Without a tokenizer it is a normalizer. */
function ofParts(
  request: AnalyzeRequest,
  tokenizer: NameOrDefinition | undefined,
  index: AnalyzeIndex | undefined,
): ChosenChain {
  const registry = index?.registry ?? globalAnalysis
  const normalizes = tokenizer === undefined
  const charFilters = (request.charFilter ?? []).map((part) => {
    // Unlike a normalizer of an index, one in the request may have any character filter.
    return resolve('char_filter', part, index, CHAR_FILTER_TYPES, {
      named: (name) => registry.charFilter(name),
      built: (settings) => registry.buildCharFilter(settings),
    })
  })
  const tokenizerPart: TokenizerPart = normalizes
    ? { name: 'keyword', tokenizer: keywordTokenizer() }
    : resolve('tokenizer', tokenizer, index, TOKENIZER_TYPES, {
        named: (name) => registry.tokenizer(name),
        built: (settings) => registry.buildTokenizer(settings),
      })
  const filters = (request.filter ?? []).map((part) => {
    const found = resolve('filter', part, index, TOKEN_FILTER_TYPES, {
      named: (name) => registry.filter(name),
      built: (settings) => registry.buildFilter(settings),
    })
    if (normalizes && !found.normalizes) throw notForNormalizers('filter', found.name)
    return found
  })
  const chain = joinChain(charFilters, tokenizerPart, filters)
  return { chain, name: '', gap: normalizes ? 0 : DEFAULT_POSITION_INCREMENT_GAP, explainGap: 0 }
}

interface Source<Part> {
  named: (name: string) => Part | undefined
  built: (settings: ComponentSettings) => Part
}

function resolve<Part>(
  kind: 'tokenizer' | 'filter' | 'char_filter',
  part: NameOrDefinition,
  index: AnalyzeIndex | undefined,
  types: Readonly<Record<string, unknown>>,
  source: Source<Part>,
): Part {
  if (typeof part === 'string') {
    const found = source.named(part)
    if (found !== undefined) return found
    if (index === undefined && Object.hasOwn(types, part)) throw componentNeedsSettings()
    throw notFound(kind, part, index)
  }
  const values = flattenSettings(part)
  const type = values.get('type')
  if (type === undefined) throw inlineComponentWithoutType(kind, part)
  if (typeof type !== 'string' || !Object.hasOwn(types, type)) throw globalComponentNotFound(kind, String(type))
  return source.built(new ComponentSettings(`__anonymous__${type}`, values))
}

function notFound(
  kind: 'analyzer' | 'normalizer' | 'tokenizer' | 'filter' | 'char_filter',
  name: string,
  index: AnalyzeIndex | undefined,
) {
  return index === undefined ? globalComponentNotFound(kind, name) : indexComponentNotFound(kind, name)
}
