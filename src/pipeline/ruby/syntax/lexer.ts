/**
 * Splits Ruby code into tokens on demand. The meaning of a character depends on the preceding token, and on whether a
 * name is a local variable, which only the parser knows.
 */

import type { Node } from './ast.ts'
import { RubySyntaxError } from './ast.ts'
import { readHeredoc } from './lex-heredoc.ts'
import { isIdentStart, readNumber } from './lex-number.ts'
import { CLOSERS, readListLiteral, readQuoted } from './lex-string.ts'
import { KEYWORDS, OPTIONAL_VALUE_KEYWORDS, type Token, type TokenKind, VALUE_KEYWORDS } from './token.ts'

/** What may come next: the start of a value, an argument of the preceding name, an operator, or a method name. */
export type LexState = 'begin' | 'middle' | 'argument' | 'end' | 'dot' | 'name'

/** The interface of the parser that the lexer uses. */
export interface LexerOwner {
  isLocal(name: string): boolean
  /** Parses the code of an interpolation up to its closing brace. */
  interpolation(): Node
}

const OPERATORS = [
  '**=', '<=>', '===', '...', '<<=', '>>=', '&&=', '||=', '&.', '**', '==', '!=', '>=', '<=', '&&', '||', '=~', '!~', '..', '::', '+=', '-=', '*=',
  '/=', '%=', '&=', '|=', '^=', '<<', '>>', '->', '=>', '+', '-', '*', '/', '%', '=', '<', '>', '!', '&', '|', '^', '~', '?', ':', ',', '.', '(',
  ')', '[', ']', '{', '}', ';',
] // biome-ignore format: a table

