/** The suggestions of a request. One type per suggester; each parses and runs in a file of its own. */
import type { CompletionRequest } from './completion-request.ts'
import type { PhraseRequest } from './phrase-request.ts'
import type { TermRequest } from './term-request.ts'

/** The input of a suggestion: a text to correct, a prefix, or a regular expression of prefixes. */
export interface SuggestText {
  readonly text: string | undefined
  readonly prefix: string | undefined
  readonly regex: string | undefined
}

export type Suggester = TermRequest | PhraseRequest | CompletionRequest

export interface NamedSuggestion extends SuggestText {
  readonly name: string
  readonly suggester: Suggester
}

export type SuggestRequest = readonly NamedSuggestion[]

/** The result of a shard for one word or text. */
export interface SuggestEntry<Option> {
  readonly text: string
  readonly offset: number
  readonly length: number
  readonly options: readonly Option[]
}
