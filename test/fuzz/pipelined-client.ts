/** A connection that sends requests without waiting for the answers to the ones before, as fast as the service takes them. */
import { connect, type Socket } from 'node:net'
import type { ReceivedAnswer, SentRequest } from '../hostile/watched-service.ts'

interface Waiting {
  readonly request: SentRequest
  readonly sentAtMs: number
  resolve(answer: ReceivedAnswer): void
  reject(error: Error): void
}

const HEADER_END = Buffer.from('\r\n\r\n')

export class PipelinedClient {
  readonly #port: number
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #waiting: Waiting[] = []

  constructor(port: number) {
    this.#port = port
  }

  get inFlight(): number {
    return this.#waiting.length
  }

  /** The request whose answer is next, and since when it is waited for. */
  get oldest(): { request: SentRequest; sentAtMs: number } | undefined {
    return this.#waiting[0]
  }

  send(request: SentRequest): Promise<ReceivedAnswer> {
    this.#socket ??= this.#connect()
    const { method, path, body, headers } = request
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1']
    if (bytes !== undefined) {
      const type = /_(?:bulk|msearch)/.test(path) ? 'application/x-ndjson' : 'application/json'
      lines.push(`content-type: ${headers?.['content-type'] ?? type}`, `content-length: ${bytes.length}`)
    }
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, sentAtMs: performance.now(), resolve, reject })
      this.#socket!.write(bytes === undefined ? head : Buffer.concat([head, bytes]))
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  #connect(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    const fail = () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#received = Buffer.alloc(0)
      const lost = this.#waiting
      this.#waiting = []
      for (const { reject } of lost) reject(new Error('the connection was closed'))
    }
    socket.on('error', fail)
    socket.on('close', fail)
    return socket
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    for (;;) {
      const headerEnd = this.#received.indexOf(HEADER_END)
      if (headerEnd < 0) return
      const head = this.#received.toString('latin1', 0, headerEnd)
      const isContinue = head.startsWith('HTTP/1.1 100')
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      const waiting = this.#waiting[0]
      const hasBody = waiting?.request.method !== 'HEAD' && !isContinue
      const end = headerEnd + 4 + (hasBody ? length : 0)
      if (this.#received.length < end) return
      const body = hasBody ? this.#received.toString('utf8', headerEnd + 4, end) : ''
      this.#received = this.#received.subarray(end)
      if (isContinue) continue
      this.#waiting.shift()
      waiting?.resolve({ status: Number(head.slice(9, 12)), body })
    }
  }
}
