/**
 * Parses the text of the editor into requests: `METHOD path` on a line with a body below it, `#` and `//` for comments,
 * triple quotes for multi-line strings. The body is sent as JSON. Offsets in the sent body can be mapped back to the
 * text, so that an error of the server is marked in place.
 */

export interface ConsoleRequest {
  readonly method: string
  /** Path and query as written, with a leading slash. */
  readonly path: string
  /** The body as it is sent; undefined if there is none. Several JSON objects are sent as lines. */
  readonly body: string | undefined
  /** The range from the first character of the method to the end of the body. */
  readonly from: number
  readonly to: number
  /** The range of the path. */
  readonly pathFrom: number
  readonly pathTo: number
  /** The origin of each piece of the sent body, ordered by `sent`. */
  readonly map: readonly Piece[]
}

interface Piece {
  readonly sent: number
  readonly from: number
}

const METHOD_LINE = /^[ \t]*(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS)[ \t]+(\S.*?)[ \t]*$/i

export function parseConsole(text: string): ConsoleRequest[] {
  const starts: { offset: number; end: number; method: string; path: string; pathFrom: number }[] = []
  let offset = 0
  let inTriple = false
  for (const line of text.split('\n')) {
    const match = inTriple ? null : METHOD_LINE.exec(line)
    if (match !== null) {
      const path = match[2]!.replace(/\s+(#|\/\/).*$/, '')
      const methodFrom = offset + line.search(/\S/)
      const pathFrom = offset + line.indexOf(match[2]!, line.search(/\S/) + match[1]!.length)
      starts.push({ offset: methodFrom, end: offset + line.length, method: match[1]!.toUpperCase(), path, pathFrom })
    } else if ((line.match(/"""/g)?.length ?? 0) % 2 === 1) inTriple = !inTriple
    offset += line.length + 1
  }
  return starts.map((start, i) => {
    const limit = starts[i + 1]?.offset ?? text.length
    const bodyFrom = Math.min(start.end + 1, limit)
    const { body, map, to } = readBody(text, bodyFrom, limit)
    return {
      method: start.method,
      path: start.path.startsWith('/') ? start.path : `/${start.path}`,
      body,
      from: start.offset,
      to: Math.max(to, start.end),
      pathFrom: start.pathFrom,
      pathTo: start.pathFrom + start.path.length,
      map,
    }
  })
}

/** The request at the cursor: the last one that begins at or before it. */
export function requestAt(
  requests: readonly ConsoleRequest[],
  offset: number,
  text: string,
): ConsoleRequest | undefined {
  const lineEnd = text.indexOf('\n', offset)
  const limit = lineEnd < 0 ? text.length : lineEnd
  return requests.findLast(({ from }) => from <= limit)
}

/** Maps a line and column of the sent body (both from 1) to an offset in the text. */
export function offsetOf(request: ConsoleRequest, line: number, column: number): number | undefined {
  const { body, map } = request
  if (body === undefined) return undefined
  let sent = 0
  for (let n = 1; n < line; n++) {
    const next = body.indexOf('\n', sent)
    if (next < 0) return undefined
    sent = next + 1
  }
  sent = Math.min(sent + column - 1, body.length)
  const piece = map.findLast((one) => one.sent <= sent)
  return piece === undefined ? undefined : piece.from + (sent - piece.sent)
}

interface Body {
  readonly body: string | undefined
  readonly map: readonly Piece[]
  readonly to: number
}

/** Copies the body: comments become spaces, strings in triple quotes become JSON strings. */
function readBody(text: string, from: number, limit: number): Body {
  let sent = ''
  const map: Piece[] = []
  let at = from
  const copy = (length: number, written: string) => {
    map.push({ sent: sent.length, from: at })
    sent += written
    at += length
  }
  while (at < limit) {
    if (text.startsWith('"""', at)) {
      const end = text.indexOf('"""', at + 3)
      const stop = end < 0 ? limit : end
      const inner = text.slice(at + 3, stop)
      copy(Math.min(stop + 3, limit) - at, JSON.stringify(inner.replace(/^\n/, '').replace(/\n[ \t]*$/, '')))
    } else if (text[at] === '"') {
      let end = at + 1
      while (end < limit && text[end] !== '"' && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
      end = Math.min(end + 1, limit)
      copy(end - at, text.slice(at, end))
    } else if (text[at] === '#' || text.startsWith('//', at)) {
      const end = text.indexOf('\n', at)
      const stop = end < 0 || end > limit ? limit : end
      copy(stop - at, ' '.repeat(stop - at))
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      const stop = end < 0 || end + 2 > limit ? limit : end + 2
      copy(stop - at, text.slice(at, stop).replace(/[^\n]/g, ' '))
    } else {
      const next = text.slice(at, limit).search(/["#/]/)
      const stop = next < 0 ? limit : at + Math.max(next, 1)
      copy(stop - at, text.slice(at, stop))
    }
  }
  const leading = sent.search(/\S/)
  if (leading < 0) return { body: undefined, map: [], to: from - 1 }
  const trimmed = sent.trimEnd()
  const last = map.findLast((piece) => piece.sent <= trimmed.length - 1)!
  const to = Math.min(limit, last.from + (trimmed.length - last.sent))
  const several = splitObjects(trimmed)
  if (several.length > 1) return { ...asLines(several, map), to }
  return { body: trimmed.slice(leading), map: shifted(map, leading), to }
}

function shifted(map: readonly Piece[], by: number): Piece[] {
  const first = map.findLast(({ sent }) => sent <= by)!
  const head = { sent: 0, from: first.from + (by - first.sent) }
  return [head, ...map.filter(({ sent }) => sent > by).map(({ sent, from }) => ({ sent: sent - by, from }))]
}

interface Span {
  readonly start: number
  readonly text: string
}

/** The consecutive JSON values of a body, such as that of a bulk request. */
function splitObjects(text: string): Span[] {
  const spans: Span[] = []
  let depth = 0
  let start = -1
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    } else if (char === '{' || char === '[') {
      if (depth++ === 0) start = at
    } else if ((char === '}' || char === ']') && --depth === 0) {
      spans.push({ start, text: text.slice(start, at + 1) })
      start = -1
    } else if (depth === 0 && !/[\s,]/.test(char)) return []
    if (depth < 0) return []
  }
  return depth === 0 ? spans : []
}

/** One value per line with a final line end, as bulk and multi search require. */
function asLines(spans: readonly Span[], map: readonly Piece[]): { body: string; map: Piece[] } {
  let body = ''
  const lines: Piece[] = []
  for (const { start, text } of spans) {
    const head = map.findLast(({ sent }) => sent <= start)!
    lines.push({ sent: body.length, from: head.from + (start - head.sent) })
    for (const { sent, from } of map) {
      if (sent > start && sent < start + text.length) lines.push({ sent: body.length + sent - start, from })
    }
    body += `${text.replace(/\s*\n\s*/g, (blank) => ' '.repeat(blank.length))}\n`
  }
  return { body, map: lines }
}

/** Formats a JSON text without parsing its numbers, so that every digit stays as it was written. */
export function layOut(json: string, indent = 2): string {
  let out = ''
  let depth = 0
  const line = () => `\n${' '.repeat(depth * indent)}`
  for (let at = 0; at < json.length; at++) {
    const char = json[at]!
    if (char === '"') {
      const start = at
      for (at++; at < json.length && json[at] !== '"'; at++) if (json[at] === '\\') at++
      out += json.slice(start, at + 1)
    } else if (char === '{' || char === '[') {
      const close = char === '{' ? '}' : ']'
      let next = at + 1
      while (/\s/.test(json[next] ?? '')) next++
      if (json[next] === close) {
        out += char + close
        at = next
      } else {
        depth++
        out += char + line()
      }
    } else if (char === '}' || char === ']') {
      depth = Math.max(0, depth - 1)
      out += line() + char
    } else if (char === ',') out += char + line()
    else if (char === ':') out += ': '
    else if (!/\s/.test(char)) out += char
  }
  return out
}
