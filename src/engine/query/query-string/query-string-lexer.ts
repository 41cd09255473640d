/** The lexer of the query string language: Lucene's classic syntax, with positions for errors. */
import { ApiError, parseFailure } from '../../../base/api-error.ts'

export type TokenKind =
  | 'AND'
  | 'OR'
  | 'NOT'
  | '+'
  | '-'
  | 'BAREOPER'
  | '('
  | ')'
  | ':'
  | '*'
  | '^'
  | 'QUOTED'
  | 'TERM'
  | 'FUZZY_SLOP'
  | 'PREFIXTERM'
  | 'WILDTERM'
  | 'REGEXPTERM'
  | 'RANGE'
  | 'NUMBER'
  | 'EOF'

export interface QueryToken {
  readonly kind: TokenKind
  /** As written, without quotes or slashes; escapes are kept. */
  readonly text: string
  readonly start: number
  readonly range?: RangeToken
}

export interface RangeToken {
  readonly lower: string
  readonly upper: string
  readonly lowerInclusive: boolean
  readonly upperInclusive: boolean
}

const RANGE_START = ['"TO"', '<RANGE_QUOTED>', '<RANGE_GOOP>']
const SPACE = /[ \t\n\r\u3000]/
const NOT_IN_TERM = ' \t\n\r\u3000+-!():^[]"{}~*?\\/'

export function lexQueryString(text: string): QueryToken[] {
  return new Lexer(text).run()
}

