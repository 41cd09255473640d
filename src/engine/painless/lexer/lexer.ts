/** Splits a source into tokens. Throws IllegalArgumentException with the offset of a character that starts no token. */
import { illegalArgument, type JavaThrowable, throwable } from '../errors/java-throwable.ts'
import { KEYWORDS, PRIMITIVES, SYMBOLS, type Token } from './token.ts'

const IDENTIFIER = /[_a-zA-Z][_a-zA-Z0-9]*/y
const OCTAL = /0[0-7]+[lL]?/y
const HEXADECIMAL = /0[xX][0-9a-fA-F]+[lL]?/y
const INTEGER = /(?:0|[1-9][0-9]*)[lLfFdD]?/y
const DECIMAL = /(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[fFdD]?/y
const LINE_COMMENT = /\/\/[^\n\r]*[\n\r]/y
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y
const SINGLE_QUOTED = /'(?:\\'|\\\\|[^\\'])*'/y
const DOUBLE_QUOTED = /"(?:\\"|\\\\|[^\\"])*"/y
const REGEX = /\/(?:\\[^\n]|[^/\n\\])+\/[cilmsUux]*/y
const AFTER_DOT_INTEGER = /(?:0|[1-9][0-9]*)/y
const NUMBERS: readonly (readonly [string, RegExp])[] = [
  ['OCTAL', OCTAL],
  ['HEX', HEXADECIMAL],
  ['INTEGER', INTEGER],
  ['DECIMAL', DECIMAL],
]

/** A slash after one of these tokens is a division. After any other token it starts a regex. */
const OPERAND_END = new Set([']', ')', 'OCTAL', 'HEX', 'INTEGER', 'DECIMAL', 'ID', 'DOTINTEGER', 'DOTID'])

export function tokenize(source: string): Token[] {
  const { tokens, error } = readTokens(source)
  if (error !== undefined) throw error
  return tokens
}

/** The tokens before the first invalid character, and the error for that. */
export function readTokens(source: string): { tokens: Token[]; error?: JavaThrowable } {
  const tokens: Token[] = []
  let at = 0
  while (true) {
    const previous = tokens.at(-1)?.type
    const afterDot = previous === '.' || previous === '?.'
    if (!afterDot) at = skipBlank(source, at)
    if (at >= source.length) break
    const token = afterDot ? readAfterDot(source, at) : readToken(source, at, previous)
    if (token === undefined) return { tokens, error: unexpectedCharacter(source, at, previous) }
    tokens.push(token)
    at += token.text.length
  }
  tokens.push({ type: 'EOF', text: '<EOF>', at: source.length })
  return { tokens }
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0]
}

function skipBlank(source: string, start: number): number {
  let at = start
  while (at < source.length) {
    const c = source[at]!
    if (c === ' ' || c === '\t' || c === '\n' || c === '\r') at++
    else if (c === '/') {
      const comment = match(LINE_COMMENT, source, at) ?? match(BLOCK_COMMENT, source, at)
      if (comment === undefined) break
      at += comment.length
    } else break
  }
  return at
}

function readAfterDot(source: string, at: number): Token | undefined {
  const name = match(IDENTIFIER, source, at)
  if (name !== undefined) return { type: 'DOTID', text: name, at }
  const integer = match(AFTER_DOT_INTEGER, source, at)
  return integer === undefined ? undefined : { type: 'DOTINTEGER', text: integer, at }
}

function readToken(source: string, at: number, previous: string | undefined): Token | undefined {
  const name = match(IDENTIFIER, source, at)
  if (name !== undefined) {
    const type = KEYWORDS.has(name) ? name : PRIMITIVES.has(name) ? 'PRIMITIVE' : 'ID'
    return { type, text: name, at }
  }
  const c = source[at]!
  if (c >= '0' && c <= '9') return readNumber(source, at)
  if (c === "'" || c === '"') {
    const text = match(c === "'" ? SINGLE_QUOTED : DOUBLE_QUOTED, source, at)
    return text === undefined ? undefined : { type: 'STRING', text, at }
  }
  if (c === '/' && !OPERAND_END.has(previous ?? '')) {
    const text = match(REGEX, source, at)
    if (text !== undefined) return { type: 'REGEX', text, at }
    return source.startsWith('/=', at) ? { type: '/=', text: '/=', at } : undefined
  }
  const symbol = SYMBOLS.find((s) => source.startsWith(s, at))
  return symbol === undefined ? undefined : { type: symbol, text: symbol, at }
}

/** The longest of the matching number forms; the first one if several have the same length. */
function readNumber(source: string, at: number): Token | undefined {
  let best: Token | undefined
  for (const [type, pattern] of NUMBERS) {
    const text = match(pattern, source, at)
    if (text !== undefined && text.length > (best?.text.length ?? 0)) best = { type, text, at }
  }
  return best
}

function unexpectedCharacter(source: string, at: number, previous: string | undefined) {
  const text = source.slice(at, failureEnd(source, at, previous))
  let message = `unexpected character [${shown(text)}].`
  const quote = text[0]
  if ((quote === "'" || quote === '"') && text.length > 2 && text.at(-2) === '\\')
    message += ` The only valid escape sequences in strings starting with [${quote}] are [\\\\] and [\\${quote}].`
  const error = illegalArgument(message, throwable('org.antlr.v4.runtime.LexerNoViableAltException'))
  error.offset = at
  return error
}

/** The end of the text that the lexer reports as invalid: the first character that fits no token, inclusive. */
function failureEnd(source: string, at: number, previous: string | undefined): number {
  const c = source[at]!
  if (previous === '.' || previous === '?.') return at + 1
  if (c === "'" || c === '"') {
    for (let i = at + 1; i < source.length; i++)
      if (source[i] === '\\') {
        if (source[i + 1] !== '\\' && source[i + 1] !== c) return Math.min(i + 2, source.length)
        i++
      }
    return source.length
  }
  if (c === '/') {
    const lineEnd = source.indexOf('\n', at)
    if (source[at + 1] === '*') return source.length
    return lineEnd < 0 ? source.length : lineEnd + 1
  }
  return at + 1
}

const shown = (text: string) => text.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
