/**
 * The head of an HTTP/1.1 response: status line and headers. Nodes repeat their heads but for the length of the body, so that
 * the rest of a head is read once and kept.
 */

export type ResponseHeaders = Readonly<Record<string, string | string[]>>

export interface ResponseHead {
  readonly status: number
  /** Names in lower case. A header that occurs several times has all its values. Shared by responses, and never changed. */
  readonly headers: ResponseHeaders
  /** Whether the connection can carry another exchange. */
  readonly canKeepAlive: boolean
  /** The length of the body, or one of the constants below. */
  readonly length: number
}

/** The bytes of a response do not follow HTTP/1.1. */
export class MalformedResponse extends Error {}

/** The body comes in chunks. */
export const CHUNKED = -1
/** The body ends with the connection. */
export const UNTIL_END = -2

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})/
/** As OpenSearch and Elasticsearch write it. */
const LENGTH_LINE = '\r\ncontent-length: '
const HEADS_MAX = 100

/** Heads without the line of the length. */
const KNOWN = new Map<string, ResponseHead>()
/** The last head, and the text before and behind its length. To compare them costs less than to join and hash them. */
let last: ResponseHead | undefined
let lastBefore = ''
let lastBehind = ''

/** Reads a head without its empty line. Undefined for an interim response, which is followed by the final one. */
export function readHead(text: string): ResponseHead | undefined {
  const at = text.indexOf(LENGTH_LINE)
  if (at < 0) return parseHead(text)
  const from = at + LENGTH_LINE.length
  const lineEnd = text.indexOf('\r\n', from)
  const end = lineEnd < 0 ? text.length : lineEnd
  let head = last
  if (head === undefined || at !== lastBefore.length || !isLast(text, end)) {
    const before = text.slice(0, at)
    const behind = text.slice(end)
    head = knownHead(before + behind)
    if (head === undefined) return undefined
    // A second length or a body in chunks: the complete head decides.
    if (head.length !== UNTIL_END) return parseHead(text)
    last = head
    lastBefore = before
    lastBehind = behind
  }
  const { status, headers, canKeepAlive } = head
  return { status, headers, canKeepAlive, length: lengthOf(text.slice(from, end)) }
}

function isLast(text: string, end: number): boolean {
  return text.length - end === lastBehind.length && text.startsWith(lastBefore) && text.endsWith(lastBehind)
}

function knownHead(rest: string): ResponseHead | undefined {
  const known = KNOWN.get(rest)
  if (known !== undefined) return known
  const head = parseHead(rest)
  if (head === undefined || head.length !== UNTIL_END) return head
  if (KNOWN.size >= HEADS_MAX) KNOWN.clear()
  KNOWN.set(rest, head)
  return head
}

function parseHead(text: string): ResponseHead | undefined {
  const lines = text.split('\r\n')
  const first = STATUS_LINE.exec(lines[0]!)
  if (first === null) throw new MalformedResponse(`not a status line: ${lines[0]!.slice(0, 80)}`)
  const status = Number(first[2])
  if (status < 200) return undefined
  const headers: Record<string, string | string[]> = {}
  for (let i = 1; i < lines.length; i++) addHeader(headers, lines[i]!)
  const connection = String(headers['connection'] ?? '').toLowerCase()
  const canKeepAlive = first[1] === '1' ? connection !== 'close' : connection === 'keep-alive'
  return { status, headers, canKeepAlive, length: bodyLength(headers) }
}

function addHeader(headers: Record<string, string | string[]>, line: string): void {
  const colon = line.indexOf(':')
  if (colon <= 0) throw new MalformedResponse(`not a header line: ${line.slice(0, 80)}`)
  const name = line.slice(0, colon).toLowerCase()
  const value = line.slice(colon + 1).trim()
  const known = headers[name]
  headers[name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value]
}

function bodyLength(headers: ResponseHeaders): number {
  if (/\bchunked\b/i.test(String(headers['transfer-encoding'] ?? ''))) return CHUNKED
  const length = headers['content-length']
  return length === undefined ? UNTIL_END : lengthOf(String(length))
}

function lengthOf(text: string): number {
  const bytes = Number(text)
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new MalformedResponse(`a length of ${text}`)
  return bytes
}
