/** Points in time and scrolls whose pages other threads answer: found by the ids of their requests, one page at a time. */
import { decodeContextId } from './context-id.ts'
import { applyUse, type ContextUse } from './lent-context.ts'
import type { SearchContext } from './search-context.ts'
import type { SearchContexts } from './search-contexts.ts'

export class ContextLending {
  readonly #contexts: SearchContexts
  readonly #turns = new WeakMap<SearchContext, Promise<unknown>>()

  constructor(contexts: SearchContexts) {
    this.#contexts = contexts
  }

  /** The open context of an id of either kind. */
  find(id: string): SearchContext | undefined {
    const decoded = decodeContextId(id, 'pit') ?? decodeContextId(id, 'scroll')
    return decoded === undefined ? undefined : this.#contexts.find(decoded.key)
  }

  onEnd(listener: (key: string) => void): void {
    this.#contexts.onEnd(listener)
  }

  /** Work in another thread that reads the context. It does not expire meanwhile, and pages of a scroll come one after the other. */
  async reading<T>(context: SearchContext, work: () => Promise<T>): Promise<T> {
    const before = context.kind === 'scroll' ? this.#turns.get(context) : undefined
    context.readers++
    try {
      const answered = before === undefined ? work() : before.then(work, work)
      if (context.kind === 'scroll') this.#turns.set(context, answered)
      return await answered
    } finally {
      context.readers--
    }
  }

  /** The request is over in the other thread. */
  used(context: SearchContext, use: ContextUse): void {
    applyUse(this.#contexts, context, use)
  }
}
