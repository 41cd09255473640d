/** Calls: receivers, arguments, blocks. */
import type { BlockNode, CallNode, HashPair, Node, Params } from './ast.ts'
import { ExpressionParser } from './parse-expressions.ts'
import { NameScope } from './parser-base.ts'
import type { Token } from './token.ts'

/** Keywords that may begin an argument without parentheses. */
const ARGUMENT_KEYWORDS = new Set([
  'nil',
  'true',
  'false',
  'self',
  'not',
  'defined?',
  'case',
  'yield',
  'super',
  '__method__',
  '__FILE__',
  '__LINE__',
  'begin',
  'def',
  'if',
  'unless',
  'while',
])
const ARGUMENT_OPERATORS = new Set(['[', 'unary-', 'unary*', 'unary&', 'unary**', '->', '(', 'top::', '..', '...'])

export abstract class CallParser extends ExpressionParser {
  protected abstract blockParams(): Params
  protected abstract bodyStatement(ends: readonly string[]): Node

  /** Parses suffixes of a value: `.name`, `[index]`, `::Name`, blocks. */
  protected postfix(start: Node): Node {
    let node = start
    for (;;) {
      const { kind, text, line } = this.token
      if (kind === 'op') {
        if (text === '.' || text === '&.') {
          this.advance()
          node = this.method(node, text === '&.', line)
          continue
        }
        if (text === '::') {
          node = this.scoped(node, line)
          continue
        }
        if (text === 'index[') {
          const args = this.bracketed(']', () => this.argumentList(']'))
          node = this.call(node, '[]', args, line)
          continue
        }
        if (text === '{' && this.takesBlock(node)) {
          node = { ...(node as CallNode), block: this.braceBlock(), isBare: false }
          continue
        }
      }
      if (kind === 'keyword' && text === 'do' && this.noDo === 0 && this.takesBlock(node)) {
        node = { ...(node as CallNode), block: this.doBlock(), isBare: false }
        continue
      }
      return node
    }
  }

  private takesBlock(node: Node): boolean {
    if (node.type === 'super') return node.block === undefined && node.blockArg === undefined
    return (
      node.type === 'call' && node.block === undefined && node.blockArg === undefined && /^[\p{L}_]/u.test(node.name)
    )
  }

  private scoped(scope: Node, line: number): Node {
    this.advance()
    if (this.is('const')) {
      const { text } = this.advance()
      if (this.isOp('call(')) return this.withArguments({ receiver: scope, name: text, isSafe: false, line })
      return { type: 'const', scope, name: text, line }
    }
    return this.method(scope, false, line)
  }

  private method(receiver: Node, isSafe: boolean, line: number): Node {
    if (this.isOp('(') || this.isOp('call(')) return this.withArguments({ receiver, name: 'call', isSafe, line })
    if (!this.is('ident') && !this.is('const')) throw this.unexpected()
    const { text } = this.advance()
    return this.withArguments({ receiver, name: text, isSafe, line })
  }

  /** Parses the rest of a call after its name: arguments with or without parentheses, or none. */
  protected withArguments(head: { receiver: Node | undefined; name: string; isSafe: boolean; line: number }): Node {
    let args: Node[] = []
    let isBare = head.receiver === undefined
    let isCommand = false
    if (this.isOp('call(') || (this.isOp('(') && head.name === 'call' && !this.token.spaced)) {
      args = this.bracketed(')', () => this.argumentList(')'))
      isBare = false
    } else if (this.startsCommandArgument(this.token) || this.touchesArgument(head.name)) {
      args = this.callArguments()
      isBare = false
      isCommand = true
    }
    const last = args[args.length - 1]
    const blockArg = last?.type === 'block_pass' ? last.value : undefined
    if (blockArg !== undefined) args.pop()
    const node: CallNode = { type: 'call', ...head, args, block: undefined, blockArg, isBare }
    if (isCommand && this.isKeyword('do') && this.noDo === 0 && blockArg === undefined)
      return this.postfix({ ...node, block: this.doBlock() })
    return node
  }

  /** `a.is_a?String`: after a name with `?` or `!` an argument may follow without a blank. */
  private touchesArgument(name: string): boolean {
    if (!/[?!]$/.test(name) || this.token.spaced) return false
    return ['ident', 'const', 'ivar', 'gvar', 'cvar', 'string', 'symbol', 'int', 'float'].includes(this.token.kind)
  }

