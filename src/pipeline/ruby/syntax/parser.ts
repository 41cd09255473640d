/** Parses Ruby code: statements and control keywords. */
import type { BeginNode, MultipleTarget, Node, Pattern, RescueClause } from './ast.ts'
import { PatternParser } from './parse-patterns.ts'

/** Throws `RubySyntaxError`. `names` are predefined local variables. */
export function parseRuby(source: string, names: Iterable<string> = []): Node {
  return new Parser(source, names).program()
}

class Parser extends PatternParser {
  program(): Node {
    const body = this.statements([])
    if (!this.is('end')) throw this.unexpected()
    return body
  }

  /** Parses statements up to one of the closing tokens, which is not consumed. */
  protected statements(ends: readonly string[]): Node {
    const { line } = this.token
    const items: Node[] = []
    for (;;) {
      this.skipTerms()
      if (this.is('end') || this.endsWith(ends)) break
      items.push(this.statement())
      if (!this.is('newline') && !this.isOp(';') && !this.is('end') && !this.endsWith(ends)) throw this.unexpected()
    }
    if (items.length === 0) return { type: 'nil', line }
    return items.length === 1 ? items[0]! : { type: 'seq', items, line }
  }

  private endsWith(ends: readonly string[]): boolean {
    const { kind, text } = this.token
    return (kind === 'op' || kind === 'keyword') && ends.includes(text)
  }

  private statement(): Node {
    let node = this.unmodified()
    for (;;) {
      const { kind, text, line } = this.token
      if (kind !== 'keyword') return node
      if (text === 'if' || text === 'unless') {
        this.advance()
        const condition = this.expressionStatement()
        node =
          text === 'if'
            ? { type: 'if', condition, body: node, otherwise: undefined, line }
            : { type: 'if', condition, body: undefined, otherwise: node, line }
      } else if (text === 'while' || text === 'until') {
        this.advance()
        const condition = this.expressionStatement()
        const testsLast = node.type === 'begin' && this.lastWasBegin === node
        node = { type: 'while', condition, body: node, isUntil: text === 'until', testsLast, line }
      } else if (text === 'rescue') {
        this.advance()
        const body = this.expressionStatement()
        node = {
          type: 'begin',
          body: node,
          rescues: [{ classes: [], target: undefined, body }],
          otherwise: undefined,
          ensure: undefined,
          line,
        }
      } else return node
    }
  }

  /** The node of the last `begin … end`: `begin … end while x` runs once before the condition is evaluated. */
  private lastWasBegin: Node | undefined

  private unmodified(): Node {
    this.statementStart = this.token
    if (this.isOp('unary*') || this.isOp('*') || this.isOp('(')) {
      const list = this.attempt(() => this.multipleAssignment(undefined))
      if (list !== undefined) return list
    }
    const node = this.expressionStatement()
    if (this.isOp(',') && this.mayBeTarget(node)) return this.multipleAssignment(node)!
    if (this.isOp('=>') || (this.isKeyword('in') && this.noDo === 0)) return this.standalonePattern(node)
    return node
  }

  private standalonePattern(value: Node): Node {
    const { text, line } = this.advance()
    const pattern: Pattern = this.topPattern()
    return { type: 'matches', value, pattern, isTest: text === 'in', line }
  }

  private mayBeTarget(node: Node): boolean {
    return ['lvar', 'ivar', 'gvar', 'cvar', 'const', 'call', 'splat'].includes(node.type)
  }

  /** Parses `a, *b, (c, d) = list`. The first target may have been parsed already. */
  private multipleAssignment(first: Node | undefined): Node | undefined {
    const { line } = this.token
    const target = this.targets(first, undefined)
    if (!this.isOp('=')) {
      if (first === undefined) return undefined
      throw this.unexpected("expecting '='")
    }
    this.advance()
    this.skipNewlines()
    const value = this.assignedValue(true)
    return { type: 'masgn', target, value, line }
  }

