/** Parses expressions by precedence. */
import { illegalArgument, nullPointer } from '../errors/java-throwable.ts'
import type { TokenStream } from './token-stream.ts'
import type { Block, Expression, LambdaParameter, TypeName } from './tree.ts'

/** Binary operators by level, tightest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['*', '/', '%'],
  ['+', '-'],
  ['=~', '==~'],
  ['<<', '>>', '>>>'],
  ['<', '<=', '>', '>='],
  ['instanceof'],
  ['==', '!=', '===', '!=='],
  ['&'],
  ['^'],
  ['|'],
  ['&&'],
  ['||'],
]
const LEVEL_OF = new Map(LEVELS.flatMap((operators, level) => operators.map((op) => [op, level] as const)))
const COMPARISONS = new Set(['<', '<=', '>', '>=', '==', '!=', '===', '!=='])
const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '^=', '|=', '<<=', '>>=', '>>>='])

/**
 * Tokens that can follow `(Type)` if it is a cast. Signs and brackets are excluded because they would continue an
 * expression in parentheses.
 */
const CAST_FOLLOWERS = new Set([
  '(', 'OCTAL', 'HEX', 'INTEGER', 'DECIMAL', 'true', 'false', 'null', 'STRING', 'REGEX', 'ID', '$', 'new', '!', '~',
]) // biome-ignore format: a list

const NUMERIC = new Set(['OCTAL', 'HEX', 'INTEGER', 'DECIMAL'])

/** The maximum nesting of expressions. Deeper scripts are rejected before they exhaust the stack. */
const DEPTH_MAX = 500

export abstract class ExpressionParser {
  protected readonly tokens: TokenStream
  #depth = 0

  constructor(tokens: TokenStream) {
    this.tokens = tokens
  }

  abstract block(): Block | undefined

