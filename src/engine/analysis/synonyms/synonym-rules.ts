/**
 * Parses synonym rules in Solr's format (`a, b => c` or `a, b, c`) and WordNet's (`s(100000001,1,'abstain',v,1,0).`).
 *
 * Both sides are analyzed by the chain before the filter, because rules must match its tokens.
 */
import { ApiError, illegalArgument, parseFailure } from '../../../base/api-error.ts'
import type { TokenStream } from '../token.ts'
import { SynonymMap } from './synonym-map.ts'

export interface SynonymRuleOptions {
  expand: boolean
  /** Whether invalid rules are skipped instead of failing. */
  lenient: boolean
  format: 'solr' | 'wordnet'
  /** Where the rules come from, in errors. */
  origin?: string | undefined
}

type AnalyzeRule = (text: string) => TokenStream

export function readSynonymRules(
  lines: readonly string[],
  analyze: AnalyzeRule,
  options: SynonymRuleOptions,
): SynonymMap {
  try {
    return options.format === 'wordnet' ? readWordnet(lines, analyze, options) : readSolr(lines, analyze, options)
  } catch (error) {
    if (error instanceof ApiError) throw illegalArgument(`failed to build synonyms${options.origin ?? ''}`, error)
    throw error
  }
}

function readSolr(lines: readonly string[], analyze: AnalyzeRule, options: SynonymRuleOptions): SynonymMap {
  const map = new SynonymMap()
  lines.forEach((line, i) => {
    if (line.length === 0 || line.startsWith('#')) return
    try {
      const sides = splitUnescaped(line, '=>')
      if (sides.length > 2) throw illegalArgument('more than one explicit mapping specified on the same line')
      const words = (side: string) =>
        splitUnescaped(side, ',').flatMap((word) => analyzeWord(decodeEscapes(word.trim()), analyze, options.lenient))
      if (sides.length === 2) {
        const outputs = words(sides[1]!)
        for (const input of words(sides[0]!)) for (const output of outputs) map.add(input, output, false)
        return
      }
      // An arrow with an empty side is part of a word.
      const equal = words(line)
      if (!options.expand) {
        for (const input of equal) map.add(input, equal[0]!, false)
        return
      }
      equal.forEach((input, a) => {
        equal.forEach((output, b) => {
          if (a !== b) map.add(input, output, true)
        })
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw parseFailure(`Invalid synonym rule at line ${i + 1}`, error)
    }
  })
  return map
}

function readWordnet(lines: readonly string[], analyze: AnalyzeRule, options: SynonymRuleOptions): SynonymMap {
  const map = new SynonymMap()
  const sets = new Map<string, string[][]>()
  lines.forEach((line, i) => {
    if (line.trim() === '') return
    const match = /^s\((\d{9}),\d+,'((?:[^']|'')*)',/.exec(line)
    if (match === null) throw parseFailure(`Invalid synonym rule at line ${i + 1}`)
    const set = sets.get(match[1]!) ?? []
    set.push(...analyzeWord(match[2]!.replaceAll("''", "'"), analyze, options.lenient))
    sets.set(match[1]!, set)
  })
  for (const set of sets.values()) {
    // A set with one word has no effect.
    if (set.length <= 1) continue
    if (!options.expand) {
      for (const input of set) map.add(input, set[0]!, false)
      continue
    }
    set.forEach((input, a) => {
      set.forEach((output, b) => {
        if (a !== b) map.add(input, output, true)
      })
    })
  }
  return map
}

/** The words of one entry; an empty list if the entry is skipped. */
function analyzeWord(text: string, analyze: AnalyzeRule, lenient: boolean): string[][] {
  const words: string[] = []
  for (const token of analyze(text).tokens) {
    if (token.term === '') {
      if (lenient) return []
      throw illegalArgument(`term: ${text} analyzed to a zero-length token`)
    }
    if (token.positionIncrement !== 1) {
      if (lenient) return []
      throw illegalArgument(
        `term: ${text} analyzed to a token (${token.term}) with position increment != 1 (got: ${token.positionIncrement})`,
      )
    }
    words.push(token.term)
  }
  if (words.length > 0) return [words]
  if (lenient) return []
  throw illegalArgument(`term: ${text} was completely eliminated by analyzer`)
}

function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  for (let i = 0; i < text.length; i++) {
    if (text.startsWith(separator, i)) {
      if (part !== '') parts.push(part)
      part = ''
      i += separator.length - 1
    } else if (text[i] === '\\') {
      part += text.slice(i, i + 2)
      i++
    } else part += text[i]
  }
  if (part !== '') parts.push(part)
  return parts
}

function decodeEscapes(text: string): string {
  return text.replace(/\\(.)/gs, '$1')
}
