/** `suggest` of a search: run on every shard, merged, and printed. */

import { Float } from '../../base/json/json-writer.ts'
import { newMembers } from '../../base/json/members.ts'
import type { NamedSuggestion, SuggestEntry, SuggestRequest } from '../../engine/request/suggest/suggest-request.ts'
import { termSuggester } from '../../engine/request/suggest/term-request.ts'
import type { SearchExecutionContext } from '../../engine/scoring/query.ts'
import { HitFetcher } from '../../engine/search/fetch/fetch-hits.ts'
import { type CompletionOption, suggestCompletions, topOptions } from '../../engine/suggest/completion-suggester.ts'
import { mergePhrases, type PhraseOption, suggestPhrases } from '../../engine/suggest/phrase-suggester.ts'
import type { SpellingCandidate } from '../../engine/suggest/spelling.ts'
import { mergeTerms, suggestTerms } from '../../engine/suggest/term-suggester.ts'
import { hitObject } from './answer/hit-object.ts'
import type { SearchBody } from './request/search-body.ts'
import { type AnsweredShard, fetchRequest } from './shards/shard-search.ts'

type Option = SpellingCandidate | PhraseOption | CompletionOption

/** The entries of each suggestion, in request order. */
export type ShardSuggestions = readonly (readonly SuggestEntry<Option>[])[]

/** A search that requests only suggestions searches no documents. */
export function suggestsOnly({ suggest, query, aggregations }: SearchBody): boolean {
  return suggest !== undefined && query === undefined && aggregations === undefined
}

export function suggestOnShard(context: SearchExecutionContext, request: SuggestRequest): ShardSuggestions {
  return request.map((suggestion) => suggestOne(context, suggestion))
}

function suggestOne(
  context: SearchExecutionContext,
  { suggester, ...texts }: NamedSuggestion,
): readonly SuggestEntry<Option>[] {
  switch (suggester.kind) {
    case 'term':
      return suggestTerms(context, suggester, texts)
    case 'phrase':
      return suggestPhrases(context, suggester, texts)
    case 'completion':
      return suggestCompletions(context, suggester, texts)
  }
}

/** `typed` prefixes the name with the suggester type: `term#s`. */
export function suggestObject(
  body: SearchBody,
  answered: readonly AnsweredShard[],
  typed: boolean,
): Record<string, unknown> | undefined {
  if (body.suggest === undefined || body.suggest.length === 0) return undefined
  const object: Record<string, unknown> = newMembers()
  body.suggest.forEach((suggestion, i) => {
    const name = typed ? `${suggestion.suggester.kind}#${suggestion.name}` : suggestion.name
    object[name] = mergeEntries(suggestion, i, body, answered)
  })
  return { ...object }
}

function mergeEntries(
  suggestion: NamedSuggestion,
  at: number,
  body: SearchBody,
  answered: readonly AnsweredShard[],
): Record<string, unknown>[] {
  const fetchers = new Map<AnsweredShard, HitFetcher>()
  // All shards analyze the text in the same way, so entries of different shards have the same positions.
  const first = answered[0]?.suggested?.[at] ?? []
  return first.map(({ text, offset, length }, entry) => {
    const lists = answered.map((shard) => shard.suggested?.[at]?.[entry]?.options ?? [])
    return { text, offset, length, options: mergeOptions(suggestion, lists, body, answered, fetchers) }
  })
}

function mergeOptions(
  { suggester }: NamedSuggestion,
  lists: readonly (readonly Option[])[],
  body: SearchBody,
  answered: readonly AnsweredShard[],
  fetchers: Map<AnsweredShard, HitFetcher>,
): Record<string, unknown>[] {
  switch (suggester.kind) {
    case 'term':
      return mergeTerms(lists as readonly SpellingCandidate[][], suggester).map(({ text, score, docFrequency }) => ({
        text,
        score: new Float(score),
        freq: docFrequency,
      }))
    case 'phrase':
      return mergePhrases(lists as readonly PhraseOption[][], suggester.size).map(({ text, highlighted, score }) => ({
        text,
        highlighted,
        score: new Float(score),
      }))
    case 'completion': {
      const placed = (lists as readonly CompletionOption[][]).flatMap((options, i) =>
        options.map((option) => ({ ...option, shard: answered[i]! })),
      )
      return topOptions(placed, suggester).map(({ shard, ...option }) =>
        completionObject(option, shard, body, fetchers),
      )
    }
  }
}

/** A completion contains its document, like a hit. */
function completionObject(
  option: CompletionOption,
  shard: AnsweredShard,
  body: SearchBody,
  fetchers: Map<AnsweredShard, HitFetcher>,
): Record<string, unknown> {
  let fetcher = fetchers.get(shard)
  if (fetcher === undefined) fetchers.set(shard, (fetcher = new HitFetcher(shard.context, fetchRequest(body))))
  const fetched = fetcher.fetch(shard.context.view.segments[option.segment]!, option.doc)
  const { _index, _id, _score, ...rest } = hitObject(shard.shard.index.name, {
    fetched,
    score: option.score,
    sort: undefined,
    explained: undefined,
    matchedQueries: [],
    innerHits: {},
  })
  return { text: option.text, _index, _id, _score, ...rest, contexts: option.contexts }
}

/** `suggest_field` and related parameters: corrections of the words of a text, under the field's name. */
export function suggestByParameters(given: {
  readonly field: string
  readonly text: string | undefined
  readonly size: number | undefined
  readonly mode: string | undefined
}): SuggestRequest {
  const suggester = termSuggester(given.field, given.size, given.mode)
  return [{ name: given.field, text: given.text, prefix: undefined, regex: undefined, suggester }]
}
