import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

/** Sends a request over a kept connection. Resolves to the parsed answer; rejects for errors other than 404. */
export function send(server, method, path, body, type = 'application/json') {
  return new Promise((resolve, reject) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }
    const sent = request(`${server}${path}`, { method, agent, headers }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const parsed = JSON.parse(Buffer.concat(chunks).toString() || '{}')
        if (answer.statusCode >= 300 && answer.statusCode !== 404)
          reject(new Error(JSON.stringify(parsed).slice(0, 800)))
        else resolve(parsed)
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

/** Closes the kept connections, so that the process can end. */
export function closeConnections() {
  agent.destroy()
}
