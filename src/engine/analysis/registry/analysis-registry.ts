/**
 * The analyzers, normalizers and components of one index: the built-in ones and those of its settings.
 *
 * Everything that the settings define is built with the registry, so that an error is reported for the request that
 * contains it and not for the first document.
 */
import {
  analyzerWithoutTokenizer,
  componentNotFound,
  componentWithoutType,
  normalizerWithTokenizer,
  notForNormalizers,
  reservedAnalyzerName,
  unknownComponentType,
  unreadableAnalysisFile,
} from '../../../base/errors/analysis-errors.ts'
import { Analyzer, DEFAULT_POSITION_INCREMENT_GAP } from '../analyzer.ts'
import type { Chain } from '../index-analyzers/choose.ts'
import { Normalizer } from '../normalizer.ts'
import { keywordTokenizer } from '../tokenizers/keyword.ts'
import { type AnalysisSettings, type ComponentKind, parseAnalysisSettings } from './analysis-settings.ts'
import { ANALYZER_TYPES } from './analyzer-types.ts'
import { CHAR_FILTER_TYPES } from './char-filter-types.ts'
import { ComponentSettings } from './component-settings.ts'
import type { AnalysisEnvironment, CharFilterPart, Named, TokenFilterPart, TokenizerPart } from './component-types.ts'
import { deriveAnalyzer, readDerivedName } from './derived-analyzers.ts'
import { TOKEN_FILTER_TYPES } from './token-filter-types.ts'
import { TOKENIZER_TYPES } from './tokenizer-types.ts'

const KEYWORD: TokenizerPart = { name: 'keyword', tokenizer: keywordTokenizer() }

export class AnalysisRegistry {
  readonly #settings: AnalysisSettings
  readonly #environment: AnalysisEnvironment
  readonly #analyzers = new Map<string, Analyzer | undefined>()
  readonly #normalizers = new Map<string, Normalizer | undefined>()
  readonly #tokenizers = new Map<string, TokenizerPart | undefined>()
  readonly #filters = new Map<string, TokenFilterPart | undefined>()
  readonly #charFilters = new Map<string, CharFilterPart | undefined>()

