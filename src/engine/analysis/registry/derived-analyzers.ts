/**
 * Analyzers derived by the engine for the hidden fields of `search_as_you_type`: word pairs and triples (`shingle`),
 * and the prefixes of the longest of them (`prefix`).
 *
 * They have names like any other analyzer, so that queries find them. No user-defined analyzer can have such a name,
 * because names must not start with an underscore.
 */
import { Analyzer } from '../analyzer.ts'
import { edgeNgramFilter } from '../token-filters/ngram-filters.ts'
import { shinglesOf } from '../token-filters/shingle.ts'
import type { TokenFilter } from './component.ts'
import { ComponentSettings } from './component-settings.ts'

type Derivation = 'shingle' | 'prefix'

/** Maximum length of prefixes. */
const MAX_PREFIX = 20

export const derivedName = (derivation: Derivation, size: number, base: string) => `_${derivation}/${size}/${base}`

/** Parses a name made by `derivedName`; undefined for all others. */
export function readDerivedName(name: string): { derivation: Derivation; size: number; base: string } | undefined {
  const match = /^_(shingle|prefix)\/(\d+)\/(.*)$/s.exec(name)
  if (match === null) return undefined
  return { derivation: match[1] as Derivation, size: Number(match[2]), base: match[3]! }
}

export function deriveAnalyzer(name: string, base: Analyzer, derivation: Derivation, size: number): Analyzer {
  const { charFilters, tokenizer, filters } = base.chain
  const added =
    derivation === 'shingle' ? [shingles(size, '_')] : [trailingPlaces(size - 1), shingles(size, ''), prefixes()]
  return new Analyzer(name, { charFilters, tokenizer, filters: [...filters, ...added] }, base.positionIncrementGap)
}

const shingles = (size: number, filler: string): TokenFilter => {
  const options = { min: size, max: size, unigrams: false, unigramsIfNoShingles: false, separator: ' ', filler }
  return (stream) => shinglesOf(stream, options)
}

/** Empty positions after the last word, so that it starts a shingle too. */
const trailingPlaces =
  (count: number): TokenFilter =>
  (stream) => ({ ...stream, trailingIncrement: count })

const prefixes = (): TokenFilter =>
  edgeNgramFilter(
    new ComponentSettings(
      'prefix',
      new Map([
        ['min_gram', '1'],
        ['max_gram', String(MAX_PREFIX)],
        ['preserve_original', 'true'],
      ]),
    ),
  )
