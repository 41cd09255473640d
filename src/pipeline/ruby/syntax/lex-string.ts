/** String literals in Ruby code: quotes, escapes, interpolation, and the word lists `%w` and `%i`. */
import type { Node } from './ast.ts'
import type { Lexer } from './lexer.ts'

export const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

export type QuoteKind = 'single' | 'double' | 'regex'

/** Collects alternating parts of text and code. */
class Parts {
  readonly list: Node[] = []
  readonly #line: number
  #text = ''

  constructor(line: number) {
    this.#line = line
  }

  add(text: string): void {
    this.#text += text
  }

  code(node: Node): void {
    this.flush()
    this.list.push(node)
  }

  flush(): Node[] {
    if (this.#text !== '') this.list.push({ type: 'str', value: this.#text, line: this.#line })
    this.#text = ''
    return this.list
  }
}

/** Reads up to the closing quote. The lexer is after the opening one. */
export function readQuoted(lexer: Lexer, open: string, close: string, kind: QuoteKind): Node[] {
  const { source } = lexer
  const parts = new Parts(lexer.line)
  let depth = 0
  for (;;) {
    if (lexer.at >= source.length) throw lexer.fail('unterminated string meets end of file')
    const char = source[lexer.at]!
    if (char === close && depth === 0) {
      lexer.at++
      return parts.flush()
    }
    if (open !== close && char === open) depth++
    else if (open !== close && char === close) depth--
    readPiece(lexer, parts, kind, open, close)
  }
}

/** Reads the whole text of a lexer, for the bodies of heredocs. */
export function readAll(lexer: Lexer, kind: QuoteKind): Node[] {
  const parts = new Parts(lexer.line)
  while (lexer.at < lexer.source.length) readPiece(lexer, parts, kind, '', '')
  return parts.flush()
}

function readPiece(lexer: Lexer, parts: Parts, kind: QuoteKind, open: string, close: string): void {
  const { source } = lexer
  const char = source[lexer.at]!
  if (char === '\n') {
    lexer.line++
    // The body of a heredoc that began in an interpolation of this text has already been read.
    if (lexer.heredocEnd !== undefined) {
      parts.add('\n')
      lexer.at = lexer.heredocEnd
      lexer.heredocEnd = undefined
      return
    }
  }
  if (char === '\\') readBackslash(lexer, parts, kind, open, close)
  else if (char === '#' && kind !== 'single' && source[lexer.at + 1] === '{') readInterpolation(lexer, parts)
  else if (
    char === '#' &&
    kind !== 'single' &&
    /^#(?:@@?[A-Za-z_]|\$[A-Za-z_~1-9&])/.test(source.slice(lexer.at, lexer.at + 4))
  )
    readVariable(lexer, parts)
  else {
    parts.add(char)
    lexer.at++
  }
}

function readInterpolation(lexer: Lexer, parts: Parts): void {
  lexer.at += 2
  const { ternaryDepth, state } = lexer
  lexer.ternaryDepth = 0
  lexer.state = 'begin'
  parts.code(lexer.owner.interpolation())
  lexer.ternaryDepth = ternaryDepth
  lexer.state = state
}

/** `"#@name"` */
function readVariable(lexer: Lexer, parts: Parts): void {
  const name = /#(@@?\w+|\$(?:[A-Za-z_]\w*|~|&|[1-9]\d*))/y
  name.lastIndex = lexer.at
  const text = name.exec(lexer.source)![1]!
  lexer.at += text.length + 1
  const { line } = lexer
  if (/^\$[1-9]/.test(text)) parts.code({ type: 'nth', number: Number(text.slice(1)), line })
  else if (text === '$&') parts.code({ type: 'backref', name: text, line })
  else parts.code({ type: text.startsWith('@@') ? 'cvar' : text.startsWith('@') ? 'ivar' : 'gvar', name: text, line })
}

function readBackslash(lexer: Lexer, parts: Parts, kind: QuoteKind, open: string, close: string): void {
  const { source } = lexer
  const after = source[lexer.at + 1]
  if (after === undefined) throw lexer.fail('unterminated string meets end of file')
  if (after === '\n') lexer.line++
  if (kind === 'regex') {
    // The regular expression parser handles escapes; only an escaped delimiter is handled here.
    parts.add(after === close && close === '/' ? '/' : after === '\n' ? '' : `\\${after}`)
    lexer.at += 2
  } else if (kind === 'single') {
    const isEscape = after === '\\' || after === close || after === open
    parts.add(isEscape ? after : `\\${after}`)
    lexer.at += 2
  } else {
    const { text, length } = readStringEscape(source, lexer.at + 1, (message) => lexer.fail(message))
    parts.add(text)
    lexer.at += 1 + length
  }
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n', t: '\t', r: '\r', '0': '\0', s: ' ', e: '\x1b', a: '\x07', b: '\b', f: '\f', v: '\v', '\n': '',
} // biome-ignore format: a table

/** Reads the escape after a backslash. Bytes above 127 have the same form as in `RString`. */
export function readStringEscape(
  source: string,
  at: number,
  fail: (message: string) => Error,
): { text: string; length: number } {
  const rest = source.slice(at, at + 80)
  const octal = /^[0-7]{1,3}/.exec(rest)
  if (octal !== null) return { text: byteText(Number.parseInt(octal[0], 8) & 255), length: octal[0].length }
  const hex = /^x([\da-fA-F]{1,2})/.exec(rest)
  if (hex !== null) return byteRun(source, at)
  if (rest.startsWith('x')) throw fail('invalid hex escape')
  const unicode = /^u(?:([\da-fA-F]{4})|\{\s*([\da-fA-F\s]+)\})/.exec(source.slice(at, at + 400))
  if (unicode !== null) {
    const codes = (unicode[1] ?? unicode[2]!).trim().split(/\s+/)
    return {
      text: codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16))).join(''),
      length: unicode[0].length,
    }
  }
  if (rest.startsWith('u')) throw fail('invalid Unicode escape')
  const control = /^(?:c|C-)(.)/s.exec(rest)
  if (control !== null)
    return {
      text: control[1] === '?' ? '\x7f' : String.fromCharCode(control[1]!.charCodeAt(0) & 31),
      length: control[0].length,
    }
  const char = String.fromCodePoint(source.codePointAt(at)!)
  return { text: SIMPLE[char] ?? char, length: char.length }
}

