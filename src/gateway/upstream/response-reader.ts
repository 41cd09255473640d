/**
 * Reads one HTTP/1.1 response from the chunks of a socket: status, headers, and a body of known length, in chunks, or up
 * to the end of the connection. `http.request` costs about half of the time of a small exchange, which is why the
 * gateway reads responses itself.
 */

import { takeBodyMemory } from '../../base/memory/body-memory.ts'
import { shortLivedCopy } from '../../base/memory/short-lived-copies.ts'
import {
  CHUNKED,
  MalformedResponse,
  type ResponseHead,
  type ResponseHeaders,
  readHead,
  UNTIL_END,
} from './response-head.ts'

export interface UpstreamAnswer {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: Buffer
}

const EMPTY = Buffer.alloc(0)
const HEADER_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')
const HEADER_BYTES_MAX = 64 * 1024
/** Memory for longer bodies is taken as their bytes arrive. */
const COLLECTED_BYTES_MAX = 16 * 1024 * 1024

export class ResponseReader {
  readonly #isHead: boolean
  #pending: Buffer = EMPTY
  #head: ResponseHead | undefined
  #length = 0
  /** A body of known length, of which `#received` bytes have arrived. */
  #body: Buffer | undefined
  #parts: Buffer[] | undefined
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
    return this.#head !== undefined || this.#pending.length > 0
  }

  /** Copies bytes of the socket. True when the response is complete. */
  add(chunk: Buffer): boolean {
    let rest = chunk
    while (this.#head === undefined) {
      const joined = this.#pending.length === 0 ? rest : Buffer.concat([this.#pending, rest])
      const end = joined.indexOf(HEADER_END)
      if (end < 0) {
        if (joined.length > HEADER_BYTES_MAX) throw new MalformedResponse('the header is too long')
        this.#pending = joined === chunk ? Buffer.from(chunk) : joined
        return false
      }
      this.#pending = EMPTY
      this.#readHead(joined.toString('latin1', 0, end))
      rest = joined.subarray(end + HEADER_END.length)
    }
    return this.#readBody(rest)
  }

  /** The connection ended. True when that completes the response. */
  end(): boolean {
    this.#canKeepAlive = false
    if (this.#head !== undefined && this.#length === UNTIL_END) this.#isComplete = true
    return this.#isComplete
  }

  answer(): UpstreamAnswer {
    const { status, headers } = this.#head!
    const body = this.#parts === undefined ? (this.#body ?? EMPTY) : Buffer.concat(this.#parts)
    return { status, headers, body }
  }

  #readHead(text: string): void {
    const head = readHead(text)
    if (head === undefined) return
    const { status } = head
    this.#head = head
    this.#canKeepAlive = head.canKeepAlive
    this.#length = this.#isHead || status === 204 || status === 304 ? 0 : head.length
  }

  #readBody(chunk: Buffer): boolean {
    if (this.#length === CHUNKED) return this.#readChunks(chunk)
    if (this.#length === UNTIL_END) {
      this.#keep(Buffer.from(chunk))
      return false
    }
    const missing = this.#length - this.#received
    // Bytes after the response belong to nothing: the connection cannot be trusted any more.
    if (chunk.length > missing) this.#canKeepAlive = false
    this.#collect(chunk.length > missing ? chunk.subarray(0, missing) : chunk)
    this.#isComplete = this.#received === this.#length
    return this.#isComplete
  }

  /** Copies bytes of a body of known length. Most bodies arrive at once. */
  #collect(part: Buffer): void {
    if (part.length === 0) return
    if (this.#length > COLLECTED_BYTES_MAX) this.#keep(Buffer.from(part))
    else if (part.length === this.#length) this.#body = shortLivedCopy(part)
    else {
      this.#body ??= takeBodyMemory(this.#length)
      part.copy(this.#body, this.#received)
    }
    this.#received += part.length
  }

  #keep(part: Buffer): void {
    this.#parts ??= []
    this.#parts.push(part)
  }

  /** Chunks: a line with the size in hexadecimal, the bytes, a line end; the last one has size 0 and trailers. */
  #readChunks(chunk: Buffer): boolean {
    let data = this.#pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#pending, chunk])
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
      this.#keep(data.subarray(from, from + size))
      data = data.subarray(from + size + LINE_END.length)
    }
    this.#pending = data
    return false
  }
}
