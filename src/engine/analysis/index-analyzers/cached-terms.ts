/** A byte tokenizer followed by filters of single terms: each distinct term is filtered once. */
import type { IndexAnalyzer, TokenSink } from '../../document/field-schema.ts'
import { REMOVED, TermCache } from './term-cache.ts'

export class CachedTermsAnalyzer implements IndexAnalyzer {
  readonly #tokenizer: IndexAnalyzer
  readonly #filtered: FilteredSink

  constructor(tokenizer: IndexAnalyzer, onTerm: (term: string) => string | undefined) {
    this.#tokenizer = tokenizer
    this.#filtered = new FilteredSink(onTerm)
  }

  analyze(bytes: Uint8Array, start: number, end: number, sink: TokenSink): void {
    this.#filtered.begin(sink)
    this.#tokenizer.analyze(bytes, start, end, this.#filtered)
  }
}

class FilteredSink implements TokenSink {
  readonly #cache: TermCache
  #target: TokenSink | undefined
  #skipped = 0

  constructor(onTerm: (term: string) => string | undefined) {
    this.#cache = new TermCache(onTerm)
  }

  begin(target: TokenSink): void {
    this.#target = target
    this.#skipped = 0
  }

  token(termBytes: Uint8Array, termStart: number, termEnd: number, positionIncrement: number): void {
    const cache = this.#cache
    cache.find(termBytes, termStart, termEnd)
    if (cache.end === REMOVED) {
      this.#skipped += positionIncrement
      return
    }
    this.#target!.token(cache.bytes, cache.start, cache.end, positionIncrement + this.#skipped)
    this.#skipped = 0
  }

  endOfValue(positionIncrement: number): void {
    this.#target!.endOfValue(positionIncrement + this.#skipped)
  }
}
