/** What a request may ask to have suggested. One type per suggester; each parses and runs in a file of its own. */
import type { CompletionRequest } from './completion-request.ts'
import type { PhraseRequest } from './phrase-request.ts'
import type { TermRequest } from './term-request.ts'

/** What is suggested for: a text to correct, the beginning of one, or a pattern of beginnings. */
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

/** What a shard answers for one word or text. */
export interface SuggestEntry<Option> {
  readonly text: string
  readonly offset: number
  readonly length: number
  readonly options: readonly Option[]
}