  protected startsCommandArgument(token: Token): boolean {
    if (!token.spaced) return false
    switch (token.kind) {
      case 'op':
        if (token.text === '!') return !token.spacedAfter
        if (token.text === '..' || token.text === '...') return false
        return ARGUMENT_OPERATORS.has(token.text)
      case 'keyword':
        return ARGUMENT_KEYWORDS.has(token.text) && !/^(?:if|unless|while)$/.test(token.text)
      case 'newline':
      case 'end':
        return false
      default:
        return true
    }
  }

  /** Arguments without parentheses. */
  protected callArguments(): Node[] {
    this.noDo++
    const args = this.argumentList(undefined)
    this.noDo--
    return args
  }

  protected argumentList(close: string | undefined): Node[] {
    const args: Node[] = []
    const pairs: HashPair[] = []
    const { line } = this.token
    for (;;) {
      if (close !== undefined) this.skipNewlines()
      if (close !== undefined && this.isOp(close)) break
      this.argument(args, pairs, close)
      if (close !== undefined) this.skipNewlines()
      if (!this.acceptOp(',')) break
      this.skipNewlines()
    }
    if (pairs.length > 0) {
      const hash: Node = { type: 'hash', pairs, isBraced: false, line }
      const last = args[args.length - 1]
      if (last?.type === 'block_pass') args.splice(-1, 0, hash)
      else args.push(hash)
    }
    return args
  }

  private argument(args: Node[], pairs: HashPair[], close: string | undefined): void {
    const { line } = this.token
    if (this.acceptOp('unary*') || this.acceptOp('*')) args.push({ type: 'splat', value: this.ternary(), line })
    else if (this.acceptOp('unary**') || this.acceptOp('**')) pairs.push({ key: undefined, value: this.ternary() })
    else if (this.acceptOp('unary&') || this.acceptOp('&'))
      args.push({ type: 'block_pass', value: this.ternary(), line })
    else if (this.is('label') || this.is('string-label')) pairs.push(this.labelled())
    else {
      const value = close === undefined ? this.expression() : this.parenthesisedArgument()
      if (!this.acceptOp('=>')) {
        args.push(value)
        return
      }
      this.skipNewlines()
      pairs.push({ key: value, value: this.expression() })
    }
  }

  private parenthesisedArgument(): Node {
    return this.isKeyword('not') ? this.notExpression() : this.expression()
  }

  /** Parses `name: value`, or `name:` alone, whose value is the variable or method of that name. */
  protected labelled(): HashPair {
    const token = this.advance()
    const { line } = token
    const key: Node =
      token.kind === 'label' ? { type: 'sym', name: token.text, line } : symbolOf(this.textNode(token.parts!, line))
    if (token.kind === 'label' && (this.isOp(',') || this.isOp(')') || this.isOp('}') || this.is('newline'))) {
      const isLocal = this.isLocal(token.text)
      if (isLocal) return { key, value: { type: 'lvar', name: token.text, line } }
      if (!this.is('newline'))
        return { key, value: { ...(this.call(undefined, token.text, [], line) as CallNode), isBare: true } }
    }
    this.skipNewlines()
    return { key, value: this.expression() }
  }

  protected braceBlock(): BlockNode {
    return this.block((read) => this.bracketed('}', read), ['}'])
  }

  protected doBlock(): BlockNode {
    const { noDo, noPipe } = this
    const { ternaryDepth } = this.lexer
    this.noDo = 0
    this.noPipe = 0
    this.lexer.ternaryDepth = 0
    const block = this.block(
      (read) => {
        this.advance()
        const body = read()
        if (!this.isKeyword('end')) throw this.unexpected("expecting 'end'")
        this.lexer.ternaryDepth = ternaryDepth
        this.noDo = noDo
        this.noPipe = noPipe
        this.advance()
        return body
      },
      ['end'],
    )
    return block
  }

  private block(enclosed: (read: () => BlockNode) => BlockNode, ends: readonly string[]): BlockNode {
    const { line } = this.token
    const scope = new NameScope(this.scope)
    return this.inScope(scope, () =>
      enclosed(() => {
        const params = this.isOp('|') || this.isOp('||') ? this.blockParams() : undefined
        const body = this.bodyStatement(ends)
        return { params, numbered: scope.numbered, body, line }
      }),
    )
  }
}

function symbolOf(node: Node): Node {
  if (node.type === 'str') return { type: 'sym', name: node.value, line: node.line }
  return { type: 'dsym', parts: node.type === 'dstr' ? node.parts : [node], line: node.line }
}
