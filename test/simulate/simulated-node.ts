/** The service on a simulated disk, without sockets and threads. Requests have the form that clients send. */

import { silentLog } from '../../src/base/log.ts'
import { copyOfLent } from '../../src/base/memory/lent-bytes.ts'
import { apiRoutes } from '../../src/http/api/index.ts'
import { Dispatcher } from '../../src/http/dispatcher.ts'
import { RequestMetrics } from '../../src/http/metrics/request-metrics.ts'
import { SandpiperNode } from '../../src/service/sandpiper-node.ts'
import { createInlineHost } from '../../src/service/shards/create-inline-host.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into member by member
  readonly body: any
}

const ARENA_BYTES_MAX = 64 * 1024 * 1024

export class SimulatedNode {
  readonly node: SandpiperNode
  readonly #dispatcher: Dispatcher

  private constructor(node: SandpiperNode) {
    this.node = node
    const metrics = new RequestMetrics()
    const address = { address: undefined, maxContentBytes: 1e8 }
    this.#dispatcher = new Dispatcher(apiRoutes(node, address, metrics), {
      strictMediaTypes: false,
      log: silentLog,
      warningAgent: '',
      searchers: undefined,
      metrics,
    })
  }

  /** `nowMs` is the simulated time. It replaces real time, e.g. for the duration of a sync. */
  static async open(disk: SimulatedDisk, nowMs: () => number): Promise<SimulatedNode> {
    const clock = { nowMs }
    const node = await SandpiperNode.open({
      dataFolder: '/data',
      storage: disk,
      clock,
      createHost: (callbacks) =>
        createInlineHost(callbacks, { storage: disk, clock, monotonicMs: nowMs, arenaBytesMax: ARENA_BYTES_MAX }),
    })
    return new SimulatedNode(node)
  }

  async request(method: string, uri: string, body?: object | string): Promise<Answer> {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await this.#dispatcher.dispatch({
      method,
      uri,
      headers: { 'content-type': uri.includes('_bulk') ? 'application/x-ndjson' : 'application/json' },
      body: Buffer.from(text),
      signal: () => new AbortController().signal,
    })
    answer.onSent?.()
    const json = copyOfLent(answer.body).toString('utf8')
    return { status: answer.status, body: json === '' ? undefined : JSON.parse(json) }
  }

  /** Shards that could not be opened or have failed since. */
  get failedShards(): string[] {
    const { shards, state } = this.node
    return [...state.indices.values()].flatMap((index) =>
      shards.keys(index).flatMap((key) => {
        const reason = shards.failure(key)
        return reason === undefined ? [] : [`${index.name}: ${reason}`]
      }),
    )
  }
}