  private targets(first: Node | undefined, close: string | undefined): MultipleTarget {
    const { line } = this.token
    const before: Node[] = first === undefined ? [] : [this.assignable(first)]
    const after: Node[] = []
    let splat: Node | null | undefined
    if (first !== undefined) this.advance()
    do {
      if (this.isOp('=') || (close !== undefined && this.isOp(close)) || this.isKeyword('in') || this.isOp('|')) break
      if (this.acceptOp('unary*') || this.acceptOp('*')) {
        splat =
          this.isOp(',') || this.isOp('=') || this.isOp(')') || this.isKeyword('in')
            ? null
            : this.assignable(this.primary())
      } else {
        const item = this.isOp('(')
          ? this.bracketed(')', () => this.targets(undefined, ')'))
          : this.assignable(this.primary())
        ;(splat === undefined ? before : after).push(item)
      }
    } while (this.acceptOp(','))
    return { type: 'mlhs', before, splat, after, line }
  }

  /** Parses a body with its `rescue`, `else` and `ensure`. The closing token is not consumed. */
  protected bodyStatement(ends: readonly string[]): Node {
    const { line } = this.token
    const body = this.statements([...ends, 'rescue', 'else', 'ensure'])
    const rescues: RescueClause[] = []
    while (this.isKeyword('rescue')) rescues.push(this.rescueClause(ends))
    const otherwise = this.acceptKeyword('else') ? this.statements([...ends, 'ensure']) : undefined
    const ensure = this.acceptKeyword('ensure') ? this.statements(ends) : undefined
    if (rescues.length === 0 && otherwise === undefined && ensure === undefined) return body
    return { type: 'begin', body, rescues, otherwise, ensure, line }
  }

  private rescueClause(ends: readonly string[]): RescueClause {
    this.advance()
    const classes: Node[] = []
    let target: Node | undefined
    while (!this.is('newline') && !this.isOp(';') && !this.isKeyword('then') && !this.isOp('=>')) {
      const { line } = this.token
      if (this.acceptOp('unary*') || this.acceptOp('*')) classes.push({ type: 'splat', value: this.ternary(), line })
      else classes.push(this.ternary())
      if (!this.acceptOp(',')) break
      this.skipNewlines()
    }
    if (this.acceptOp('=>')) target = this.assignable(this.primary())
    this.acceptKeyword('then')
    const body = this.statements([...ends, 'rescue', 'else', 'ensure'])
    return { classes, target, body }
  }

  protected keyword(): Node {
    const { text, line } = this.token
    switch (text) {
      case 'nil':
      case 'true':
      case 'false':
      case 'self':
      case 'redo':
      case 'retry':
        this.advance()
        return { type: text, line }
      case '__method__':
        this.advance()
        return this.call(undefined, '__method__', [], line)
      case '__FILE__':
        this.advance()
        return { type: 'str', value: '(ruby filter code)', line }
      case '__LINE__':
        this.advance()
        return { type: 'int', value: line, line }
      case 'if':
      case 'unless':
        return this.ifStatement()
      case 'while':
      case 'until':
        return this.whileStatement()
      case 'for':
        return this.forStatement()
      case 'case':
        return this.caseStatement()
      case 'begin':
        return this.beginStatement()
      case 'def':
        return this.definition()
      case 'class':
        return this.classDefinition()
      case 'module':
        return this.moduleDefinition()
      case 'alias':
        return this.aliasDefinition()
      case 'undef':
        return this.undefinition()
      case 'return':
      case 'break':
      case 'next':
        this.advance()
        return { type: text, value: this.jumpValue(), line }
      case 'yield':
        this.advance()
        return { type: 'yield', args: this.optionalArguments() ?? [], line }
      case 'super':
        return this.superCall()
      case 'defined?':
        return this.expression()
      case 'not':
        return this.notExpression()
      case 'BEGIN':
      case 'END':
        throw this.fail(`${text} blocks are not supported`)
      default:
        throw this.unexpected()
    }
  }

  private jumpValue(): Node | undefined {
    if (this.endsExpression()) return undefined
    const { line } = this.token
    const items = this.valueList()
    if (items.length === 1 && items[0]!.type !== 'splat') return items[0]
    return { type: 'array', items, line }
  }

  private optionalArguments(): Node[] | undefined {
    if (this.isOp('call(')) return this.bracketed(')', () => this.argumentList(')'))
    return this.startsCommandArgument(this.token) ? this.callArguments() : undefined
  }

  private superCall(): Node {
    const { line } = this.advance()
    const args = this.optionalArguments()
    const last = args?.[args.length - 1]
    const blockArg = last?.type === 'block_pass' ? last.value : undefined
    if (blockArg !== undefined) args!.pop()
    return { type: 'super', args, block: undefined, blockArg, line }
  }

