/**
 * The analyzers of a text field. A field without its own uses the defaults of its index: `default` for its values,
 * `default_search` for queries and `default_search_quoted` for phrases of a query string, each falling back to the one
 * before.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { javaText } from '../../values/java-text.ts'
import { type Parameter, type ParameterSite, parameter } from '../definition/parameter.ts'
import type { LeafMapper } from '../leaf-mapper.ts'
import type { MappingAnalyzer, MappingContext } from '../mapping-context.ts'

/** The analyzer name of a field without its own: `default` of the index, else `standard`. */
const DEFAULT_ANALYZER = 'default'
const DEFAULT_SEARCH = 'default_search'
const DEFAULT_QUOTED = 'default_search_quoted'

export function requireAnalyzer(context: MappingContext, name: string): MappingAnalyzer {
  const found = context.analysis.analyzer(name)
  if (found !== undefined) return found
  const standard = name === DEFAULT_ANALYZER ? context.analysis.analyzer('standard') : undefined
  if (standard !== undefined) return standard
  throw illegalArgument(`analyzer [${name}] has not been configured in mappings`)
}

const analyzerParameter = (name: string, updatable: boolean): Parameter =>
  parameter(name, DEFAULT_ANALYZER, (value, site: ParameterSite) => readAnalyzer(value, site), { updatable })

function readAnalyzer(value: unknown, site: ParameterSite): string {
  const name = javaText(value)
  requireAnalyzer(site.context, name)
  return name
}

export const analyzerParameters = (): Parameter[] => [
  analyzerParameter('analyzer', false),
  analyzerParameter('search_analyzer', true),
]

export const quoteAnalyzer = () => analyzerParameter('search_quote_analyzer', true)

/** Adds the index's search analyzers to fields without their own. */
export function completeAnalyzers(given: Map<string, unknown>, { context }: ParameterSite): void {
  if ((given.get('analyzer') ?? DEFAULT_ANALYZER) !== DEFAULT_ANALYZER) return
  const has = (name: string) => context.analysis.analyzer(name) !== undefined
  if (!given.has('search_analyzer') && has(DEFAULT_SEARCH)) given.set('search_analyzer', DEFAULT_SEARCH)
  const search = given.get('search_analyzer') ?? DEFAULT_ANALYZER
  if (search !== DEFAULT_SEARCH && search !== DEFAULT_ANALYZER) return
  if (!given.has('search_quote_analyzer') && has(DEFAULT_QUOTED)) given.set('search_quote_analyzer', DEFAULT_QUOTED)
}

export interface AnalyzerNames {
  readonly analyzer: string
  readonly search: string
  readonly quote: string
}

export function analyzerNames(leaf: LeafMapper): AnalyzerNames {
  const analyzer = leaf.text('analyzer')
  const search = leaf.isGiven('search_analyzer') ? leaf.text('search_analyzer') : analyzer
  const quote = leaf.isGiven('search_quote_analyzer') ? leaf.text('search_quote_analyzer') : search
  return { analyzer, search, quote }
}

/**
 * A search analyzer that equals the index analyzer is not printed; one that differs makes the analyzers before it
 * printed too.
 */
export function printedAnalyzer(leaf: LeafMapper, name: string): { value: unknown; shown: boolean } | undefined {
  const { analyzer, search, quote } = analyzerNames(leaf)
  const ownQuote = quote !== search && quote !== DEFAULT_QUOTED
  if (name === 'analyzer') {
    return { value: analyzer, shown: analyzer !== DEFAULT_ANALYZER || search !== analyzer || ownQuote }
  }
  if (name === 'search_analyzer') return { value: search, shown: search !== analyzer || ownQuote }
  if (name === 'search_quote_analyzer') return { value: quote, shown: ownQuote }
  return undefined
}
