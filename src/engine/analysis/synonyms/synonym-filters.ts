/** `synonym` and `synonym_graph`. */
import { illegalArgument } from '../../../base/api-error.ts'
import { notForSynonyms } from '../../../base/errors/analysis-errors.ts'
import { analyzeText } from '../analyzer.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import type { AnalysisEnvironment, ChainSoFar } from '../registry/component-types.ts'
import { newToken, type StreamToken, withTokens } from '../token.ts'
import type { SynonymMap } from './synonym-map.ts'
import { readSynonymRules } from './synonym-rules.ts'

export function synonymFilter(settings: ComponentSettings, environment: AnalysisEnvironment) {
  return inChain(settings, environment, flatSynonyms)
}

export function synonymGraphFilter(settings: ComponentSettings, environment: AnalysisEnvironment) {
  return inChain(settings, environment, graphSynonyms)
}

function inChain(
  settings: ComponentSettings,
  environment: AnalysisEnvironment,
  filter: (map: SynonymMap) => TokenFilter,
): (chain: ChainSoFar) => TokenFilter {
  const path = settings.string('synonyms_path')
  const lines = path === undefined ? settings.list('synonyms') : undefined
  const format = settings.string('format') === 'wordnet' ? 'wordnet' : 'solr'
  const expand = settings.boolean('expand', true)
  const lenient = settings.boolean('lenient', false)
  const origin = path === undefined ? ` from ['${settings.name}' analyzer settings]` : undefined
  return (chain) => {
    const rules = path === undefined ? lines : environment.readLines('synonyms_path', path)
    if (rules === undefined) {
      throw illegalArgument('synonym requires either `synonyms`, `synonyms_set` or `synonyms_path` to be configured')
    }
    const filters = chain.filters.flatMap((part) => {
      if (part.synonyms === 'refuse') throw notForSynonyms(part.name)
      return part.synonyms === 'skip' ? [] : [part.inChain(chain)]
    })
    const map = readSynonymRules(
      rules,
      (text) => analyzeText({ charFilters: chain.charFilters, tokenizer: chain.tokenizer, filters }, text),
      { expand, lenient, format, origin },
    )
    return map.isEmpty ? (stream) => stream : filter(map)
  }
}

/**
 * Outputs are placed at the positions of the words they replace, one word after another, even if they are longer. This
 * is correct for phrases of equal length, wrong for others, and all that an index without graphs can represent.
 */
function flatSynonyms(map: SynonymMap): TokenFilter {
  return (stream) => {
    const { tokens } = stream
    const out: StreamToken[] = []
    // Output words waiting for their position, by index of the input token.
    const waiting: { word: string; endOffset: number; positionLength: number }[][] = []
    const keep: boolean[] = []
    const matched: boolean[] = []
    let covered = 0
    for (let i = 0; i < tokens.length || i < waiting.length; i++) {
      const token = tokens[i]
      if (token !== undefined && i >= covered) {
        const match = map.match(tokens, i)
        covered = i + (match?.length ?? 1)
        if (match !== undefined) {
          const end = tokens[i + match.length - 1]!.endOffset
          for (const output of match.node.outputs) {
            output.forEach((word, k) => {
              waiting[i + k] ??= []
              waiting[i + k]!.push(
                output.length === 1
                  ? { word, endOffset: end, positionLength: match.node.keepOriginal ? match.length : 1 }
                  : { word, endOffset: -1, positionLength: 1 },
              )
            })
          }
          for (let k = i; k < covered; k++) {
            matched[k] = true
            keep[k] = keep[k] === true || match.node.keepOriginal
          }
        }
      }
      let increment = 1
      if (token !== undefined && (keep[i] === true || matched[i] !== true)) {
        out.push(token)
        increment = 0
      }
      const place = token ?? tokens.at(-1)!
      for (const { word, endOffset, positionLength } of waiting[i] ?? []) {
        const synonym = newToken(word, place.startOffset, endOffset < 0 ? place.endOffset : endOffset, 'SYNONYM')
        synonym.positionIncrement = increment
        synonym.positionLength = positionLength
        if (token === undefined) synonym.endOffset = place.endOffset
        out.push(synonym)
        increment = 0
      }
    }
    return withTokens(stream, out)
  }
}

/** Every output is a separate path from the start of the match to its end; side paths get their own nodes. */
function graphSynonyms(map: SynonymMap): TokenFilter {
  return (stream) => {
    const { tokens } = stream
    const out: StreamToken[] = []
    let lastNode = -1
    let nextNode = 0
    const emit = (token: StreamToken, from: number, to: number) => {
      out.push({ ...token, positionIncrement: from - lastNode, positionLength: to - from })
      lastNode = from
    }
    for (let i = 0; i < tokens.length; ) {
      const match = map.match(tokens, i)
      if (match === undefined) {
        const token = tokens[i]!
        out.push(token)
        lastNode += token.positionIncrement
        nextNode = lastNode + token.positionLength
        i++
        continue
      }
      const input = tokens.slice(i, i + match.length)
      const { outputs, keepOriginal } = match.node
      const startOffset = input[0]!.startOffset
      const endOffset = input.at(-1)!.endOffset
      const paths: StreamToken[][] = outputs.map((words) =>
        words.map((word) => newToken(word, startOffset, endOffset, 'SYNONYM')),
      )
      if (keepOriginal) paths.push(input)
      const start = nextNode
      const end = start + 1 + paths.reduce((nodes, path) => nodes + path.length - 1, 0)
      // First all edges that leave the start, the original last, so that offsets do not go backwards.
      let free = start + 1
      const firstNodes = paths.map((path) => {
        const to = path.length === 1 ? end : free
        free += path.length - 1
        emit(path[0]!, start, to)
        return to
      })
      paths.forEach((path, p) => {
        for (let k = 1; k < path.length; k++) {
          const from = firstNodes[p]! + k - 1
          emit(path[k]!, from, k === path.length - 1 ? end : from + 1)
        }
      })
      // The last edge ends where the next token starts, so that the token's own increment stays correct.
      nextNode = end
      i += match.length
    }
    return withTokens(stream, out)
  }
}
