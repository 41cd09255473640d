/** The form of an entry in the lists of components (`*-types.ts`). */
import type { Analyzer } from '../analyzer.ts'
import type { Chain } from '../index-analyzers/choose.ts'
import type { CharFilter, TokenFilter, Tokenizer } from './component.ts'
import type { ComponentSettings, SettingValue } from './component-settings.ts'

/** What a component may read from its index while it is built. */
export interface AnalysisEnvironment {
  /** `max_ngram_diff`, `max_shingle_diff`, … */
  readonly limits: ComponentSettings
  /** Lines of a file in the configuration folder (`stopwords_path`, `synonyms_path`). */
  readonly readLines: (setting: string, path: string) => string[]
  readonly filter: (name: string) => TokenFilterPart | undefined
  readonly analyzer: (name: string) => Analyzer | undefined
}

/** The components before a token filter, for filters that analyze their own settings (synonyms). */
export interface ChainSoFar {
  readonly charFilters: readonly CharFilter[]
  readonly tokenizer: Tokenizer
  readonly filters: readonly TokenFilterPart[]
}

export interface CharFilterPart {
  readonly name: string
  readonly normalizes: boolean
  readonly filter: CharFilter
}

export interface TokenizerPart {
  readonly name: string
  readonly tokenizer: Tokenizer
}

export interface TokenFilterPart {
  readonly name: string
  readonly normalizes: boolean
  readonly synonyms: SynonymUse
  /** Most filters are the same in every chain. */
  readonly inChain: (chain: ChainSoFar) => TokenFilter
}

/** How a filter treats the words of a synonym rule: applies, skips them, or forbids synonyms after itself. */
export type SynonymUse = 'same' | 'skip' | 'refuse'

/**
 * Whether a component can be used by its type name alone: not at all (false), or with these settings; by default with
 * none.
 */
export type Named = false | Readonly<Record<string, SettingValue>>

/** A filter has one of the two constructors; the second is for filters that need the chain before them. */
export type TokenFilterType = (
  | { readonly build: (settings: ComponentSettings, environment: AnalysisEnvironment) => TokenFilter }
  | {
      readonly buildInChain: (
        settings: ComponentSettings,
        environment: AnalysisEnvironment,
      ) => (chain: ChainSoFar) => TokenFilter
    }
) & {
  /** The filter works on single characters, so a normalizer may use it. */
  readonly normalizes?: true
  readonly synonyms?: SynonymUse
  readonly named?: Named
}

export interface TokenizerType {
  readonly build: (settings: ComponentSettings, environment: AnalysisEnvironment) => Tokenizer
  readonly named?: Named
}

export interface CharFilterType {
  readonly build: (settings: ComponentSettings, environment: AnalysisEnvironment) => CharFilter
  readonly normalizes?: true
  readonly named?: Named
}

export interface AnalyzerType {
  readonly build: (settings: ComponentSettings, environment: AnalysisEnvironment) => Chain
}