  private ifStatement(): Node {
    const { text, line } = this.advance()
    const condition = this.condition()
    this.acceptThen()
    const then = this.statements(['elsif', 'else', 'end'])
    let otherwise: Node | undefined
    if (this.isKeyword('elsif')) otherwise = this.ifStatement()
    else {
      if (this.acceptKeyword('else')) otherwise = this.statements(['end'])
      this.expectKeyword('end')
    }
    return text === 'unless'
      ? { type: 'if', condition, body: otherwise, otherwise: then, line }
      : { type: 'if', condition, body: then, otherwise, line }
  }

  private condition(): Node {
    this.noDo++
    this.statementStart = undefined
    const condition = this.expressionStatement()
    this.noDo--
    return condition
  }

  private acceptThen(): void {
    this.skipTerms()
    this.acceptKeyword('then')
  }

  private whileStatement(): Node {
    const { text, line } = this.advance()
    const condition = this.condition()
    this.acceptKeyword('do')
    const body = this.statements(['end'])
    this.expectKeyword('end')
    return { type: 'while', condition, body, isUntil: text === 'until', testsLast: false, line }
  }

  private forStatement(): Node {
    const { line } = this.advance()
    const list = this.targets(undefined, undefined)
    const isSingle = list.before.length === 1 && list.splat === undefined
    this.expectKeyword('in')
    const values = this.condition()
    this.acceptKeyword('do')
    const body = this.statements(['end'])
    this.expectKeyword('end')
    return { type: 'for', target: isSingle ? list.before[0]! : list, list: values, body, line }
  }

  private caseStatement(): Node {
    const { line } = this.advance()
    const subject =
      this.is('newline') || this.isOp(';') || this.isKeyword('when') ? undefined : this.expressionStatement()
    // On one line, `case x in y` would be a pattern test of x.
    if (this.isKeyword('in')) throw this.unexpected()
    this.skipTerms()
    if (this.isKeyword('in')) return this.caseIn(subject!, line)
    const whens: { tests: Node[]; body: Node }[] = []
    while (this.acceptKeyword('when')) {
      const tests: Node[] = []
      do {
        this.skipNewlines()
        const at = this.token.line
        if (this.acceptOp('unary*') || this.acceptOp('*'))
          tests.push({ type: 'splat', value: this.ternary(), line: at })
        else tests.push(this.ternary())
      } while (this.acceptOp(','))
      this.acceptThen()
      whens.push({ tests, body: this.statements(['when', 'else', 'end']) })
    }
    const otherwise = this.acceptKeyword('else') ? this.statements(['end']) : undefined
    this.expectKeyword('end')
    return { type: 'case', subject, whens, otherwise, line }
  }

  private caseIn(subject: Node, line: number): Node {
    const clauses: { pattern: Pattern; guard: Node | undefined; body: Node }[] = []
    while (this.acceptKeyword('in')) {
      const pattern = this.topPattern()
      let guard: Node | undefined
      if (this.isKeyword('if') || this.isKeyword('unless')) {
        const isUnless = this.advance().text === 'unless'
        const test = this.expressionStatement()
        guard = isUnless ? { type: 'not', value: test, line } : test
      }
      this.acceptThen()
      clauses.push({ pattern, guard, body: this.statements(['in', 'else', 'end']) })
    }
    const otherwise = this.acceptKeyword('else') ? this.statements(['end']) : undefined
    this.expectKeyword('end')
    return { type: 'case_in', subject, clauses, otherwise, line }
  }

  private beginStatement(): Node {
    const { noDo, noPipe } = this
    const { ternaryDepth } = this.lexer
    this.noDo = 0
    this.noPipe = 0
    this.lexer.ternaryDepth = 0
    const { line } = this.advance()
    const inner = this.bodyStatement(['end'])
    this.noDo = noDo
    this.noPipe = noPipe
    this.lexer.ternaryDepth = ternaryDepth
    this.expectKeyword('end')
    const node: BeginNode =
      inner.type === 'begin' && inner.line === line
        ? inner
        : { type: 'begin', body: inner, rescues: [], otherwise: undefined, ensure: undefined, line }
    this.lastWasBegin = node
    return node
  }
}
