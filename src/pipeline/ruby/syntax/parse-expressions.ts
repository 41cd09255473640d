/** Operators and assignments, by precedence. */
import type { Node } from './ast.ts'
import { ParserBase } from './parser-base.ts'
import { regexNames } from './regex-names.ts'
import type { Token } from './token.ts'

/** Binary operators by precedence. All but two are methods. */
const BINARY: Readonly<Record<string, number>> = {
  '||': 1, '&&': 2, '<=>': 4, '==': 4, '===': 4, '!=': 4, '=~': 4, '!~': 4, '<': 5, '<=': 5, '>': 5, '>=': 5, '|': 6, '^': 6, '&': 7, '<<': 8,
  '>>': 8, '+': 9, '-': 9, '*': 10, '/': 10, '%': 10, '**': 12,
} // biome-ignore format: a table
const UNARY_MINUS = 11
const ASSIGNMENTS = new Set(['+=', '-=', '*=', '/=', '%=', '**=', '||=', '&&=', '|=', '&=', '^=', '<<=', '>>='])

export abstract class ExpressionParser extends ParserBase {
  /** The first token of the statement. Only at the start of a statement does `a = 1, 2` create an array. */
  protected statementStart: Token | undefined

  protected abstract primary(): Node
  protected abstract callArguments(): Node[]
  /** Parses suffixes of a value: calls and indexes. */
  protected abstract postfix(start: Node): Node

  /** Parses `not`, `and` and `or`, which bind weaker than assignments. */
  protected expressionStatement(): Node {
    let left = this.notExpression()
    while (this.isKeyword('and') || this.isKeyword('or')) {
      const { text, line } = this.advance()
      this.skipNewlines()
      const right = this.notExpression()
      left = { type: text === 'and' ? 'and' : 'or', left, right, line }
    }
    return left
  }

  protected notExpression(): Node {
    if (!this.isKeyword('not')) return this.expression()
    const { line } = this.advance()
    return { type: 'not', value: this.notExpression(), line }
  }

  /** Parses an expression without `and`, `or` and modifiers. */
  protected expression(): Node {
    const start = this.token
    const left = this.ternary()
    if (this.isOp('=')) return this.assignment(left, start)
    if (this.is('op') && ASSIGNMENTS.has(this.token.text)) return this.operatorAssignment(left)
    return left
  }

  private assignment(left: Node, start: Token): Node {
    const target = this.assignable(left)
    const { line } = this.advance()
    this.skipNewlines()
    return { type: 'asgn', target, value: this.assignedValue(start === this.statementStart), line }
  }

  /** Parses the right side of an assignment. In a statement of its own it may be a list. */
  protected assignedValue(allowsList: boolean): Node {
    const { line } = this.token
    let value: Node
    if (allowsList && (this.isOp('unary*') || this.isOp('*'))) {
      value = { type: 'array', items: this.valueList(), line }
    } else {
      value = this.isKeyword('not') ? this.notExpression() : this.expression()
      if (allowsList && this.isOp(',')) {
        this.advance()
        value = { type: 'array', items: [value, ...this.valueList()], line }
      }
    }
    if (!this.isKeyword('rescue')) return value
    this.advance()
    const fallback = this.expression()
    const clause = { classes: [], target: undefined, body: fallback }
    return { type: 'begin', body: value, rescues: [clause], otherwise: undefined, ensure: undefined, line }
  }

  /** `1, *list, 2` */
  protected valueList(): Node[] {
    const items: Node[] = []
    do {
      this.skipNewlines()
      const { line } = this.token
      if (this.acceptOp('unary*') || this.acceptOp('*')) items.push({ type: 'splat', value: this.ternary(), line })
      else items.push(this.expression())
    } while (this.acceptOp(','))
    return items
  }

  private operatorAssignment(left: Node): Node {
    const target = this.assignable(left)
    const { text, line } = this.advance()
    this.skipNewlines()
    return { type: 'opasgn', target, op: text.slice(0, -1), value: this.assignedValue(false), line }
  }

  /** Converts an expression to an assignment target. */
  protected assignable(node: Node): Node {
    switch (node.type) {
      case 'lvar':
        this.declare(node.name)
        return node
      case 'ivar':
      case 'gvar':
      case 'cvar':
      case 'const':
      case 'mlhs':
        return node
      case 'call':
        if (node.isBare && /^[\p{Ll}_]/u.test(node.name) && !/[?!]$/.test(node.name)) {
          this.declare(node.name)
          return { type: 'lvar', name: node.name, line: node.line }
        }
        if (
          node.receiver !== undefined &&
          node.block === undefined &&
          (node.name === '[]' || node.args.length === 0) &&
          !/[?!]$/.test(node.name)
        )
          return node
        break
      case 'splat':
        return { ...node, value: this.assignable(node.value) }
    }
    if (node.type === 'nil' || node.type === 'true' || node.type === 'false' || node.type === 'self')
      throw this.fail(`Can't assign to ${node.type}`)
    throw this.unexpected()
  }

