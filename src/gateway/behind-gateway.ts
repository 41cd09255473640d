/** A gateway for tests, before a server that answers like OpenSearch. */
import { silentLog } from '../base/log.ts'
import type { IncomingRequest } from '../http/dispatcher.ts'
import { SearchServer } from '../server/search-server.ts'
import { type FakeIndex, FakeOpenSearch, type FakeRequest } from './fake-opensearch.ts'
import { connectCluster } from './open-gateway.ts'
import { requestOf } from './shadow/shadow.ts'

type Headers = Readonly<Record<string, string>>

export interface Behind {
  readonly fake: FakeOpenSearch
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  send(method: string, path: string, body?: object, headers?: Headers): Promise<{ status: number; json: any }>
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  sendLines(path: string, lines: readonly object[], headers?: Headers): Promise<{ status: number; json: any }>
  stop(): Promise<void>
}

export async function behindGateway(index: FakeIndex, answer: (request: FakeRequest) => object): Promise<Behind> {
  const fake = await FakeOpenSearch.start(index, answer)
  const connected = await connectCluster({
    urls: [fake.url],
    passesCredentials: false,
    sniffs: false,
    partialPages: false,
    log: silentLog,
  })
  const gateway = await SearchServer.open({
    threads: 0,
    maxContentBytes: 1 << 24,
    strictMediaTypes: false,
    log: silentLog,
    gateway: (shadow) => connected.gateway(shadow),
  })
  return {
    fake,
    async send(method, path, body, headers) {
      const text = body === undefined ? '' : JSON.stringify(body)
      const answered = await gateway.dispatch(withHeaders(requestOf(method, path, text), headers))
      return { status: answered.status, json: JSON.parse(answered.body.toString()) }
    },
    async sendLines(path, lines, headers) {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      const answered = await gateway.dispatch(withHeaders(requestOf('POST', path, text), headers))
      return { status: answered.status, json: JSON.parse(answered.body.toString()) }
    },
    async stop() {
      await gateway.stop()
      fake.stop()
    },
  }
}

function withHeaders(request: IncomingRequest, headers: Headers | undefined): IncomingRequest {
  return { ...request, headers: { ...request.headers, ...headers } }
}

const SHARDS = { total: 1, successful: 1, skipped: 0, failed: 0 }
/** An answer with these hits. */
export const pageOf = (hits: readonly object[]) => ({
  took: 1,
  timed_out: false,
  _shards: SHARDS,
  hits: { total: { value: hits.length, relation: 'eq' }, max_score: null, hits },
})
