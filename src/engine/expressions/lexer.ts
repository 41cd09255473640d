/** The tokens of Lucene expressions, a subset of JavaScript. */
import { ExpressionSyntaxError } from './syntax-error.ts'

export type TokenKind = 'number' | 'variable' | 'operator' | 'end'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly start: number
}

const SPACE = /[ \t\n\r]+/y
const STRING = String.raw`'(?:\\\\|\\'|[^\\'])*?'|"(?:\\\\|\\"|[^\\"])*?"`
const ARRAY = String.raw`\[(?:${STRING}|0|[1-9][0-9]*)\]`
const ID = '[_$a-zA-Z][_$a-zA-Z0-9]*'
const VARIABLE = new RegExp(String.raw`${ID}(?:${ARRAY})*(?:\.${ID}(?:${ARRAY})*)*`, 'y')
const NUMBER = /0[xX][0-9a-fA-F]+|0[0-7]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y
const OPERATOR = />>>|<<|>>|<=|>=|==|!=|&&|\|\||[()!~*/%+\-<>&^|?:,]/y

const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['variable', VARIABLE],
  ['number', NUMBER],
  ['operator', OPERATOR],
]

/** Throws ExpressionSyntaxError. */
export function tokens(source: string): Token[] {
  const found: Token[] = []
  for (let at = 0; ; ) {
    SPACE.lastIndex = at
    if (SPACE.test(source)) at = SPACE.lastIndex
    if (at >= source.length) {
      found.push({ kind: 'end', text: '<EOF>', start: source.length })
      return found
    }
    const token = tokenAt(source, at)
    found.push(token)
    at += token.text.length
  }
}

function tokenAt(source: string, start: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = start
    const match = pattern.exec(source)
    if (match !== null) return { kind, text: match[0], start }
  }
  const { line, column } = placeOf(source, start)
  const shown = source[start]!
  throw new ExpressionSyntaxError(`unexpected character '${shown}' on line (${line}) position (${column})`, start)
}

/** The line, from 1, and the position in it, from 0. */
export function placeOf(source: string, offset: number): { readonly line: number; readonly column: number } {
  const before = source.slice(0, offset)
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) }
}
