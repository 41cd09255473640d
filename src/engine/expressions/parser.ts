/** Parses Lucene expressions. Operators have the precedence of JavaScript. */
import { FUNCTIONS } from './functions.ts'
import { placeOf, type Token, tokens } from './lexer.ts'
import { ExpressionSyntaxError } from './syntax-error.ts'
import type { BinaryOperator, Expression } from './tree.ts'

/** Binary operators from the tightest to the loosest. */
const LEVELS: readonly (readonly string[])[] = [
  ['*', '/', '%'],
  ['+', '-'],
  ['<<', '>>', '>>>'],
  ['<', '<=', '>', '>='],
  ['==', '!='],
  ['&'],
  ['^'],
  ['|'],
  ['&&'],
  ['||'],
]
const LOOSEST = LEVELS.length - 1
const UNARY: ReadonlySet<string> = new Set(['!', '~', '+', '-'])
/** Deeper expressions would exhaust the stack of the code generator. */
const DEPTH_MAX = 200

/** Throws ExpressionSyntaxError. */
export function parseExpression(source: string): Expression {
  const parser = new Parser(source)
  const expression = parser.conditional()
  parser.expect('<EOF>', 'end')
  return expression
}

class Parser {
  readonly #source: string
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
    this.#tokens = tokens(source)
  }

  get #token(): Token {
    return this.#tokens[this.#at]!
  }

  conditional(): Expression {
    if (++this.#depth > DEPTH_MAX) {
      throw new ExpressionSyntaxError(`expression is nested more than ${DEPTH_MAX} levels deep`, this.#token.start)
    }
    const condition = this.#binary(LOOSEST)
    let result = condition
    if (this.#accept('?')) {
      const yes = this.conditional()
      this.expect(':')
      result = { kind: 'conditional', condition, yes, no: this.conditional() }
    }
    this.#depth--
    return result
  }

  #binary(level: number): Expression {
    if (level < 0) return this.#unary()
    let left = this.#binary(level - 1)
    for (;;) {
      const { kind, text } = this.#token
      if (kind !== 'operator' || !LEVELS[level]!.includes(text)) return left
      this.#at++
      left = { kind: 'binary', operator: text as BinaryOperator, left, right: this.#binary(level - 1) }
    }
  }

  #unary(): Expression {
    const { kind, text } = this.#token
    if (kind !== 'operator' || !UNARY.has(text)) return this.#primary()
    if (++this.#depth > DEPTH_MAX) {
      throw new ExpressionSyntaxError(`expression is nested more than ${DEPTH_MAX} levels deep`, this.#token.start)
    }
    this.#at++
    const operand = this.#unary()
    this.#depth--
    return { kind: 'unary', operator: text as '!' | '~' | '+' | '-', operand }
  }

  #primary(): Expression {
    const token = this.#token
    switch (token.kind) {
      case 'number':
        this.#at++
        return { kind: 'number', value: numberOf(token.text) }
      case 'variable':
        this.#at++
        return this.#external(token)
      default: {
        if (!this.#accept('(')) throw this.#noViable(token)
        const inside = this.conditional()
        this.expect(')')
        return inside
      }
    }
  }

  /** A variable, a call of a function, or a method of a field, which counts as a variable. */
  #external({ text, start }: Token): Expression {
    if (!this.#accept('(')) return { kind: 'variable', name: normalQuotes(text) }
    const args: Expression[] = []
    if (this.#token.text !== ')') {
      do args.push(this.conditional())
      while (this.#accept(','))
    }
    this.expect(')')
    if (Object.hasOwn(FUNCTIONS, text)) {
      const { arity } = FUNCTIONS[text]!
      if (args.length === arity) return { kind: 'call', name: text, args }
      throw this.#invalid(`Expected ${arity} arguments for function call (${text}), but found ${args.length}.`, start)
    }
    if (args.length === 0 && text.includes('.')) return { kind: 'variable', name: `${normalQuotes(text)}()` }
    throw this.#invalid(`Unrecognized function call (${text}).`, start)
  }

  #invalid(reason: string, offset: number): ExpressionSyntaxError {
    return new ExpressionSyntaxError(`Invalid expression '${this.#source}': ${reason}`, offset)
  }

  #accept(text: string): boolean {
    if (this.#token.kind !== 'operator' || this.#token.text !== text) return false
    this.#at++
    return true
  }

  expect(text: string, kind: Token['kind'] = 'operator'): void {
    const token = this.#token
    if (token.kind === kind && token.text === text) {
      this.#at++
      return
    }
    const { line, column } = placeOf(this.#source, token.start)
    const wanted = kind === 'end' ? text : `'${text}'`
    throw new ExpressionSyntaxError(
      `unexpected token ${shown(token)} on line (${line}) position (${column}) was expecting one of ${wanted}`,
      token.start,
    )
  }

  #noViable(token: Token): ExpressionSyntaxError {
    if (token.kind === 'end') return new ExpressionSyntaxError('unexpected end of expression', token.start)
    const { line, column } = placeOf(this.#source, token.start)
    return new ExpressionSyntaxError(
      `invalid sequence of tokens near ${shown(token)} on line (${line}) position (${column})`,
      token.start,
    )
  }
}

const shown = ({ kind, text }: Token) => (kind === 'end' ? `'${text}'` : `'${text}'`)

function numberOf(text: string): number {
  if (/^0[xX]/.test(text)) return Number(BigInt.asIntN(64, BigInt(text)))
  if (/^0[0-7]+$/.test(text)) return Number(BigInt.asIntN(64, BigInt(`0o${text.slice(1)}`)))
  return Number(text)
}

/** The name of a variable has single quotes, however it was written. */
function normalQuotes(text: string): string {
  return text.replace(/"((?:\\\\|\\"|[^\\"])*?)"/g, (_, inside: string) => {
    return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  })
}
