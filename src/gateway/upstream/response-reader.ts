/**
 * Reads one HTTP/1.1 response from the chunks of a socket: status, headers, and a body of known length, in chunks, or up
 * to the end of the connection. `http.request` costs about half of the time of a small exchange, which is why the
 * gateway reads responses itself.
 */

export interface UpstreamAnswer {
  readonly status: number
  /** Names in lower case. A header that occurs several times has all its values. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
}

/** The bytes of a response do not follow HTTP/1.1. */
export class MalformedResponse extends Error {}

const EMPTY = Buffer.alloc(0)
const HEADER_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')
const HEADER_BYTES_MAX = 64 * 1024

/** What remains to be read: -1 for chunks, -2 for everything up to the end of the connection. */
const CHUNKED = -1
const UNTIL_END = -2

export class ResponseReader {
  readonly #isHead: boolean
  #pending: Buffer = EMPTY
  #status = 0
  #headers: Record<string, string | string[]> = {}
  #hasHeader = false
  #length = 0
  readonly #parts: Buffer[] = []
  #received = 0
  #isComplete = false
  #canKeepAlive = true

  /** `isHead`: the response to a HEAD request has a length and no body. */
  constructor(isHead: boolean) {
    this.#isHead = isHead
  }

  /** Whether the connection can carry another exchange. */
  get canKeepAlive(): boolean {
    return this.#canKeepAlive
  }

  /** Whether any byte of the response has arrived. */
  get hasBegun(): boolean {
    return this.#hasHeader || this.#pending.length > 0
  }

  /** Takes bytes of the socket. True when the response is complete. */
  add(chunk: Buffer): boolean {
    let rest = chunk
    while (!this.#hasHeader) {
      const joined = this.#pending.length === 0 ? rest : Buffer.concat([this.#pending, rest])
      const end = joined.indexOf(HEADER_END)
      if (end < 0) {
        if (joined.length > HEADER_BYTES_MAX) throw new MalformedResponse('the header is too long')
        this.#pending = joined
        return false
      }
      this.#pending = EMPTY
      this.#readHeader(joined.toString('latin1', 0, end))
      rest = joined.subarray(end + HEADER_END.length)
    }
    return this.#readBody(rest)
  }

  /** The connection ended. True when that completes the response. */
  end(): boolean {
    this.#canKeepAlive = false
    if (this.#hasHeader && this.#length === UNTIL_END) this.#isComplete = true
    return this.#isComplete
  }

  answer(): UpstreamAnswer {
    const body = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    return { status: this.#status, headers: this.#headers, body }
  }

  #readHeader(text: string): void {
    const lines = text.split('\r\n')
    const first = /^HTTP\/1\.([01]) (\d{3})/.exec(lines[0]!)
    if (first === null) throw new MalformedResponse(`not a status line: ${lines[0]!.slice(0, 80)}`)
    const status = Number(first[2])
    // An interim response is followed by the final one.
    if (status < 200) return
    this.#status = status
    for (let i = 1; i < lines.length; i++) this.#addHeader(lines[i]!)
    this.#hasHeader = true
    const connection = String(this.#headers['connection'] ?? '').toLowerCase()
    this.#canKeepAlive = first[1] === '1' ? connection !== 'close' : connection === 'keep-alive'
    this.#length = this.#bodyLength()
  }

  #addHeader(line: string): void {
    const colon = line.indexOf(':')
    if (colon <= 0) throw new MalformedResponse(`not a header line: ${line.slice(0, 80)}`)
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const known = this.#headers[name]
    this.#headers[name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value]
  }

  #bodyLength(): number {
    if (this.#isHead || this.#status === 204 || this.#status === 304) return 0
    if (/\bchunked\b/i.test(String(this.#headers['transfer-encoding'] ?? ''))) return CHUNKED
    const length = this.#headers['content-length']
    if (length === undefined) return UNTIL_END
    const bytes = Number(length)
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new MalformedResponse(`a length of ${String(length)}`)
    return bytes
  }

  #readBody(chunk: Buffer): boolean {
    if (this.#length === CHUNKED) return this.#readChunks(chunk)
    if (this.#length === UNTIL_END) {
      if (chunk.length > 0) this.#parts.push(chunk)
      return false
    }
    this.#received += chunk.length
    if (this.#received > this.#length) {
      // Bytes after the response belong to nothing: the connection cannot be trusted any more.
      this.#canKeepAlive = false
      this.#parts.push(chunk.subarray(0, chunk.length - (this.#received - this.#length)))
      this.#received = this.#length
    } else if (chunk.length > 0) this.#parts.push(chunk)
    this.#isComplete = this.#received === this.#length
    return this.#isComplete
  }

  /** Chunks: a line with the size in hexadecimal, the bytes, a line end; the last one has size 0 and trailers. */
  #readChunks(chunk: Buffer): boolean {
    let data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    for (;;) {
      const lineEnd = data.indexOf(LINE_END)
      if (lineEnd < 0) break
      const size = Number.parseInt(data.toString('latin1', 0, lineEnd), 16)
      if (!Number.isSafeInteger(size) || size < 0) throw new MalformedResponse('a chunk without a size')
      if (size === 0) {
        // Trailers are lines of their own; an empty line ends them.
        const end = data.indexOf(HEADER_END, lineEnd)
        if (end < 0) break
        this.#isComplete = true
        return true
      }
      const from = lineEnd + LINE_END.length
      if (data.length < from + size + LINE_END.length) break
      this.#parts.push(data.subarray(from, from + size))
      data = data.subarray(from + size + LINE_END.length)
    }
    this.#pending = data
    return false
  }
}