/** Methods whose names are operators, for `def ==` and `:==`. */
const OPERATOR_NAME = /\[\]=?|\*\*|<=>|===?|=~|![=~]?|<<|>>|<=|>=|[+-]@|~@?|[+\-*/%<>&|^~`]/y
const IDENT = /[A-Za-z0-9_\u0080-\u{10ffff}]+/uy

export class Lexer {
  readonly source: string
  readonly owner: LexerOwner
  at = 0
  line: number
  state: LexState = 'begin'
  /** Whether the middle of `a ? b : c` is being read, in which a colon is not part of a label. */
  ternaryDepth = 0
  /** The offset after the bodies of the heredocs that began on this line. */
  heredocEnd: number | undefined
  constructor(source: string, owner: LexerOwner, line = 1) {
    this.source = source
    this.owner = owner
    this.line = line
  }

  /** A lexer for a text inside this one, such as the body of a heredoc. */
  inner(source: string, line: number): Lexer {
    return new Lexer(source, this.owner, line)
  }

  fail(message: string): RubySyntaxError {
    return new RubySyntaxError(message, this.line)
  }

  next(): Token {
    const start = this.at
    const newline = this.#skipBlanks()
    if (newline !== undefined) return newline
    const spaced = this.at > start
    const { source } = this
    if (
      this.at >= source.length ||
      (this.#atLineStart() && /^__END__\r?(\n|$)/.test(source.slice(this.at, this.at + 9)))
    )
      return this.make('end', '', spaced, 'begin')
    const char = source[this.at]!
    if (/[0-9]/.test(char)) return this.#number(spaced)
    if (isIdentStart(char)) return this.#word(spaced)
    if (char === '@' || char === '$') return this.#variable(spaced)
    const literal = this.#literal(char, spaced)
    return literal ?? this.#operator(spaced)
  }

  make(kind: TokenKind, text: string, spaced: boolean, state: LexState, more: Partial<Token> = {}): Token {
    this.state = state
    const after = this.source[this.at]
    const spacedAfter = after === undefined || /\s/.test(after)
    return {
      kind,
      text,
      line: this.line,
      spaced,
      spacedAfter,
      parts: undefined,
      items: undefined,
      value: undefined,
      ...more,
    }
  }

  get isBegin(): boolean {
    return this.state === 'begin' || this.state === 'middle'
  }

  /** Whether an argument begins, as in `foo -1` and `foo [1]`: a space precedes the token and none follows it. */
  startsArgument(spaced: boolean, length = 1): boolean {
    if (this.isBegin) return true
    const after = this.source[this.at + length]
    return this.state === 'argument' && spaced && after !== undefined && !/\s/.test(after)
  }

  #atLineStart(): boolean {
    return this.at === 0 || this.source[this.at - 1] === '\n'
  }

  /** Skips spaces and comments. A line end that ends a statement is a token. */
  #skipBlanks(): Token | undefined {
    const { source } = this
    for (;;) {
      const char = source[this.at]
      if (char === ' ' || char === '\t' || char === '\r' || char === '\f' || char === '\v') this.at++
      else if (char === '\\' && /^\r?\n/.test(source.slice(this.at + 1, this.at + 3))) {
        this.at = source.indexOf('\n', this.at) + 1
        this.line++
      } else if (char === '#') {
        const end = source.indexOf('\n', this.at)
        this.at = end < 0 ? source.length : end
      } else if (char === '\n') {
        const line = this.line
        this.#newline()
        if (this.state === 'begin' || this.state === 'dot' || this.state === 'name' || this.#continuesWithDot())
          continue
        const token = this.make('newline', '\n', false, 'begin')
        return { ...token, line }
      } else return undefined
    }
  }

  #newline(): void {
    this.at++
    this.line++
    if (this.heredocEnd !== undefined) {
      this.line += this.source.slice(this.at, this.heredocEnd).split('\n').length - 1
      this.at = this.heredocEnd
      this.heredocEnd = undefined
    }
    while (/^=begin(?:\s|$)/.test(this.source.slice(this.at, this.at + 7))) {
      const end = /^=end.*$/m.exec(this.source.slice(this.at))
      if (end === null) throw this.fail('embedded document meets end of file')
      const skipped = this.source.slice(this.at, this.at + end.index + end[0].length + 1)
      this.line += skipped.split('\n').length - 1
      this.at += skipped.length
    }
  }

  /** A line that begins with `.name` or `&.name` continues the previous statement. */
  #continuesWithDot(): boolean {
    const dot = /(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t\r]*(?:\.(?!\.)|&\.)/y
    dot.lastIndex = this.at
    return dot.test(this.source)
  }

  #number(spaced: boolean): Token {
    const { kind, text, value, end } = readNumber(this.source, this.at, (message) => this.fail(message))
    this.at = end
    return this.make(kind, text, spaced, 'end', { value })
  }

  #word(spaced: boolean): Token {
    const { source } = this
    IDENT.lastIndex = this.at
    let text = IDENT.exec(source)![0]
    let end = this.at + text.length
    const mark = source[end]
    if ((mark === '?' || mark === '!') && (source[end + 1] !== '=' || /^=[=~>]/.test(source.slice(end + 1, end + 3)))) {
      if (!(mark === '?' && source[end + 1] === ':' && source[end + 2] !== ':' && this.ternaryDepth > 0)) {
        text += mark
        end++
      }
    }
    const before = this.state
    this.at = end
    if (before === 'name' && source[end] === '=' && !/[~>=(]/.test(source[end + 1] ?? ' ') && /\w$/.test(text)) {
      // `def name=(value)` defines a setter; `def name = value` has a space before `=`.
      if (source[end + 1] !== ' ' || /^=\s*\(/.test(source.slice(end))) {
        this.at++
        return this.make('ident', `${text}=`, spaced, 'end')
      }
    }
    if (before === 'name' && /^=\(/.test(source.slice(end, end + 2))) {
      this.at++
      return this.make('ident', `${text}=`, spaced, 'end')
    }
    if (
      before !== 'dot' &&
      before !== 'name' &&
      this.ternaryDepth === 0 &&
      source[end] === ':' &&
      source[end + 1] !== ':'
    ) {
      this.at++
      return this.make('label', text, spaced, 'begin')
    }
    const kind = /^\p{Lu}/u.test(text) ? 'const' : 'ident'
    if (before === 'dot' || before === 'name')
      return this.make(kind, text, spaced, before === 'name' ? 'end' : 'argument')
    if (KEYWORDS.has(text)) return this.make('keyword', text, spaced, stateAfterKeyword(text))
    return this.make(kind, text, spaced, kind === 'ident' && this.owner.isLocal(text) ? 'end' : 'argument')
  }

  #variable(spaced: boolean): Token {
    const name = /@@?[\p{L}_][\p{L}\p{N}_]*|\$(?:[\p{L}_][\p{L}\p{N}_]*|-\w|[1-9]\d*|[~*$?!@/\\;,.=:<>"&`'+0_])/uy
    name.lastIndex = this.at
    const text = name.exec(this.source)?.[0]
    if (text === undefined) throw this.fail(`'${this.source[this.at]}' is not allowed as a variable name`)
    this.at += text.length
    if (text.startsWith('@@')) return this.make('cvar', text, spaced, 'end')
    if (text.startsWith('@')) return this.make('ivar', text, spaced, 'end')
    if (/^\$\d+$/.test(text))
      return text === '$0'
        ? this.make('gvar', text, spaced, 'end')
        : this.make('nth', text, spaced, 'end', { value: Number(text.slice(1)) })
    return this.make(/^\$[&`'+]$/.test(text) ? 'backref' : 'gvar', text, spaced, 'end')
  }

  #literal(char: string, spaced: boolean): Token | undefined {
    const { source } = this
    const after = source[this.at + 1] ?? ''
    if (this.state === 'name' || this.state === 'dot') return this.#operatorName(spaced)
    switch (char) {
      case '"':
      case "'":
        this.at++
        return this.#stringToken(char, char, char === '"', spaced)
      case '`':
        throw this.fail('commands in backticks are not supported: the ruby filter cannot start processes')
      case '/':
        if (!this.startsArgument(spaced) || (this.state === 'argument' && after === '=')) return undefined
        this.at++
        return this.#regex('/', '/', spaced)
      case '%':
        return this.#percent(after, spaced)
      case ':':
        return this.#symbol(after, spaced)
      case '?':
        return this.#character(after, spaced)
      case '<':
        return this.#heredoc(spaced)
      default:
        return undefined
    }
  }

  #stringToken(open: string, close: string, interpolates: boolean, spaced: boolean): Token {
    const line = this.line
    const parts = readQuoted(this, open, close, interpolates ? 'double' : 'single')
    if (
      this.ternaryDepth === 0 &&
      this.source[this.at] === ':' &&
      this.source[this.at + 1] !== ':' &&
      (open === '"' || open === "'")
    ) {
      this.at++
      return { ...this.make('string-label', '', spaced, 'begin', { parts }), line }
    }
    return { ...this.make('string', '', spaced, 'end', { parts }), line }
  }

  #regex(open: string, close: string, spaced: boolean): Token {
    const parts = readQuoted(this, open, close, 'regex')
    const flags = /[a-z]*/y
    flags.lastIndex = this.at
    const text = flags.exec(this.source)![0]
    if (!/^[imxounse]*$/.test(text)) throw this.fail(`unknown regexp options - ${text}`)
    this.at += text.length
    return this.make('regex', text, spaced, 'end', { parts })
  }

  #percent(after: string, spaced: boolean): Token | undefined {
    if (!this.startsArgument(spaced) || (this.state === 'argument' && after === '=')) return undefined
    const head = /%([wWiIqQrsx]?)([^\w\s])/y
    head.lastIndex = this.at
    const match = head.exec(this.source)
    if (match === null) return undefined
    const [whole, letter, open] = match as unknown as [string, string, string]
    this.at += whole.length
    const close = CLOSERS[open] ?? open
    if (letter === 'x') throw this.fail('commands in %x are not supported: the ruby filter cannot start processes')
    if (letter === 'r') return this.#regex(open, close, spaced)
    if (/[wWiI]/.test(letter)) {
      const items = readListLiteral(this, open, close, /[WI]/.test(letter))
      return this.make(/[wW]/.test(letter) ? 'words' : 'symbols', '', spaced, 'end', { items })
    }
    const parts = readQuoted(this, open, close, letter === 'q' || letter === 's' ? 'single' : 'double')
    return this.make(letter === 's' ? 'symbol' : 'string', '', spaced, 'end', { parts })
  }

  #symbol(after: string, spaced: boolean): Token | undefined {
    const { source } = this
    if (after === ':') return undefined
    if (this.ternaryDepth > 0 && !this.isBegin && (this.state === 'end' || spaced || after === '"' || after === "'"))
      return undefined
    if (after === '"' || after === "'") {
      this.at += 2
      const parts = readQuoted(this, after, after, after === '"' ? 'double' : 'single')
      return this.make('symbol', '', spaced, 'end', { parts })
    }
    const name = /(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*(?:[?!](?![=])|=(?![=~>]))?/uy
    name.lastIndex = this.at + 1
    OPERATOR_NAME.lastIndex = this.at + 1
    const match = name.exec(source) ?? OPERATOR_NAME.exec(source)
    if (match === null) return undefined
    this.at += 1 + match[0].length
    return this.make('symbol', match[0], spaced, 'end')
  }

  #character(after: string, spaced: boolean): Token | undefined {
    if (!this.startsArgument(spaced) || after === '' || /\s/.test(after)) return undefined
    if (after !== '\\') {
      const text = String.fromCodePoint(this.source.codePointAt(this.at + 1)!)
      if (isIdentStart(this.source[this.at + 1 + text.length] ?? ' ') && /\w/.test(after)) return undefined
      this.at += 1 + text.length
      return this.make('string', '', spaced, 'end', { parts: [{ type: 'str', value: text, line: this.line }] })
    }
    this.at++
    const end =
      this.at +
      1 +
      (/^\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{1,2}|[0-7]{1,3}|.)/s.exec(this.source.slice(this.at))?.[0].length ??
        2) -
      1
    const inner = new Lexer(`${this.source.slice(this.at, end)}"`, this.owner, this.line)
    const parts = readQuoted(inner, '"', '"', 'double')
    this.at = end
    return this.make('string', '', spaced, 'end', { parts })
  }

  #heredoc(spaced: boolean): Token | undefined {
    const head = /<<([~-]?)(?:(["'`])(.+?)\2|([A-Za-z_]\w*))/y
    head.lastIndex = this.at
    const match = head.exec(this.source)
    if (match === null || !(this.isBegin || (this.state === 'argument' && spaced))) return undefined
    if (match[2] === '`')
      throw this.fail('commands in backticks are not supported: the ruby filter cannot start processes')
    this.at += match[0].length
    const parts = readHeredoc(this, {
      squiggly: match[1] === '~',
      indented: match[1] !== '',
      id: match[3] ?? match[4]!,
      isRaw: match[2] === "'",
    })
    return this.make('string', '', spaced, 'end', { parts })
  }

  #operatorName(spaced: boolean): Token | undefined {
    if (this.state === 'dot' && this.source[this.at] === '(') return undefined
    OPERATOR_NAME.lastIndex = this.at
    const match = OPERATOR_NAME.exec(this.source)
    if (match === null) return undefined
    const before = this.state
    this.at += match[0].length
    return this.make('ident', match[0], spaced, before === 'name' ? 'end' : 'argument')
  }

  #operator(spaced: boolean): Token {
    const { source } = this
    const text = OPERATORS.find((op) => source.startsWith(op, this.at))
    if (text === undefined) throw this.fail(`unexpected character '${source[this.at]}'`)
    const startsArgument = this.startsArgument(spaced, text.length)
    const before = this.state
    this.at += text.length
    switch (text) {
      case ')':
      case ']':
      case '}':
        return this.make('op', text, spaced, 'end')
      case '[':
        if (before === 'end' || (before === 'argument' && !spaced)) return this.make('op', 'index[', spaced, 'begin')
        return this.make('op', '[', spaced, 'begin')
      case '(':
        return this.make('op', (before === 'argument' || before === 'end') && !spaced ? 'call(' : '(', spaced, 'begin')
      case '.':
      case '&.':
        return this.make('op', text, spaced, 'dot')
      case '::':
        if (startsArgument && (this.isBegin || before !== 'end') && (before !== 'argument' || spaced))
          return this.make('op', 'top::', spaced, 'begin')
        return this.make('op', text, spaced, 'dot')
      case '-':
      case '+':
      case '*':
      case '&':
      case '**':
        return this.make('op', startsArgument ? `unary${text}` : text, spaced, 'begin')
      case '->':
        return this.make('op', text, spaced, 'end')
      default:
        return this.make('op', text, spaced, 'begin')
    }
  }
}

function stateAfterKeyword(text: string): LexState {
  if (VALUE_KEYWORDS.has(text)) return 'end'
  if (OPTIONAL_VALUE_KEYWORDS.has(text)) return 'middle'
  if (text === 'def' || text === 'alias' || text === 'undef') return 'name'
  return text === 'super' || text === 'yield' || text === 'defined?' ? 'argument' : 'begin'
}