class Lexer {
  readonly #text: string
  readonly #tokens: QueryToken[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  run(): QueryToken[] {
    for (;;) {
      while (this.#at < this.#text.length && SPACE.test(this.#text[this.#at]!)) this.#at++
      if (this.#at >= this.#text.length) break
      this.#next()
    }
    this.#tokens.push({ kind: 'EOF', text: '', start: this.#text.length })
    return this.#tokens
  }

  #next(): void {
    const text = this.#text
    const character = text[this.#at]!
    const beforeSpace = this.#at + 1 < text.length && SPACE.test(text[this.#at + 1]!)
    if (text.startsWith('&&', this.#at)) this.#add('AND', 2)
    else if (text.startsWith('||', this.#at)) this.#add('OR', 2)
    else if ('+-!'.includes(character) && beforeSpace) this.#add('BAREOPER', 2)
    else if (character === '!') this.#add('NOT', 1)
    else if (isSign(character)) this.#add(character, 1)
    else if (character === '^') this.#boost()
    else if (character === '"') this.#delimited('"', 'QUOTED')
    else if (character === '/') this.#delimited('/', 'REGEXPTERM')
    else if (character === '[' || character === '{') this.#range()
    else if (character === '~') this.#add('FUZZY_SLOP', 1 + this.#letters(this.#at + 1))
    else this.#word()
  }

  /** The number of word characters that follow. */
  #letters(start: number): number {
    let at = start
    while (at < this.#text.length && (!NOT_IN_TERM.includes(this.#text[at]!) || '+-'.includes(this.#text[at]!))) at++
    return at - start
  }

  #add(kind: TokenKind, length: number): void {
    this.#tokens.push({ kind, text: this.#text.slice(this.#at, this.#at + length), start: this.#at })
    this.#at += length
  }

  #boost(): void {
    this.#add('^', 1)
    const number = /^\d+(?:\.\d+)?/.exec(this.#text.slice(this.#at))
    if (number === null) {
      if (this.#at >= this.#text.length) throw unexpectedEnd(this.#text, ['<NUMBER>'])
      const code = this.#text.charCodeAt(this.#at)
      throw tokenError(
        this.#text,
        `Lexical error at line 1, column ${this.#at + 1}.  Encountered: '${code}' (${code}),`,
      )
    }
    this.#add('NUMBER', number[0].length)
  }

  #delimited(end: '"' | '/', kind: TokenKind): void {
    const start = this.#at
    let at = start + 1
    while (at < this.#text.length && this.#text[at] !== end) at += this.#text[at] === '\\' ? 2 : 1
    if (at >= this.#text.length) throw lexicalError(this.#text, this.#text.slice(start))
    this.#tokens.push({ kind, text: this.#text.slice(start + 1, at), start })
    this.#at = at + 1
  }

  #range(): void {
    const start = this.#at
    const lowerInclusive = this.#text[start] === '['
    this.#at++
    const lower = this.#goop(RANGE_START)
    this.#skipSpace()
    if (!/^TO(?=[ \t\n\r\u3000]|$)/.test(this.#text.slice(this.#at))) throw this.#notInRange(['"TO"'])
    this.#at += 2
    const upper = this.#goop(RANGE_START)
    this.#skipSpace()
    const end = this.#text[this.#at]
    if (end !== ']' && end !== '}') throw this.#notInRange(['"]"', '"}"'])
    this.#at++
    const range = { lower, upper, lowerInclusive, upperInclusive: end === ']' }
    this.#tokens.push({ kind: 'RANGE', text: this.#text.slice(start, this.#at), start, range })
  }

  /** The error for an unexpected token at this position. */
  #notInRange(expected: readonly string[]): ApiError {
    const rest = this.#text.slice(this.#at)
    if (rest === '') return unexpectedEnd(this.#text, expected)
    const word = /^[\]}]/.exec(rest)?.[0]
    const text = word ?? /^[^ \]}]+/.exec(rest)![0]
    const image = word === undefined ? '<RANGE_GOOP>' : `"${word}"`
    return notExpected(this.#text, `" ${image} "${text} ""`, this.#at, expected)
  }

  #goop(expected: readonly string[]): string {
    this.#skipSpace()
    const start = this.#at
    if (this.#text[start] === '"') {
      this.#at++
      while (this.#at < this.#text.length && this.#text[this.#at] !== '"') this.#at++
      this.#at++
      return this.#text.slice(start + 1, this.#at - 1)
    }
    while (this.#at < this.#text.length && !/[ \]}]/.test(this.#text[this.#at]!)) this.#at++
    if (this.#at === start) throw this.#notInRange(expected)
    return this.#text.slice(start, this.#at)
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && SPACE.test(this.#text[this.#at]!)) this.#at++
  }

  #word(): void {
    const text = this.#text
    const start = this.#at
    let at = start
    let wildcards = 0
    let lastWildcard = -1
    while (at < text.length) {
      const character = text[at]!
      if (character === '\\') {
        if (at + 1 >= text.length) throw lexicalError(text, '')
        at += 2
      } else if (character === '*' || character === '?') {
        wildcards++
        lastWildcard = at++
      } else if (!NOT_IN_TERM.includes(character) || (at > start && (character === '-' || character === '+'))) at++
      else break
    }
    if (at === start) throw lexicalError(text, '')
    const word = text.slice(start, at)
    const onlyAtEnd = wildcards === 1 && lastWildcard === at - 1 && text[lastWildcard] === '*'
    this.#at = at
    const push = (kind: TokenKind) => this.#tokens.push({ kind, text: word, start })
    if (wildcards === 0) push(word === 'AND' || word === 'OR' || word === 'NOT' ? word : 'TERM')
    else if (word === '*') push('*')
    else push(onlyAtEnd ? 'PREFIXTERM' : 'WILDTERM')
  }
}

function isSign(character: string): character is '+' | '-' | '(' | ')' | ':' {
  return '+-():'.includes(character)
}

export function parseError(text: string, reason: string): ApiError {
  return parseFailure(`Cannot parse '${text}': ${reason}`, parseFailure(reason))
}

const SIGNS: ReadonlySet<TokenKind> = new Set(['+', '-', '(', ')', ':', '*', '^'])

/** The parser's message for an unexpected token. */
export function unexpectedToken(text: string, token: QueryToken, expected: readonly string[]): ApiError {
  if (token.kind === 'EOF') return unexpectedEnd(text, expected)
  const image = SIGNS.has(token.kind) ? `"${token.kind}"` : `<${token.kind}>`
  return notExpected(text, `" ${image} "${token.text} ""`, token.start, expected)
}

function unexpectedEnd(text: string, expected: readonly string[]): ApiError {
  return notExpected(text, '"<EOF>"', text.length, expected)
}

function notExpected(text: string, found: string, at: number, expected: readonly string[]): ApiError {
  const list = expected.map((word) => (word === '<EOF>' ? '    <EOF> \n' : `    ${word} ...\n`)).join('')
  const heading = expected.length === 1 ? 'Was expecting:' : 'Was expecting one of:'
  return parseError(text, `Encountered ${found} at line 1, column ${at}.\n${heading}\n${list}    `)
}

/** The text ends in the middle of a word; `prefix` is the part that was read. */
function lexicalError(text: string, prefix: string): ApiError {
  const after = prefix.length > 1 ? ` after prefix "${prefix.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : ''
  return tokenError(
    text,
    `Lexical error at line 1, column ${text.length + 1}.  Encountered: <EOF>${after} (in lexical state 2)`,
  )
}

function tokenError(text: string, reason: string): ApiError {
  return parseFailure(`Cannot parse '${text}': ${reason}`, new ApiError(400, 'token_mgr_error', reason))
}
