/**
 * Sends reads to a second service as well and compares the answers, for users who want to see what a move would change.
 * Clients never wait for it: what it cannot keep up with is left out.
 */

import type { Log } from '../../base/log.ts'
import { copyOfLent } from '../../base/memory/lent-bytes.ts'
import type { Answer } from '../../http/dispatcher.ts'
import { type Exchange, parseJson } from '../exchange/exchange.ts'
import type { Cluster } from '../upstream/cluster.ts'
import { type AnswerDifference, answerDifference } from './answer-difference.ts'

export interface ComparerCounts {
  readonly equal: number
  readonly different: number
  /** Requests that the second service did not answer. */
  readonly failed: number
  /** Reads that were not compared, because too many were in progress. */
  readonly skipped: number
}

const UNDER_WAY_MAX = 16
const BODY_BYTES_MAX = 1024 * 1024
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
/** Differences that are logged within a minute. All are counted. */
const LOGGED_A_MINUTE = 60
/** Reads of documents. Contexts belong to one service. */
const COMPARED = /^indices:data\/read\/(search|get|mget|msearch|count|field_caps|explain|tv|mtv)/
const NOT_COMPARED = /[?&](scroll|format)=/

export class Comparer {
  readonly #cluster: Cluster
  readonly #passesCredentials: boolean
  readonly #log: Log
  readonly #counts = { equal: 0, different: 0, failed: 0, skipped: 0 }
  #underWay = 0
  #minute = 0
  #logged = 0

  /** The credentials of clients are handed on only where the gateway hands them on to its cluster, too. */
  constructor(cluster: Cluster, passesCredentials: boolean, log: Log) {
    this.#cluster = cluster
    this.#passesCredentials = passesCredentials
    this.#log = log
  }

  get counts(): ComparerCounts {
    return this.#counts
  }

  /** Called with the answer that the client gets. Does not throw, and nobody waits for it. */
  compare(exchange: Exchange, answer: Answer): void {
    if (!isCompared(exchange) || answer.body.length > ANSWER_BYTES_MAX) return
    if (this.#underWay >= UNDER_WAY_MAX) {
      this.#counts.skipped++
      return
    }
    this.#underWay++
    // Copied, because the memory of an answer is reused once the answer was sent.
    const own = { status: answer.status, body: copyOfLent(answer.body) }
    void this.#run(exchange, own).finally(() => this.#underWay--)
  }

  async #run(exchange: Exchange, own: { readonly status: number; readonly body: Buffer }): Promise<void> {
    try {
      const difference = await this.#difference(exchange, own)
      if (difference === undefined) this.#counts.equal++
      else {
        this.#counts.different++
        this.#report(exchange, difference)
      }
    } catch (error) {
      this.#counts.failed++
      this.#log.debug('the second service does not answer', { reason: (error as Error).message })
    }
  }

  async #difference(
    { incoming }: Exchange,
    own: { readonly status: number; readonly body: Buffer },
  ): Promise<AnswerDifference | undefined> {
    const { method, uri, headers, body } = incoming
    const sent: Record<string, string> = {}
    for (const name of ['content-type', 'accept', 'authorization'] as const) {
      const value = headers[name]
      if (value !== undefined && (name !== 'authorization' || this.#passesCredentials)) sent[name] = value
    }
    const other = await this.#cluster.send({ method, uri, headers: sent, body }, true)
    if (own.status !== other.status) return { at: 'status', first: String(own.status), second: String(other.status) }
    // Texts of errors are not compared: the status says that both refuse.
    return own.status >= 400 ? undefined : answerDifference(parseJson(own.body), parseJson(other.body))
  }

  #report({ incoming }: Exchange, { at, first, second }: AnswerDifference): void {
    const minute = Math.floor(Date.now() / 60_000)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#logged = 0
    }
    if (this.#logged++ >= LOGGED_A_MINUTE) return
    const { method, uri, body } = incoming
    const request = body.toString('utf8', 0, 500)
    this.#log.warn('two services answer differently', { method, uri, body: request, at, gateway: first, other: second })
  }
}

function isCompared({ incoming, route, isRepeatable, media }: Exchange): boolean {
  const { uri, body, method } = incoming
  if (!isRepeatable || route === undefined || method === 'HEAD' || body.length > BODY_BYTES_MAX) return false
  if (!route.access.actions.every((action) => COMPARED.test(action))) return false
  // Answers in other formats than JSON are not compared: they would have to be converted first.
  return (media.accepted ?? 'json') === 'json' && !NOT_COMPARED.test(uri) && !body.includes('"pit"')
}
