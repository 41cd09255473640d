/** A server for tests that answers like an OpenSearch cluster with one index, as far as a gateway asks. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeRequest {
  readonly method: string
  readonly uri: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
  readonly body: any
}

export interface FakeIndex {
  readonly name: string
  readonly shards: number
  properties: Record<string, object>
  /** Members of the mapping besides `properties`. */
  readonly mapping?: Record<string, unknown>
  /** Index templates as the state of the cluster shows them. */
  readonly templates?: Record<string, object>
  /** Must grow with every change of `properties`. */
  version: number
}

/**
 * `answer` handles all requests that are not about metadata. An answer with an `error` has the status of its member
 * `status`.
 */
export class FakeOpenSearch {
  readonly requests: FakeRequest[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(index: FakeIndex, answer: (request: FakeRequest) => object): Promise<FakeOpenSearch> {
    const server = createServer((request, response) => {
      const pieces: Buffer[] = []
      request.on('data', (piece) => pieces.push(piece))
      request.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        const asked = { method: request.method!, uri: request.url!, body: text === '' ? undefined : parse(text) }
        const known = metadataAnswer(index, asked.uri)
        if (known === undefined) fake.requests.push(asked)
        const answered = (known ?? answer(asked)) as { readonly error?: unknown; readonly status?: number }
        const body = JSON.stringify(answered)
        response
          .writeHead(answered.error === undefined ? 200 : (answered.status ?? 400), {
            'content-type': 'application/json; charset=UTF-8',
          })
          .end(body)
      })
    })
    const fake = new FakeOpenSearch(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return fake
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`)
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** The value of a body, or the list of those of its lines. */
function parse(text: string): unknown {
  return text.endsWith('\n')
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    : JSON.parse(text)
}

function metadataAnswer(index: FakeIndex, uri: string): object | undefined {
  const { name, shards, properties, mapping, templates = {}, version } = index
  const path = uri.split('?', 1)[0]
  switch (path) {
    case '/':
      return { cluster_name: 'fake', cluster_uuid: 'u', version: { number: '2.19.6', distribution: 'opensearch' } }
    case '/_cluster/state/version':
      return { version, state_uuid: `s${version}` }
    case '/_cluster/state/metadata': {
      const uuid = 'b'.repeat(22)
      const settings = {
        index: { uuid, number_of_shards: String(shards), provided_name: name, version: { created: '1' } },
      }
      const versions = { mapping_version: version, settings_version: 1, aliases_version: 1, state: 'open' }
      return {
        metadata: {
          indices: { [name]: { ...versions, settings, mappings: { _doc: { ...mapping, properties } }, aliases: [] } },
          index_template: { index_template: templates },
        },
      }
    }
    case '/_alias':
      return { [name]: { aliases: {} } }
    case '/_cluster/settings':
      return { persistent: {}, transient: {} }
    default:
      return undefined
  }
}