  protected ternary(): Node {
    const condition = this.range()
    if (!this.isOp('?')) return condition
    const { line } = this.token
    this.lexer.ternaryDepth++
    this.advance()
    this.skipNewlines()
    const then = this.ternaryBranch()
    this.skipNewlines()
    this.lexer.ternaryDepth--
    if (!this.isOp(':')) throw this.unexpected("expecting ':'")
    this.advance()
    this.skipNewlines()
    const otherwise = this.ternaryBranch()
    return { type: 'if', condition, body: then, otherwise, line }
  }

  private ternaryBranch(): Node {
    return this.expression()
  }

  private range(): Node {
    const { line } = this.token
    if (this.isOp('..') || this.isOp('...')) {
      const isExclusive = this.advance().text === '...'
      return { type: 'range', from: undefined, to: this.binary(1), isExclusive, line }
    }
    const from = this.binary(1)
    if (!this.isOp('..') && !this.isOp('...')) return from
    const isExclusive = this.token.text === '...'
    const { state } = this.lexer
    // A range may end here, so the line end is significant.
    this.lexer.state = 'middle'
    this.advance()
    if (this.endsExpression()) return { type: 'range', from, to: undefined, isExclusive, line }
    void state
    return { type: 'range', from, to: this.binary(1), isExclusive, line }
  }

  /** Whether no value can begin at the current token. */
  protected endsExpression(): boolean {
    const { kind, text } = this.token
    if (kind === 'newline' || kind === 'end') return true
    if (kind === 'op') return [')', ']', '}', ';', ',', '=>', '.', '|', ':', '?', '&.'].includes(text)
    return (
      kind === 'keyword' && /^(?:if|unless|while|until|rescue|and|or|then|do|end|in|when|else|elsif|ensure)$/.test(text)
    )
  }

  private binary(least: number): Node {
    let left = this.unary()
    for (;;) {
      const { kind, text, line } = this.token
      const power = kind === 'op' ? BINARY[text] : undefined
      if (power === undefined || power < least || (text === '|' && this.noPipe > 0)) return left
      this.advance()
      this.skipNewlines()
      // `**` is right-associative; comparisons do not chain.
      const right =
        text === '**' ? this.binary(power - 1 === UNARY_MINUS ? UNARY_MINUS : power) : this.binary(power + 1)
      left = this.operation(left, text, this.assignedOperand(right), line)
    }
  }

  /** `a && b = c` assigns to b, because the left side of `=` must be a target. */
  private assignedOperand(right: Node): Node {
    const isTarget = ['lvar', 'ivar', 'gvar', 'cvar', 'call'].includes(right.type)
    if (!isTarget || !this.is('op')) return right
    if (this.isOp('=')) return this.assignment(right, this.token)
    return ASSIGNMENTS.has(this.token.text) ? this.operatorAssignment(right) : right
  }

  private operation(left: Node, op: string, right: Node, line: number): Node {
    if (op === '&&') return { type: 'and', left, right, line }
    if (op === '||') return { type: 'or', left, right, line }
    if (op === '!=') return { type: 'not', value: this.call(left, '==', [right], line, '!='), line }
    if (op === '!~') return { type: 'not', value: this.call(left, '=~', [right], line), line }
    if (op === '=~') for (const name of regexNames(left)) this.declare(name)
    return this.call(left, op, [right], line)
  }

  protected call(receiver: Node | undefined, name: string, args: readonly Node[], line: number, _shown?: string): Node {
    return {
      type: 'call',
      receiver,
      name,
      args,
      block: undefined,
      blockArg: undefined,
      isSafe: false,
      isBare: false,
      line,
    }
  }

  private unary(): Node {
    const { kind, text, line } = this.token
    if (kind === 'keyword' && text === 'defined?') return this.definedTest()
    if (kind !== 'op') return this.primary()
    switch (text) {
      case '!':
        this.advance()
        return { type: 'not', value: this.unary(), line }
      case '~':
        this.advance()
        return this.call(this.unary(), '~', [], line)
      case 'unary+':
        this.advance()
        return this.call(this.binary(13), '+@', [], line)
      case 'unary-':
        return this.minus(line)
      case 'unary&':
      case 'unary*':
      case 'unary**':
        throw this.unexpected()
      default:
        return this.primary()
    }
  }

  /** `-2.abs` is the absolute value of -2, but `-2 ** 2` is -(2 ** 2). */
  private minus(line: number): Node {
    const touches = !this.token.spacedAfter
    this.advance()
    if (touches && (this.is('int') || this.is('float') || this.is('rational'))) {
      this.negates = true
      const value = this.binaryPower(line)
      this.negates = false
      return value
    }
    return this.call(this.binary(UNARY_MINUS), '-@', [], line)
  }

  /** Whether the next number has a minus sign. */
  protected negates = false

  private binaryPower(line: number): Node {
    const base = this.primary()
    if (!this.isOp('**')) return base
    this.advance()
    const power = this.binary(UNARY_MINUS)
    const positive = base.type === 'int' || base.type === 'float' ? { ...base, value: -base.value } : undefined
    if (positive === undefined) return this.call(base, '**', [power], line)
    return this.call(this.call(positive as Node, '**', [power], line), '-@', [], line)
  }

  private definedTest(): Node {
    const { line } = this.advance()
    if (this.isOp('(') || this.isOp('call(')) {
      const value = this.bracketed(')', () => this.expressionStatement())
      return this.postfix({ type: 'defined', value, line })
    }
    return { type: 'defined', value: this.unary(), line }
  }
}
