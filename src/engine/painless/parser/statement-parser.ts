/** Parses statements and blocks. */
import { ExpressionParser } from './expression-parser.ts'
import type { Block, Catch, Declaration, Statement } from './tree.ts'

const COMPOUND = new Set(['if', 'while', 'for', 'try'])

/** Tokens besides names, literals and types that a statement can begin with. */
const STATEMENT_STARTS = new Set([
  ...COMPOUND, 'do', 'continue', 'break', 'return', 'throw', 'new', 'true', 'false', 'null', 'def', 'PRIMITIVE', 'ID',
  'STRING', 'REGEX', 'OCTAL', 'HEX', 'INTEGER', 'DECIMAL', '(', '[', '+', '-', '!', '~', '++', '--', '$',
]) // biome-ignore format: a list

/** Tokens that cannot follow a name in any expression or declaration. */
const NOT_AFTER_NAME = new Set([
  'PRIMITIVE', 'def', 'true', 'false', 'null', 'new', 'this', 'STRING', 'REGEX', 'OCTAL', 'HEX', 'INTEGER', 'DECIMAL', '{',
  '!', '~', '->', '::', ':', 'if', 'else', 'while', 'do', 'for', 'in', 'continue', 'break', 'return', 'try', 'catch', 'throw', '$',
]) // biome-ignore format: a list

export class StatementParser extends ExpressionParser {
  statement(): Statement {
    const { tokens } = this
    if (COMPOUND.has(tokens.peek().type)) return this.compound()
    const statement = this.simple()
    if (!tokens.accept(';') && !tokens.is('EOF')) throw tokens.mismatch("{<EOF>, ';'}")
    return statement
  }

  /** A block; undefined when it has no statements. */
  block(): Block | undefined {
    const { tokens } = this
    const { at } = tokens.expect('{')
    const statements: Statement[] = []
    while (!tokens.is('}')) {
      if (COMPOUND.has(tokens.peek().type)) {
        statements.push(this.compound())
        continue
      }
      if (tokens.is('EOF')) throw tokens.noAlternative()
      statements.push(this.simple())
      if (tokens.accept(';') || tokens.is('}')) continue
      throw tokens.noAlternative()
    }
    tokens.next()
    return statements.length === 0 ? undefined : { statements, at }
  }

  protected startsStatement(): boolean {
    return STATEMENT_STARTS.has(this.tokens.peek().type)
  }

  private compound(): Statement {
    switch (this.tokens.peek().type) {
      case 'if':
        return this.if()
      case 'while':
        return this.while()
      case 'for':
        return this.for()
      default:
        return this.try()
    }
  }

  private if(): Statement {
    const { tokens } = this
    const { at } = tokens.next()
    tokens.expect('(')
    const condition = this.expression()
    tokens.expect(')')
    const then = this.trailer()
    if (!tokens.accept('else')) return { kind: 'if', condition, then, at }
    return { kind: 'ifElse', condition, then, else: this.trailer(), at }
  }

  /** A block, or a single statement that is treated as a block. */
  private trailer(): Block | undefined {
    if (this.tokens.is('{')) return this.block()
    const { at } = this.tokens.peek()
    return { statements: [this.statement()], at }
  }

  private trailerOrEmpty(): Block | undefined {
    return this.tokens.accept(';') ? undefined : this.trailer()
  }

  private while(): Statement {
    const { tokens } = this
    const { at } = tokens.next()
    tokens.expect('(')
    const condition = this.expression()
    tokens.expect(')')
    return { kind: 'while', condition, body: this.trailerOrEmpty(), at }
  }

  private for(): Statement {
    const { tokens } = this
    const { at } = tokens.next()
    tokens.expect('(')
    if (tokens.is('ID') && tokens.is('in', 1)) {
      const name = tokens.next()
      tokens.next()
      return this.each({ name: 'def', at: name.at }, name.text, at)
    }
    const length = this.typeLength(0)
    if (length > 0 && tokens.is('ID', length) && tokens.is(':', length + 1)) {
      const type = this.type()
      const name = tokens.next().text
      tokens.next()
      return this.each(type, name, at)
    }
    if (length > 0 && tokens.is('ID', length) && !['=', ',', ';'].includes(tokens.peek(length + 1).type))
      throw tokens.noAlternative(length + 1)
    const initializer = tokens.is(';') ? undefined : this.isDeclaration() ? this.declarations() : this.expression()
    tokens.expect(';')
    const condition = tokens.is(';') ? undefined : this.expression()
    tokens.expect(';')
    const afterthought = tokens.is(')') ? undefined : this.expression()
    tokens.expect(')')
    return { kind: 'for', initializer, condition, afterthought, body: this.trailerOrEmpty(), at }
  }

  private each(type: { name: string; at: number }, name: string, at: number): Statement {
    const iterable = this.expression()
    this.tokens.expect(')')
    return { kind: 'each', type, name, iterable, body: this.trailer(), at }
  }

  private try(): Statement {
    const { tokens } = this
    const { at } = tokens.next()
    const body = this.block()
    const catches: Catch[] = []
    do {
      const trap = tokens.expect('catch')
      tokens.expect('(')
      const type = this.type()
      const name = tokens.expect('ID', 'ID').text
      tokens.expect(')')
      catches.push({ type, name, body: this.block(), at: trap.at })
    } while (tokens.is('catch'))
    return { kind: 'try', body, catches, at }
  }

  private simple(): Statement {
    const { tokens } = this
    const { type, at } = tokens.peek()
    switch (type) {
      case 'do': {
        tokens.next()
        const body = this.block()
        tokens.expect('while')
        tokens.expect('(')
        const condition = this.expression()
        tokens.expect(')')
        return { kind: 'do', condition, body, at }
      }
      case 'continue':
      case 'break':
        tokens.next()
        return { kind: type, at }
      case 'return': {
        tokens.next()
        const ends = tokens.is(';') || tokens.is('}') || tokens.is('EOF')
        return { kind: 'return', value: ends ? undefined : this.expression(), at }
      }
      case 'throw':
        tokens.next()
        return { kind: 'throw', value: this.expression(), at }
      default:
        if (this.isDeclaration()) return this.declarations()
        if (type === 'ID' && NOT_AFTER_NAME.has(tokens.peek(1).type)) throw tokens.noAlternative(1)
        return { kind: 'expression', value: this.expression(), at }
    }
  }

  private isDeclaration(): boolean {
    const length = this.typeLength(0)
    if (length > 0 && this.tokens.is('ID', length)) return true
    // A primitive type or def can only start a declaration.
    return this.tokens.is('PRIMITIVE') || this.tokens.is('def')
  }

  private declarations(): Statement {
    const { tokens } = this
    const { at } = tokens.peek()
    const type = this.type()
    const declarations: Declaration[] = []
    do {
      if (!tokens.is('ID')) throw tokens.noAlternative()
      const name = tokens.next()
      const value = tokens.accept('=') ? this.expression() : undefined
      declarations.push({ type, name: name.text, value, at: name.at })
    } while (tokens.accept(','))
    return { kind: 'declarations', declarations, at }
  }
}