  private constructor(settings: AnalysisSettings) {
    this.#settings = settings
    this.#environment = {
      limits: settings.limits,
      readLines: (setting, path) => {
        const lines = settings.files.get(path)
        if (lines === undefined) throw unreadableAnalysisFile(setting, path)
        return [...lines]
      },
      filter: (name) => this.filter(name),
      analyzer: (name) => this.analyzer(name),
    }
  }

  /** Throws Elasticsearch's error if a component is defined incorrectly. */
  static fromSettings(settings: Readonly<Record<string, unknown>>): AnalysisRegistry {
    const registry = new AnalysisRegistry(parseAnalysisSettings(settings))
    const { components } = registry.#settings
    for (const name of components.char_filter.keys()) registry.charFilter(name)
    for (const name of components.tokenizer.keys()) registry.tokenizer(name)
    for (const name of components.filter.keys()) registry.filter(name)
    for (const name of components.analyzer.keys()) {
      if (name.startsWith('_')) throw reservedAnalyzerName(name)
      registry.analyzer(name)
    }
    for (const name of components.normalizer.keys()) registry.normalizer(name)
    return registry
  }

  get environment(): AnalysisEnvironment {
    return this.#environment
  }

  /** `index.analyze.max_token_count` */
  get maxTokenCount(): number {
    return this.#settings.limits.integer('analyze.max_token_count', 10_000)
  }

  /** Whether the settings of the index define an analyzer of this name. */
  defines(name: string): boolean {
    return this.#settings.components.analyzer.has(name)
  }

  analyzer(name: string): Analyzer | undefined {
    return remember(this.#analyzers, name, () => {
      const settings = this.#defined('analyzer', name)
      if (settings !== undefined) return this.#definedAnalyzer(settings)
      const derived = readDerivedName(name)
      if (derived !== undefined) {
        const base = this.analyzer(derived.base)
        return base && deriveAnalyzer(name, base, derived.derivation, derived.size)
      }
      // An index without a `default` analyzer uses `standard`.
      const type = name === 'default' ? 'standard' : name
      if (!Object.hasOwn(ANALYZER_TYPES, type)) return undefined
      return new Analyzer(name, ANALYZER_TYPES[type]!.build(new ComponentSettings(name), this.#environment))
    })
  }

  normalizer(name: string): Normalizer | undefined {
    return remember(this.#normalizers, name, () => {
      const settings = this.#defined('normalizer', name)
      if (settings === undefined) return name === 'lowercase' ? this.#lowercaseNormalizer(name) : undefined
      const type = settings.string('type') ?? 'custom'
      if (type === 'lowercase') return this.#lowercaseNormalizer(name)
      if (type !== 'custom') throw unknownComponentType('normalizer', type, name)
      if (settings.has('tokenizer')) throw normalizerWithTokenizer(name)
      const charFilters = (settings.list('char_filter') ?? []).map((part) => {
        const found = this.charFilter(part)
        if (found === undefined) throw componentNotFound('char_filter', name, part)
        if (!found.normalizes) throw notForNormalizers('char filter', part, name)
        return found
      })
      const filters = (settings.list('filter') ?? []).map((part) => {
        const found = this.filter(part)
        if (found === undefined) throw componentNotFound('filter', name, part)
        if (!found.normalizes) throw notForNormalizers('filter', part, name)
        return found
      })
      return new Normalizer(name, joinChain(charFilters, KEYWORD, filters))
    })
  }

  tokenizer(name: string): TokenizerPart | undefined {
    return remember(this.#tokenizers, name, () => {
      const settings = this.#defined('tokenizer', name)
      if (settings !== undefined) return this.buildTokenizer(settings)
      const type = ownEntry(TOKENIZER_TYPES, name)
      if (type === undefined || type.named === false) return undefined
      return { name, tokenizer: type.build(namedSettings(name, type.named), this.#environment) }
    })
  }

  filter(name: string): TokenFilterPart | undefined {
    return remember(this.#filters, name, () => {
      const settings = this.#defined('filter', name)
      if (settings !== undefined) return this.buildFilter(settings)
      const type = ownEntry(TOKEN_FILTER_TYPES, name)
      if (type === undefined || type.named === false) return undefined
      return this.#filterPart(name, namedSettings(name, type.named))
    })
  }

  charFilter(name: string): CharFilterPart | undefined {
    return remember(this.#charFilters, name, () => {
      const settings = this.#defined('char_filter', name)
      if (settings !== undefined) return this.buildCharFilter(settings)
      const type = ownEntry(CHAR_FILTER_TYPES, name)
      if (type === undefined || type.named === false) return undefined
      return this.#charFilterPart(name, namedSettings(name, type.named))
    })
  }

  buildTokenizer(settings: ComponentSettings): TokenizerPart {
    const type = typeOf('tokenizer', settings, TOKENIZER_TYPES)
    return { name: settings.name, tokenizer: TOKENIZER_TYPES[type]!.build(settings, this.#environment) }
  }

  buildFilter(settings: ComponentSettings): TokenFilterPart {
    return this.#filterPart(typeOf('filter', settings, TOKEN_FILTER_TYPES), settings)
  }

  buildCharFilter(settings: ComponentSettings): CharFilterPart {
    return this.#charFilterPart(typeOf('char_filter', settings, CHAR_FILTER_TYPES), settings)
  }

  #defined(kind: ComponentKind, name: string): ComponentSettings | undefined {
    const values = this.#settings.components[kind].get(name)
    return values === undefined ? undefined : new ComponentSettings(name, values)
  }

  #definedAnalyzer(settings: ComponentSettings): Analyzer {
    const { name } = settings
    const type = settings.string('type') ?? (settings.has('tokenizer') ? 'custom' : undefined)
    if (type === undefined) throw componentWithoutType('analyzer', name)
    if (type === 'custom') return this.#customAnalyzer(settings)
    const known = ownEntry(ANALYZER_TYPES, type)
    if (known === undefined) throw unknownComponentType('analyzer', type, name)
    return new Analyzer(name, known.build(settings, this.#environment))
  }

  #customAnalyzer(settings: ComponentSettings): Analyzer {
    const { name } = settings
    const tokenizerName = settings.string('tokenizer')
    if (tokenizerName === undefined) throw analyzerWithoutTokenizer(name)
    const tokenizer = this.tokenizer(tokenizerName)
    if (tokenizer === undefined) throw componentNotFound('tokenizer', name, tokenizerName)
    const charFilters = (settings.list('char_filter') ?? []).map((part) => {
      const found = this.charFilter(part)
      if (found === undefined) throw componentNotFound('char_filter', name, part)
      return found
    })
    const filters = (settings.list('filter') ?? []).map((part) => {
      const found = this.filter(part)
      if (found === undefined) throw componentNotFound('filter', name, part)
      return found
    })
    const gap = settings.integer('position_increment_gap', DEFAULT_POSITION_INCREMENT_GAP)
    return new Analyzer(name, joinChain(charFilters, tokenizer, filters), gap)
  }

  #lowercaseNormalizer(name: string): Normalizer {
    return new Normalizer(name, joinChain([], KEYWORD, [this.filter('lowercase')!]))
  }

  #filterPart(type: string, settings: ComponentSettings): TokenFilterPart {
    const known = TOKEN_FILTER_TYPES[type]!
    const common = { name: settings.name, normalizes: known.normalizes === true, synonyms: known.synonyms ?? 'same' }
    if ('buildInChain' in known) {
      return { ...common, inChain: known.buildInChain(settings, this.#environment) }
    }
    const filter = known.build(settings, this.#environment)
    return { ...common, inChain: () => filter }
  }

  #charFilterPart(type: string, settings: ComponentSettings): CharFilterPart {
    const known = CHAR_FILTER_TYPES[type]!
    return {
      name: settings.name,
      normalizes: known.normalizes === true,
      filter: known.build(settings, this.#environment),
    }
  }
}

/** The built-in components, for `_analyze` without an index. */
export const globalAnalysis = AnalysisRegistry.fromSettings({})

/** Combines the components of an analyzer; each filter may inspect the components before it. */
export function joinChain(
  charFilterParts: readonly CharFilterPart[],
  { name, tokenizer }: TokenizerPart,
  parts: readonly TokenFilterPart[],
): Chain {
  const charFilters = charFilterParts.map((part) => part.filter)
  const filters = parts.map((part, i) => part.inChain({ charFilters, tokenizer, filters: parts.slice(0, i) }))
  return {
    charFilters,
    tokenizer,
    filters,
    names: {
      charFilters: charFilterParts.map((part) => part.name),
      tokenizer: name,
      filters: parts.map((part) => part.name),
    },
  }
}

function typeOf(kind: ComponentKind, settings: ComponentSettings, types: Readonly<Record<string, unknown>>): string {
  const type = settings.string('type')
  if (type === undefined) throw componentWithoutType(kind, settings.name)
  if (!Object.hasOwn(types, type)) throw unknownComponentType(kind, type, settings.name)
  return type
}

function namedSettings(name: string, settings: Named | undefined): ComponentSettings {
  return new ComponentSettings(name, new Map(Object.entries(settings || {})))
}

function ownEntry<T>(types: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined
}

function remember<T>(known: Map<string, T>, name: string, make: () => T): T {
  if (known.has(name)) return known.get(name)!
  const made = make()
  known.set(name, made)
  return made
}
