/** The base of the parser: the current token, and the names of local variables. */
import { type Node, RubySyntaxError } from './ast.ts'
import { Lexer, type LexerOwner } from './lexer.ts'
import type { Token, TokenKind } from './token.ts'

/** The local variables of a method or a block. Blocks see those of their enclosing scopes. */
export class NameScope {
  readonly names = new Set<string>()
  readonly outer: NameScope | undefined
  /** The highest used number of `_1`, `_2` and so on. */
  numbered = 0

  constructor(outer: NameScope | undefined) {
    this.outer = outer
  }

  has(name: string): boolean {
    return this.names.has(name) || (this.outer?.has(name) ?? false)
  }
}

export abstract class ParserBase implements LexerOwner {
  protected lexer: Lexer
  protected token: Token
  protected scope: NameScope
  /** Greater than zero while `do` belongs to an enclosing construct, such as `while`. */
  protected noDo = 0
  /** Greater than zero within block parameters, where `|` ends a default value. */
  protected noPipe = 0

  constructor(source: string, names: Iterable<string>) {
    this.scope = new NameScope(undefined)
    for (const name of names) this.scope.names.add(name)
    this.lexer = new Lexer(source, this)
    this.token = undefined as unknown as Token
    this.token = this.lexer.next()
  }

  protected abstract statements(ends: readonly string[]): Node

  isLocal(name: string): boolean {
    return this.scope.has(name)
  }

  interpolation(): Node {
    const outer = this.token
    const { noDo, noPipe } = this
    this.noDo = 0
    this.noPipe = 0
    this.token = this.lexer.next()
    const body = this.statements(['}'])
    if (!this.isOp('}')) throw this.unexpected()
    this.token = outer
    this.noDo = noDo
    this.noPipe = noPipe
    return body
  }

  /** Parses with another lexer, for the bodies of heredocs. */
  within(lexer: Lexer, read: () => Node[]): Node[] {
    const outer = this.lexer
    this.lexer = lexer
    try {
      return read()
    } finally {
      this.lexer = outer
    }
  }

  protected advance(): Token {
    const { token } = this
    this.token = this.lexer.next()
    return token
  }

  protected isOp(text: string): boolean {
    return this.token.kind === 'op' && this.token.text === text
  }

  protected isKeyword(text: string): boolean {
    return this.token.kind === 'keyword' && this.token.text === text
  }

  protected is(kind: TokenKind): boolean {
    return this.token.kind === kind
  }

  protected acceptOp(text: string): boolean {
    if (!this.isOp(text)) return false
    this.advance()
    return true
  }

  protected acceptKeyword(text: string): boolean {
    if (!this.isKeyword(text)) return false
    this.advance()
    return true
  }

  protected expectOp(text: string): void {
    if (!this.acceptOp(text)) throw this.unexpected(`expecting '${text}'`)
  }

  protected expectKeyword(text: string): void {
    if (!this.acceptKeyword(text)) throw this.unexpected(`expecting '${text}'`)
  }

  protected skipNewlines(): void {
    while (this.is('newline')) this.advance()
  }

  protected skipTerms(): void {
    while (this.is('newline') || this.isOp(';')) this.advance()
  }

  protected unexpected(expected = ''): RubySyntaxError {
    const { kind, text, line } = this.token
    const what =
      kind === 'end'
        ? 'end of code'
        : kind === 'newline'
          ? 'end of line'
          : `'${text === '' ? kind : text.replace(/^(unary|index|call|top)/, '')}'`
    return new RubySyntaxError(`syntax error, unexpected ${what}${expected === '' ? '' : `, ${expected}`}`, line)
  }

  protected fail(message: string): RubySyntaxError {
    return new RubySyntaxError(message, this.token.line)
  }

  /** Parses the content of brackets, in which `do` and labels have their normal meaning again. */
  protected bracketed<T>(close: string, read: () => T): T {
    const { noDo, noPipe } = this
    const { ternaryDepth } = this.lexer
    this.noDo = 0
    this.noPipe = 0
    this.lexer.ternaryDepth = 0
    this.advance()
    const result = read()
    this.skipNewlines()
    if (!this.isOp(close)) throw this.unexpected(`expecting '${close}'`)
    this.noDo = noDo
    this.noPipe = noPipe
    this.lexer.ternaryDepth = ternaryDepth
    this.advance()
    return result
  }

  protected declare(name: string): void {
    if (!this.scope.has(name)) this.scope.names.add(name)
  }

  protected inScope<T>(scope: NameScope, read: () => T): T {
    const outer = this.scope
    this.scope = scope
    try {
      return read()
    } finally {
      this.scope = outer
    }
  }

  /** Tries an alternative. If `read` returns undefined or fails, the parser state is restored. */
  protected attempt<T>(read: () => T | undefined): T | undefined {
    const { lexer, token, noDo, noPipe } = this
    const { at, line, state, ternaryDepth, heredocEnd } = lexer
    const names = new Set(this.scope.names)
    let result: T | undefined
    try {
      result = read()
    } catch (error) {
      if (!(error instanceof RubySyntaxError)) throw error
    }
    if (result !== undefined) return result
    Object.assign(lexer, { at, line, state, ternaryDepth, heredocEnd })
    Object.assign(this, { lexer, token, noDo, noPipe })
    for (const name of this.scope.names) if (!names.has(name)) this.scope.names.delete(name)
    return undefined
  }

  /** The node of a literal with interpolation. */
  protected textNode(parts: readonly Node[], line: number): Node {
    if (parts.length === 0) return { type: 'str', value: '', line }
    if (parts.length === 1 && parts[0]!.type === 'str') return { ...parts[0]!, line }
    return { type: 'dstr', parts, line }
  }
}
