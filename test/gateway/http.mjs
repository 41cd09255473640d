// One request over HTTP. A connection that breaks is status 0, so that tests count it instead of ending.
import http from 'node:http'

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

/** A string is sent as lines of JSON, everything else as JSON. */
export function send(url, method, path, body, agent) {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  return new Promise((done) => {
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }
    const broken = (error) => done({ status: 0, json: String(error) })
    const request = http.request(`${url}${path}`, { method, headers, agent }, (response) => {
      const chunks = []
      response.on('error', broken)
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString()
        let json
        try {
          json = JSON.parse(answer)
        } catch {}
        done({ status: response.statusCode, json })
      })
    })
    request.on('error', broken)
    request.end(text)
  })
}

/** Like `send`, for requests that must succeed. */
export async function need(url, method, path, body) {
  const { status, json } = await send(url, method, path, body)
  if (status < 200 || status >= 300)
    throw new Error(`${method} ${path} answers ${status}: ${JSON.stringify(json)?.slice(0, 300)}`)
  return json
}
