/** The words of a weight as a flat list that is matched against the tokens of a text. */
import type { Weight } from '../../scoring/query.ts'
import type { WordPlace, WordVisitor } from '../../scoring/word-visitor.ts'

interface WordBase {
  readonly field: string
  readonly boost: number
  /** Enclosing clauses that must match the document. */
  readonly conditions: readonly Weight[]
}

export interface SingleWord extends WordBase {
  readonly kind: 'term'
  readonly term: string
  /** The fuzzy word that it was expanded from, with others. */
  readonly nearTo?: string
  /** Whether a rule of `intervals` was expanded to it: the plain highlighter does not know such words. */
  readonly isExpanded?: boolean
}

export interface WordPhrase extends WordBase {
  readonly kind: 'phrase'
  readonly places: readonly { readonly position: number; readonly terms: ReadonlySet<string> }[]
  readonly slop: number
  /** Whether a term is a word that the open end of the phrase stands for. */
  readonly isEnding?: ((term: string) => boolean) | undefined
}

export interface WordPattern extends WordBase {
  readonly kind: 'terms'
  readonly matches: (term: string) => boolean
}

export type QueryWord = SingleWord | WordPhrase | WordPattern

/** `asWritten` includes all clauses, whether or not they can match. */
export function queryWords(query: Weight, asWritten: boolean): QueryWord[] {
  const collector = new WordCollector(asWritten)
  query.words?.(collector)
  return collector.words
}

class WordCollector implements WordVisitor {
  readonly words: QueryWord[] = []
  readonly asWritten: boolean
  #conditions: readonly Weight[] = []
  #nested = false

  constructor(asWritten: boolean) {
    this.asWritten = asWritten
  }

  term(field: string, term: Uint8Array, boost: number): void {
    this.words.push({ kind: 'term', field, boost, conditions: this.#conditions, term: text(term) })
  }

  near(field: string, term: Uint8Array, word: string, boost: number): void {
    this.words.push({ kind: 'term', field, boost, conditions: this.#conditions, term: text(term), nearTo: word })
  }

  expanded(field: string, term: Uint8Array, boost: number): void {
    this.words.push({ kind: 'term', field, boost, conditions: this.#conditions, term: text(term), isExpanded: true })
  }

  phrase(
    field: string,
    places: readonly WordPlace[],
    slop: number,
    boost: number,
    isEnding?: (term: Uint8Array) => boolean,
  ): void {
    const named = places.map(({ position, terms }) => ({ position, terms: new Set(terms.map(text)) }))
    this.words.push({
      kind: 'phrase',
      field,
      boost,
      conditions: this.#conditions,
      places: named,
      slop,
      isEnding: isEnding && ((term) => isEnding(Buffer.from(term))),
    })
  }

  terms(field: string, matches: (term: Uint8Array) => boolean, boost: number): void {
    this.words.push({
      kind: 'terms',
      field,
      boost,
      conditions: this.#conditions,
      matches: (term) => matches(Buffer.from(term)),
    })
  }

  within(query: Weight, visitInside: () => void): void {
    const before = this.#conditions
    if (!this.#nested) this.#conditions = [...before, query]
    visitInside()
    this.#conditions = before
  }

  nested(visitInside: () => void): void {
    const before = this.#nested
    this.#nested = true
    visitInside()
    this.#nested = before
  }
}

function text(term: Uint8Array): string {
  return Buffer.from(term).toString()
}
