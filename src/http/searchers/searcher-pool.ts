/**
 * Searches over much data run in threads of their own, so that the main thread goes on answering. What is small runs where
 * it is: a hop to another thread and back costs more than looking at some thousand documents.
 */
import type { Log } from '../../base/log.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { possibleTargets } from '../../service/search/search-targets.ts'
import type { ViewLender } from '../../service/shards/shard-host.ts'
import type { Answer, IncomingRequest } from '../dispatcher.ts'
import { percentDecode } from '../percent-decoding.ts'
import { Searcher } from './searcher.ts'
import type { SearcherStart } from './searcher-messages.ts'

/** From so many documents on a search is forwarded: about a millisecond of looking. */
export const FORWARD_FROM_DOCS = 20_000

export interface SearcherPoolOptions {
  readonly node: SandpiperNode
  readonly lender: ViewLender
  readonly threads: number
  readonly strictMediaTypes: boolean
  readonly warningAgent: string
  readonly log: Log
  /** Tests forward everything. */
  readonly forwardFromDocs?: number
}

export class SearcherPool {
  readonly #options: SearcherPoolOptions
  readonly #searchers: Searcher[] = []
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(options: SearcherPoolOptions) {
    this.#options = options
    options.lender.onClosed((shardId) => {
      for (const searcher of this.#searchers) searcher.forget(shardId)
    })
  }

  /** The answer of a searcher; undefined when the main thread is to answer. */
  answer(incoming: IncomingRequest): Promise<Answer | undefined> | undefined {
    const target = searchTarget(incoming.uri)
    if (target === undefined || readsContext(incoming)) return undefined
    const shards = possibleTargets(this.#options.node.indexContext, target)
    let docs = 0
    for (const key of shards) docs += this.#options.lender.docCount(key)
    if (docs < (this.#options.forwardFromDocs ?? FORWARD_FROM_DOCS)) return undefined
    const answered = this.#forward(incoming, shards)
    this.#underWay.add(answered)
    const done = () => this.#underWay.delete(answered)
    answered.then(done, done)
    return answered
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    await Promise.all(this.#searchers.map((searcher) => searcher.close()))
  }

  async #forward(incoming: IncomingRequest, shards: ReturnType<typeof possibleTargets>): Promise<Answer | undefined> {
    const { host } = this.#options.node.shards
    await Promise.all(shards.map((key) => host.searchStarts?.(key)))
    return await this.#leastBusy().search(incoming, shards)
  }

  #leastBusy(): Searcher {
    let best: Searcher | undefined
    for (const searcher of this.#searchers) if (best === undefined || searcher.load < best.load) best = searcher
    if (best !== undefined && (best.load === 0 || this.#searchers.length >= this.#options.threads)) return best
    const { node, lender, log, strictMediaTypes, warningAgent } = this.#options
    const { memory, limitBytes } = lender.arena
    const start: SearcherStart = { memory, arenaBytes: limitBytes, strictMediaTypes, warningAgent }
    const onEnd = (ended: Searcher) => this.#searchers.splice(this.#searchers.indexOf(ended), 1)
    const started = new Searcher({ node, lender, start, log, onEnd })
    this.#searchers.push(started)
    return started
  }
}

/** Points in time and scrolls are known to the main thread. */
function readsContext({ uri, body }: IncomingRequest): boolean {
  return body.includes('"pit"') || /[?&]scroll=/.test(uri)
}

/** The names in the path of a search; empty means all indices. Undefined: not a request for searchers. */
function searchTarget(uri: string): string[] | undefined {
  const match = /^(?:\/([^/?]+))?\/_(?:search|count|msearch)\/?(?:\?|$)/.exec(uri)
  if (match === null) return undefined
  try {
    return match[1] === undefined ? [] : percentDecode(match[1]).split(',')
  } catch {
    return undefined
  }
}
