/**
 * A phrase with multi-word synonyms. As in Elasticsearch it is searched with spans: the paths through the text are
 * scored together, by the rarity of all their words.
 */
import { graphSections } from '../../analysis/token-graph.ts'
import type { QueryToken, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import {
  type NearPart,
  planSpans,
  type SpanNode,
  spanNear,
  spanNothing,
  spanOr,
  spanTerm,
} from '../positions/span-node.ts'

/** Builds the span query of a phrase. `endings` lists the terms that complete an incomplete last word. */
export function graphPhrase(
  context: SearchExecutionContext,
  field: string,
  tokens: readonly QueryToken[],
  scoring: boolean,
  boost: number,
  endings?: (word: Uint8Array) => readonly Uint8Array[],
): Weight {
  const parts: NearPart[] = []
  const sections = graphSections(tokens)
  let end = sections[0]!.start
  for (const [at, section] of sections.entries()) {
    if (section.start > end) parts.push(section.start - end)
    const isLast = at === sections.length - 1
    const ways = section.paths.map((path) => waySpans(field, path, isLast ? endings : undefined))
    parts.push(ways.length === 1 ? ways[0]! : spanOr(ways))
    end = section.end
  }
  const [first] = parts
  return planSpans(context, parts.length === 1 ? (first as SpanNode) : spanNear(parts, 0, true), scoring, boost)
}

function waySpans(
  field: string,
  path: readonly QueryToken[],
  endings: ((word: Uint8Array) => readonly Uint8Array[]) | undefined,
): SpanNode {
  const words = path.map(({ term }, at) => {
    const word = Buffer.from(term)
    return at === path.length - 1 && endings !== undefined ? anyOf(field, endings(word), term) : spanTerm(field, word)
  })
  return words.length === 1 ? words[0]! : spanNear(words, 0, true)
}

function anyOf(field: string, terms: readonly Uint8Array[], prefix: string): SpanNode {
  if (terms.length === 0) return spanNothing(field, `no expansion found for ${field}:${prefix}*`)
  const nodes = terms.map((term) => spanTerm(field, term))
  return nodes.length === 1 ? nodes[0]! : spanOr(nodes)
}
