// One server under test. Every answer is a plain object; nothing here throws
// because of what the server did.

import { parse, stringify } from './json.mjs'

export class Server {
  constructor(name, baseUrl, dialect = 'elasticsearch', timeoutMs = 90000) {
    this.name = name
    this.baseUrl = baseUrl.replace(/\/+$/, '')
    this.dialect = dialect
    this.timeoutMs = timeoutMs
  }

  /**
   * body: undefined, an object (JSON), an array under `ndjson`, or a string
   * sent as it is.
   */
  async send({ method = 'GET', path, body, ndjson, headers: extra }) {
    const headers = { ...extra }
    let payload
    if (ndjson) {
      headers['content-type'] ??= 'application/x-ndjson'
      payload = ndjson.map((line) => `${stringify(line)}\n`).join('')
    } else if (typeof body === 'string') {
      headers['content-type'] ??= 'application/json'
      payload = body
    } else if (body !== undefined) {
      headers['content-type'] ??= 'application/json'
      payload = stringify(body)
    }
    // fetch refuses a body on GET, both servers accept POST wherever we send one.
    const verb = method === 'GET' && payload !== undefined ? 'POST' : method
    try {
      const response = await fetch(this.baseUrl + path, {
        method: verb,
        headers,
        body: payload,
        signal: AbortSignal.timeout(this.timeoutMs),
      })
      const text = await response.text()
      return { status: response.status, ...readBody(text, response.headers.get('content-type')) }
    } catch (error) {
      return { status: 0, broken: describe(error) }
    }
  }

  // ---- the few calls whose address depends on the dialect ----

  async openPit(index, keepAlive = '1m') {
    if (this.dialect === 'opensearch') {
      const answer = await this.send({
        method: 'POST',
        path: `/${index}/_search/point_in_time?keep_alive=${keepAlive}`,
      })
      return { answer, id: answer.json?.pit_id }
    }
    const answer = await this.send({ method: 'POST', path: `/${index}/_pit?keep_alive=${keepAlive}` })
    return { answer, id: answer.json?.id }
  }

  closePit(id) {
    return this.dialect === 'opensearch'
      ? this.send({ method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: [id] } })
      : this.send({ method: 'DELETE', path: '/_pit', body: { id } })
  }
}

function readBody(text, contentType) {
  if (text === '') return { text }
  if (contentType && !contentType.includes('json')) return { text }
  try {
    return { json: parse(text) }
  } catch (_error) {
    return { text, broken: `answer is not JSON: ${text.slice(0, 80)}` }
  }
}

function describe(error) {
  if (error?.name === 'TimeoutError') return 'no answer in time'
  return `connection failed: ${error?.cause?.code ?? error?.cause?.message ?? error?.message}`
}