  expression(): Expression {
    const { tokens } = this
    if (++this.#depth > DEPTH_MAX) throw illegalArgument('the script is nested too deeply')
    const left = this.elvis()
    let result = left
    if (tokens.accept('?')) {
      const whenTrue = this.expression()
      tokens.expect(':')
      result = { kind: 'conditional', condition: left, left: whenTrue, right: this.expression(), at: startOf(left) }
    } else if (ASSIGNMENTS.has(tokens.peek().type)) {
      const op = tokens.next().type
      result = { kind: 'assignment', op, left, right: this.expression(), at: startOf(left) }
    }
    this.#depth--
    return withStart(result, startOf(left))
  }

  private elvis(): Expression {
    const left = this.binary(LEVELS.length - 1)
    if (!this.tokens.accept('?:')) return left
    return withStart({ kind: 'elvis', left, right: this.elvis(), at: startOf(left) }, startOf(left))
  }

  private binary(level: number): Expression {
    return this.binaryRest(this.unary(), level)
  }

  /** Precedence climbing: takes operators that bind at least as tightly as `level`. */
  private binaryRest(first: Expression, level: number): Expression {
    let left = first
    while (true) {
      const token = this.tokens.peek()
      const own = LEVEL_OF.get(token.type)
      if (own === undefined || own > level) return left
      this.tokens.next()
      const at = startOf(left)
      if (token.type === 'instanceof') {
        left = withStart({ kind: 'instanceof', type: this.type(), child: left, at }, at)
        continue
      }
      let right = this.unary()
      while ((LEVEL_OF.get(this.tokens.peek().type) ?? LEVELS.length) < own) right = this.binaryRest(right, own - 1)
      const op = token.type
      if (op === '&&' || op === '||') left = withStart({ kind: 'boolean', op, left, right, at }, at)
      else if (COMPARISONS.has(op)) left = withStart({ kind: 'comparison', op, left, right, at }, at)
      else left = withStart({ kind: 'binary', op, left, right, at }, at)
    }
  }

  private unary(): Expression {
    const { tokens } = this
    const token = tokens.peek()
    if (++this.#depth > DEPTH_MAX) throw illegalArgument('the script is nested too deeply')
    let result: Expression
    if (token.type === '++' || token.type === '--') {
      tokens.next()
      result = { kind: 'increment', op: token.type, postfix: false, child: this.chain(), at: token.at }
    } else if (token.type === '+' || token.type === '-') {
      tokens.next()
      const signed = NUMERIC.has(tokens.peek().type)
      const child = this.unary()
      // The sign belongs to the literal; otherwise the smallest int could not be written.
      result =
        signed && token.type === '-' && child.kind === 'numeric'
          ? withStart({ ...child, negated: true }, token.at)
          : { kind: 'unary', op: token.type, child, at: token.at }
    } else result = this.unaryWithoutSign()
    this.#depth--
    return result
  }

  private unaryWithoutSign(): Expression {
    const { tokens } = this
    const token = tokens.peek()
    if (token.type === '!' || token.type === '~') {
      tokens.next()
      return { kind: 'unary', op: token.type, child: this.unary(), at: token.at }
    }
    const cast = this.cast()
    if (cast !== undefined) return cast
    const chain = this.chain()
    const after = tokens.peek().type
    if (after !== '++' && after !== '--') return chain
    tokens.next()
    return withStart({ kind: 'increment', op: after, postfix: true, child: chain, at: startOf(chain) }, startOf(chain))
  }

  private cast(): Expression | undefined {
    const { tokens } = this
    if (!tokens.is('(')) return undefined
    const length = this.typeLength(1)
    if (length === 0 || !tokens.is(')', length + 1)) return undefined
    const first = tokens.peek(1).type
    const follower = tokens.peek(length + 2).type
    const dimensions = tokens.is(']', length)
    const primitive = first === 'PRIMITIVE' || first === 'def'
    const fits = primitive || dimensions || CAST_FOLLOWERS.has(follower) || this.isInitializer(length + 2)
    if (!fits) return undefined
    const { at } = tokens.next()
    const type = this.type()
    tokens.next()
    const child = primitive && !dimensions ? this.unary() : this.unaryWithoutSign()
    return { kind: 'cast', type, child, at }
  }

  /** Whether the brackets that open here are a list or a map: as an index of the parentheses before them they would not parse. */
  private isInitializer(ahead: number): boolean {
    const { tokens } = this
    if (!tokens.is('[', ahead)) return false
    if (tokens.is(']', ahead + 1) || tokens.is(':', ahead + 1)) return true
    let conditionals = 0
    for (let i = ahead + 1, depth = 0; !tokens.is('EOF', i); i++) {
      const { type } = tokens.peek(i)
      if (type === '(' || type === '[' || type === '{') depth++
      else if (type === ')' || type === ']' || type === '}') {
        if (depth-- === 0) return false
      } else if (depth === 0) {
        if (type === '?') conditionals++
        if (type === ',' || (type === ':' && conditionals-- === 0)) return true
      }
    }
    return false
  }

  private chain(): Expression {
    let left = this.primary()
    while (true) {
      const token = this.tokens.peek()
      if (token.type === '.' || token.type === '?.') left = withStart(this.member(left), startOf(left))
      else if (token.type === '[') {
        // A bracket after `new int[2]` belongs to the dimensions, which are already parsed.
        this.tokens.next()
        const index = this.expression()
        this.tokens.expect(']')
        left = withStart({ kind: 'brace', target: left, index, at: token.at }, startOf(left))
      } else return left
    }
  }

  private member(target: Expression): Expression {
    const { tokens } = this
    const dot = tokens.next()
    const nullSafe = dot.type === '?.'
    const name = tokens.peek()
    if (name.type === 'DOTID' && tokens.is('(', 1)) {
      tokens.next()
      return { kind: 'call', target, nullSafe, name: name.text, args: this.arguments(), at: dot.at }
    }
    if (name.type !== 'DOTID' && name.type !== 'DOTINTEGER') throw tokens.noAlternative()
    tokens.next()
    return { kind: 'dot', target, nullSafe, name: name.text, at: dot.at }
  }

  private primary(): Expression {
    const { tokens } = this
    const token = tokens.peek()
    const { at, text } = token
    switch (token.type) {
      case '(': {
        const length = this.typeLength(1)
        const first = tokens.peek(1).type
        // The parser decides by looking ahead whether parentheses are a cast, so an unexpected token is reported as "no
        // viable alternative".
        if (first === 'def' || first === 'PRIMITIVE') throw tokens.noAlternative(length + 1)
        tokens.next()
        const inner = this.expression()
        if (!tokens.accept(')')) throw tokens.noAlternative()
        return withStart({ ...inner }, at)
      }
      case 'OCTAL':
      case 'HEX':
      case 'INTEGER':
      case 'DECIMAL':
        tokens.next()
        return numeric(token.type, text, at)
      case 'true':
      case 'false':
        tokens.next()
        return { kind: 'booleanConstant', value: token.type === 'true', at }
      case 'null':
        tokens.next()
        return { kind: 'null', at }
      case 'STRING':
        tokens.next()
        return { kind: 'string', value: unescaped(text), at }
      case 'REGEX': {
        tokens.next()
        const end = text.lastIndexOf('/')
        return { kind: 'regex', pattern: text.slice(1, end), flags: text.slice(end + 1), at }
      }
      case '[':
        return this.collection()
      case '$':
      case 'ID':
        return this.nameOrCall()
      case 'new':
        return this.creation()
      default:
        throw tokens.noAlternative()
    }
  }

  private nameOrCall(): Expression {
    const { tokens } = this
    const { text, at, type } = tokens.next()
    if (tokens.is('(')) return { kind: 'callLocal', name: text, args: this.arguments(), at }
    if (type === '$') throw tokens.noAlternative()
    return { kind: 'symbol', name: text, at }
  }

  private creation(): Expression {
    const { tokens } = this
    const { at } = tokens.next()
    const type = this.typeWithoutDimensions()
    if (tokens.is('(')) return { kind: 'newObject', type, args: this.arguments(), at }
    if (!tokens.is('[')) throw tokens.noAlternative()
    if (tokens.is(']', 1)) return this.arrayInitializer(type, at)
    const values: Expression[] = []
    while (tokens.is('[')) {
      tokens.next()
      values.push(this.expression())
      tokens.expect(']')
    }
    const array = { name: type.name + '[]'.repeat(values.length), at: type.at }
    return { kind: 'newArray', type: array, values, initializer: false, at }
  }

  private arrayInitializer(type: TypeName, at: number): Expression {
    const { tokens } = this
    tokens.next()
    tokens.next()
    if (!tokens.accept('{')) throw tokens.noAlternative()
    const values: Expression[] = []
    if (!tokens.is('}')) {
      do values.push(this.expression())
      while (tokens.accept(','))
    }
    tokens.expect('}', "{',', '}'}")
    return { kind: 'newArray', type: { name: `${type.name}[]`, at: type.at }, values, initializer: true, at }
  }

  /** `[]`, `[:]`, `[a, b]` or `[k: v]`. */
  private collection(): Expression {
    const { tokens } = this
    const { at } = tokens.next()
    if (tokens.accept(']')) return { kind: 'list', values: [], at }
    if (tokens.is(':')) {
      tokens.next()
      tokens.expect(']')
      return { kind: 'map', entries: [], at }
    }
    const first = this.expression()
    if (!tokens.is(':')) {
      const values = [first]
      while (tokens.accept(',')) values.push(this.expression())
      if (!tokens.accept(']')) throw tokens.noAlternative()
      return { kind: 'list', values, at }
    }
    tokens.next()
    const entries: [Expression, Expression][] = [[first, this.expression()]]
    while (tokens.accept(',')) {
      const key = this.expression()
      if (!tokens.accept(':')) throw tokens.noAlternative()
      entries.push([key, this.expression()])
    }
    tokens.expect(']', "{']', ','}")
    return { kind: 'map', entries, at }
  }

  protected arguments(): Expression[] {
    const { tokens } = this
    tokens.expect('(')
    const args: Expression[] = []
    if (!tokens.is(')')) {
      do args.push(this.argument())
      while (tokens.accept(','))
    }
    tokens.expect(')', "{')', ','}")
    return args
  }

  private argument(): Expression {
    return this.lambda() ?? this.functionRef() ?? this.expression()
  }

  private functionRef(): Expression | undefined {
    const { tokens } = this
    const { at } = tokens.peek()
    const isThis = tokens.is('this')
    const length = isThis ? 1 : this.typeLength(0)
    if (length === 0 || !tokens.is('::', length)) return undefined
    const type = isThis ? { name: tokens.next().text, at } : this.type()
    tokens.next()
    if (!tokens.is('ID') && (isThis || !tokens.is('new'))) throw tokens.noAlternative()
    return { kind: 'functionRef', type, name: tokens.next().text, at }
  }

  private lambda(): Expression | undefined {
    const { tokens } = this
    const { at } = tokens.peek()
    const params = this.lambdaParameters()
    if (params === undefined) return undefined
    tokens.expect('->')
    if (tokens.is('{')) {
      const body = this.block()
      // Elasticsearch's parser fails on an empty block before it checks anything else.
      if (body === undefined) throw nullPointer()
      return { kind: 'lambda', params, body, at }
    }
    const value = this.expression()
    return { kind: 'lambda', params, body: { statements: [{ kind: 'return', value, at }], at }, at }
  }

  /** Takes the parameters of a lambda; undefined if the tokens are not a lambda. */
  private lambdaParameters(): LambdaParameter[] | undefined {
    const { tokens } = this
    if (!tokens.is('(')) {
      const length = this.lambdaParameterLength(0)
      return length > 0 && tokens.is('->', length) ? [this.lambdaParameter(length)] : undefined
    }
    let at = 1
    const lengths: number[] = []
    if (!tokens.is(')', at)) {
      while (true) {
        const length = this.lambdaParameterLength(at)
        if (length === 0) return undefined
        lengths.push(length)
        at += length
        if (!tokens.is(',', at)) break
        at++
      }
    }
    if (!tokens.is(')', at) || !tokens.is('->', at + 1)) return undefined
    tokens.next()
    const params = lengths.map((length, i) => {
      if (i > 0) tokens.next()
      return this.lambdaParameter(length)
    })
    tokens.next()
    return params
  }

  private lambdaParameterLength(ahead: number): number {
    const length = this.typeLength(ahead)
    if (length > 0 && this.tokens.is('ID', ahead + length)) return length + 1
    return this.tokens.is('ID', ahead) ? 1 : 0
  }

  private lambdaParameter(length: number): LambdaParameter {
    const type = length > 1 ? this.type() : undefined
    return { type, name: this.tokens.next().text }
  }

  /** The number of tokens of the type that starts here; 0 if there is none. */
  protected typeLength(ahead: number): number {
    const { tokens } = this
    const first = tokens.peek(ahead).type
    if (first !== 'def' && first !== 'PRIMITIVE' && first !== 'ID') return 0
    let length = 1
    if (first === 'ID') while (tokens.is('.', ahead + length) && tokens.is('DOTID', ahead + length + 1)) length += 2
    while (tokens.is('[', ahead + length) && tokens.is(']', ahead + length + 1)) length += 2
    return length
  }

  protected type(): TypeName {
    const type = this.typeWithoutDimensions()
    while (this.tokens.is('[') && this.tokens.is(']', 1)) {
      this.tokens.next()
      this.tokens.next()
      type.name += '[]'
    }
    return type
  }

  private typeWithoutDimensions(): TypeName {
    const { tokens } = this
    const first = tokens.peek()
    if (first.type !== 'def' && first.type !== 'PRIMITIVE' && first.type !== 'ID') throw tokens.noAlternative()
    tokens.next()
    let name = first.text
    if (first.type === 'ID')
      while (tokens.is('.') && tokens.is('DOTID', 1)) {
        tokens.next()
        name += `.${tokens.next().text}`
      }
    return { name, at: first.at }
  }
}

/** The offset at which the text of an expression starts. For member access it differs from the offset of errors. */
const STARTS = new WeakMap<Expression, number>()

export function startOf(e: Expression): number {
  return STARTS.get(e) ?? e.at
}

function withStart(e: Expression, start: number): Expression {
  STARTS.set(e, start)
  return e
}

function numeric(type: string, text: string, at: number): Expression {
  const radix = type === 'OCTAL' ? 8 : type === 'HEX' ? 16 : 10
  const digits = radix === 16 ? text.slice(2) : radix === 8 ? text.slice(1) : text
  return { kind: 'numeric', text: digits, radix, decimal: type === 'DECIMAL', negated: false, at }
}

function unescaped(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, '$1')
}
