/**
 * Analyzed text as a query on its words. If the analyzer yields several paths through a part of the text (multi-word
 * synonyms), each path is kept whole; words at one position are synonyms.
 */
import type { Token } from '../../analysis/token.ts'
import { graphSections, isGraph } from '../../analysis/token-graph.ts'
import type { Weight } from '../../scoring/query.ts'
import { planAll, planAny, planBoolean } from '../compound/boolean-plan.ts'
import { minimumShouldMatch } from '../compound/minimum-should-match.ts'

/** How the words of a text are searched. */
export interface WordQueries {
  term(word: string): Weight
  synonyms(words: readonly string[]): Weight
  phrase(tokens: readonly Token[]): Weight
}

export interface WordsOptions {
  readonly operator?: 'or' | 'and' | undefined
  readonly minimumShouldMatch?: string | undefined
  /** Whether a multi-word synonym must occur as a phrase. */
  readonly synonymPhrases?: boolean | undefined
}

export function wordsQuery(
  tokens: readonly Token[],
  queries: WordQueries,
  options: WordsOptions,
  scoring: boolean,
): Weight {
  const parts = wordSections(tokens).map((paths) => sectionQuery(paths, queries, options, scoring))
  return joinWords(parts, options, scoring, isGraph(tokens))
}

/** All of the words, or enough of them. With `inGraph` the rule holds for a single part, too. */
export function joinWords(parts: readonly Weight[], options: WordsOptions, scoring: boolean, inGraph = false): Weight {
  if (parts.length === 1 && !inGraph) return parts[0]!
  const minimum = options.minimumShouldMatch
  if (options.operator === 'and') {
    // A minimum of optional words cannot be reached if all are required.
    const needed = minimum === undefined ? undefined : minimumShouldMatch(0, minimum)
    return planBoolean({ must: parts, filter: [], should: [], mustNot: [] }, needed, scoring)
  }
  const needed = minimum === undefined ? undefined : minimumShouldMatch(parts.length, minimum)
  return planBoolean({ must: [], filter: [], should: parts, mustNot: [] }, needed, scoring)
}

type Paths = readonly (readonly Token[])[]

/** The text section by section, with the paths through each. */
export function wordSections(tokens: readonly Token[]): Paths[] {
  if (isGraph(tokens)) return graphSections(tokens).map(({ paths }) => paths)
  const sections: Token[][][] = []
  let position = -1
  for (const token of tokens) {
    if (token.position === position && sections.length > 0) sections[sections.length - 1]!.push([token])
    else sections.push([[token]])
    position = token.position
  }
  return sections
}

export function sectionQuery(paths: Paths, queries: WordQueries, options: WordsOptions, scoring: boolean): Weight {
  if (!hasSidePath(paths)) {
    const words = [...new Set(paths.map((path) => path[0]!.term))]
    return words.length === 1 ? queries.term(words[0]!) : queries.synonyms(words)
  }
  const ways = paths.map((path) => {
    if (path.length === 1) return queries.term(path[0]!.term)
    if (options.synonymPhrases !== false) return queries.phrase(renumbered(path))
    return planAll(
      path.map(({ term }) => queries.term(term)),
      scoring,
    )
  })
  return planAny(ways, undefined, scoring)
}

/** Whether a way through the section has several words. */
export const hasSidePath = (paths: Paths): boolean => paths.some((path) => path.length > 1)

/** The positions of a path by itself: its words are consecutive, whatever other paths exist; holes stay. */
export function renumbered(path: readonly Token[]): Token[] {
  let position = -1
  let end = path[0]?.position ?? 0
  return path.map((token) => {
    position += 1 + Math.max(0, token.position - end)
    end = token.position + token.positionLength
    return { ...token, position, positionLength: 1 }
  })
}
