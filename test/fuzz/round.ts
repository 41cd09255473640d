/** Sends one round of requests to a service, several at a time, and collects the failures. */
import type { SentRequest, WatchedService } from '../hostile/watched-service.ts'
import { isExpected } from './expected-failures.ts'
import { mutated } from './mutations.ts'
import { PipelinedClient } from './pipelined-client.ts'
import { Random } from './random.ts'
import { anyRequest } from './request-grammar.ts'
import { anyDocument, INDICES, MAPPING } from './values.ts'

export interface Finding {
  readonly kind: 'crash' | 'hang' | 'failure' | 'pause'
  readonly what: string
  /** The last request of the round that may have caused the failure. */
  readonly index: number
}

/** Responses of a connection come in order, so a slow request delays those behind it: many connections, few requests on each. */
const CONNECTIONS = 12
/** The number of requests in flight per connection. */
const DEPTH = 3
export const PAUSE_MAX_MS = 250
const HANG_MS = 90_000
/** The number of requests between two checks of the main thread. */
const WATCH_EVERY = 1_000

/** Requests that reset a service to the state at the beginning of a round. */
export const RESET: readonly SentRequest[] = [
  { method: 'DELETE', path: '/_search/scroll/_all' },
  { method: 'DELETE', path: '/_data_stream/*?expand_wildcards=all' },
  { method: 'DELETE', path: '/*?expand_wildcards=all' },
  { method: 'DELETE', path: '/_index_template/*' },
  { method: 'DELETE', path: '/_component_template/*' },
  { method: 'DELETE', path: '/_template/*' },
  {
    method: 'PUT',
    path: '/_cluster/settings',
    body: '{"persistent":{"*":null},"transient":{"*":null}}',
  },
]

/** Requests that create the indices of a round. */
function setUp(random: Random): SentRequest[] {
  const requests: SentRequest[] = [...RESET]
  for (const index of INDICES.slice(0, 3)) {
    requests.push({
      method: 'PUT',
      path: `/${index}`,
      body: JSON.stringify({
        settings: { number_of_shards: 1 + random.below(2), number_of_replicas: 0 },
        mappings: MAPPING,
      }),
    })
    const lines = Array.from(
      { length: 40 },
      (_, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(anyDocument(random))}\n`,
    )
    requests.push({ method: 'POST', path: `/${index}/_bulk?refresh=true`, body: lines.join('') })
  }
  return requests
}

/** The requests of a round, determined by the seed and the number of the round. */
export function roundRequests(
  seed: number,
  round: number,
  count: number,
  recorded: readonly SentRequest[],
): SentRequest[] {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b))
  const requests = setUp(random)
  while (requests.length < count) {
    if (recorded.length > 0 && random.chance(0.3)) requests.push(mutated(random, random.pick(recorded)))
    else if (random.chance(0.15)) requests.push(mutated(random, anyRequest(random)))
    else requests.push(anyRequest(random))
  }
  return requests
}

export class Round {
  longestPauseMs = 0
  readonly #service: WatchedService
  readonly #requests: readonly SentRequest[]
  readonly #findings: Finding[] = []
  #next = 0

  constructor(service: WatchedService, requests: readonly SentRequest[]) {
    this.#service = service
    this.#requests = requests
  }

  async run(): Promise<Finding[]> {
    const clients = Array.from({ length: CONNECTIONS }, () => new PipelinedClient(this.#service.port))
    const watchdog = setInterval(() => {
      for (const client of clients) {
        const { oldest } = client
        if (oldest === undefined || performance.now() - oldest.sentAtMs < HANG_MS) continue
        const { method, path } = oldest.request
        this.#findings.push({ kind: 'hang', what: `no answer to ${method} ${path}`, index: this.#next - 1 })
        this.#next = this.#requests.length
        for (const other of clients) other.close()
      }
    }, 1_000)
    try {
      // The requests that set up the round are sent one by one.
      await this.#service.watch()
      await this.#runOn(clients[0]!, 1, RESET.length + 6)
      await this.#look()
      while (this.#next < this.#requests.length && this.#service.exit === undefined) {
        const until = Math.min(this.#next + WATCH_EVERY, this.#requests.length)
        await Promise.all(clients.map((client) => this.#runOn(client, DEPTH, until)))
        await this.#look()
      }
    } finally {
      clearInterval(watchdog)
      for (const client of clients) client.close()
    }
    return this.#findings
  }

  /** Keeps `depth` requests in flight until the request number `until`. */
  async #runOn(client: PipelinedClient, depth: number, until: number): Promise<void> {
    const lane = async () => {
      while (this.#next < until && this.#service.exit === undefined) {
        const index = this.#next++
        const request = this.#requests[index]!
        try {
          const answer = await client.send(request)
          if (isExpected(answer)) continue
          const reason = /"reason":"((?:[^"\\]|\\.)*)"/.exec(answer.body)?.[1] ?? answer.body.slice(0, 200)
          this.#findings.push({ kind: 'failure', what: `${answer.status} ${reason}`, index })
        } catch {
          // The service closes connections after requests that are not HTTP. A crash is detected by the exit of the
          // process.
        }
      }
    }
    await Promise.all(Array.from({ length: depth }, lane))
  }

  async #look(): Promise<void> {
    if (this.#service.exit === undefined) {
      const watched = await Promise.race([this.#service.watch(), ended(this.#service), frozen()])
      if (watched === 'frozen') {
        this.#findings.push({ kind: 'hang', what: 'the main thread does not end its turn', index: this.#next - 1 })
        this.#next = this.#requests.length
        return
      }
      if (watched !== undefined) {
        this.longestPauseMs = Math.max(this.longestPauseMs, watched.pauseMs)
        if (watched.pauseMs > PAUSE_MAX_MS) {
          this.#findings.push({
            kind: 'pause',
            what: `main thread busy for ${watched.pauseMs.toFixed(0)} ms`,
            index: this.#next - 1,
          })
        }
        return
      }
    }
    const { exit, log } = this.#service
    this.#findings.push({ kind: 'crash', what: `${JSON.stringify(exit)} ${log.slice(-500)}`, index: this.#next - 1 })
  }
}

async function ended(service: WatchedService): Promise<undefined> {
  while (service.exit === undefined) await new Promise((resolve) => setTimeout(resolve, 200).unref())
  return undefined
}

async function frozen(): Promise<'frozen'> {
  await new Promise((resolve) => setTimeout(resolve, HANG_MS).unref())
  return 'frozen'
}