/** Consecutive escaped bytes may form one character. */
function byteRun(source: string, at: number): { text: string; length: number } {
  const run = /^(?:x[\da-fA-F]{1,2}(?:\\(?=x[\da-fA-F]))?)+/.exec(source.slice(at, at + 4000))![0]
  const bytes = run.split('\\').map((item) => Number.parseInt(item.slice(1), 16))
  return { text: decodeBytes(bytes), length: run.length }
}

function byteText(byte: number): string {
  return byte < 128 ? String.fromCharCode(byte) : String.fromCharCode(0xdc00 + byte)
}

/** Decodes UTF-8. Invalid bytes become lone surrogates from U+DC80 on. */
export function decodeBytes(bytes: readonly number[] | Uint8Array): string {
  const buffer = Buffer.from(bytes as Uint8Array)
  const text = buffer.toString('utf8')
  if (!text.includes('\ufffd')) return text
  let out = ''
  let at = 0
  while (at < buffer.length) {
    const length = sequenceLength(buffer, at)
    if (length === 0) out += byteText(buffer[at++]!)
    else {
      out += buffer.toString('utf8', at, at + length)
      at += length
    }
  }
  return out
}

/** The length of the UTF-8 character that begins here; 0 for a byte that cannot begin one. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0
  if (length === 0 || at + length > bytes.length) return 0
  for (let i = 1; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0
  const second = bytes[at + 1]!
  if (
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second >= 0xa0) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second >= 0x90)
  )
    return 0
  return length
}

/** Reads `%w[a b]` or `%W[a#{b}]`: items separated by spaces. */
export function readListLiteral(lexer: Lexer, open: string, close: string, interpolates: boolean): Node[][] {
  const items: Node[][] = []
  let current: Parts | undefined
  let depth = 0
  const { source } = lexer
  for (;;) {
    if (lexer.at >= source.length) throw lexer.fail('unterminated list meets end of file')
    const char = source[lexer.at]!
    if (/\s/.test(char) || (char === close && depth === 0)) {
      if (current !== undefined) items.push(current.flush())
      current = undefined
      lexer.at++
      if (char === '\n') lexer.line++
      if (char === close) return items
      continue
    }
    current ??= new Parts(lexer.line)
    if (open !== close && char === open) depth++
    else if (open !== close && char === close) depth--
    if (char === '\\' && /\s/.test(source[lexer.at + 1] ?? '')) {
      current.add(source[lexer.at + 1]!)
      lexer.at += 2
    } else readPiece(lexer, current, interpolates ? 'double' : 'single', open, close)
  }
}
