/** Literals, names, brackets, and keywords that are values. */
import type { HashPair, Node } from './ast.ts'
import { CallParser } from './parse-calls.ts'
import type { Token } from './token.ts'

export abstract class PrimaryParser extends CallParser {
  protected abstract keyword(): Node
  protected abstract lambda(): Node

  protected primary(): Node {
    const node = this.atom()
    return this.postfix(node)
  }

  private atom(): Node {
    const { token } = this
    const { kind, text, line } = token
    switch (kind) {
      case 'int':
        this.advance()
        return { type: 'int', value: this.signed(token.value!), line }
      case 'float':
        this.advance()
        return { type: 'float', value: this.signed(token.value!) as number, line }
      case 'rational':
        this.advance()
        return { type: 'rational', text: `${this.signed(1) === -1 ? '-' : ''}${text}`, line }
      case 'string':
        return this.text()
      case 'symbol':
        this.advance()
        if (token.parts === undefined) return { type: 'sym', name: text, line }
        return this.symbolOf(token)
      case 'regex':
        this.advance()
        return { type: 'regex', parts: token.parts!, flags: text, line }
      case 'words':
      case 'symbols':
        this.advance()
        return this.listLiteral(token)
      case 'ident':
        return this.name(token)
      case 'const':
        return this.constant(token)
      case 'ivar':
      case 'gvar':
      case 'cvar':
      case 'backref':
        this.advance()
        return { type: kind, name: text, line }
      case 'nth':
        this.advance()
        return { type: 'nth', number: token.value as number, line }
      case 'keyword':
        return this.keyword()
      case 'op':
        return this.bracket(token)
      default:
        throw this.unexpected()
    }
  }

  private signed(value: number | bigint): number | bigint {
    if (!this.negates) return value
    this.negates = false
    return -value
  }

  /** Adjacent string literals are concatenated. */
  private text(): Node {
    const { line } = this.token
    const parts: Node[] = []
    while (this.is('string')) parts.push(...this.advance().parts!)
    if (parts.every((part) => part.type === 'str')) {
      return { type: 'str', value: parts.map((part) => (part as { value: string }).value).join(''), line }
    }
    return this.textNode(parts, line)
  }

  private symbolOf(token: Token): Node {
    const node = this.textNode(token.parts!, token.line)
    return node.type === 'str'
      ? { type: 'sym', name: node.value, line: token.line }
      : { type: 'dsym', parts: token.parts!, line: token.line }
  }

  private listLiteral(token: Token): Node {
    const items = token.items!.map((parts): Node => {
      const node = this.textNode(parts, token.line)
      if (token.kind === 'words') return node
      return node.type === 'str'
        ? { type: 'sym', name: node.value, line: token.line }
        : { type: 'dsym', parts, line: token.line }
    })
    return { type: 'array', items, line: token.line }
  }

  private name(token: Token): Node {
    const { text, line } = token
    if (/^_[1-9]$/.test(text) && !this.isLocal(text)) {
      this.advance()
      this.scope.numbered = Math.max(this.scope.numbered, Number(text[1]))
      return { type: 'lvar', name: text, line }
    }
    this.advance()
    if (this.isLocal(text) && !this.isOp('call(')) return { type: 'lvar', name: text, line }
    if (text === 'binding' && !this.isOp('call(')) return { type: 'binding', line }
    if ((text === 'lambda' || text === 'proc') && (this.isOp('{') || this.isKeyword('do'))) {
      const block = this.isOp('{') ? this.braceBlock() : this.doBlock()
      if (text === 'lambda') return { type: 'lambda', block, line }
      return {
        type: 'call',
        receiver: undefined,
        name: 'proc',
        args: [],
        block,
        blockArg: undefined,
        isSafe: false,
        isBare: false,
        line,
      }
    }
    return this.withArguments({ receiver: undefined, name: text, isSafe: false, line })
  }

  private constant(token: Token): Node {
    const { text, line } = token
    this.advance()
    const takesArgument = this.token.spaced && (this.is('string') || this.is('int') || this.is('float'))
    if (this.isOp('call(') || takesArgument)
      return this.withArguments({ receiver: undefined, name: text, isSafe: false, line })
    return { type: 'const', scope: undefined, name: text, line }
  }

  private bracket(token: Token): Node {
    const { text, line } = token
    switch (text) {
      case '(':
      case 'call(':
        return this.bracketed(')', () => this.statements([')']))
      case '[':
      case 'index[':
        return { type: 'array', items: this.bracketed(']', () => this.argumentList(']')), line }
      case '{':
        return this.hash(line)
      case '->':
        return this.lambda()
      case 'top::': {
        this.advance()
        const name = this.advance().text
        return { type: 'const', scope: 'top', name, line }
      }
      case '..':
      case '...': {
        const isExclusive = this.advance().text === '...'
        return { type: 'range', from: undefined, to: this.ternary(), isExclusive, line }
      }
      default:
        throw this.unexpected()
    }
  }

  private hash(line: number): Node {
    const pairs = this.bracketed('}', () => {
      const list: HashPair[] = []
      for (;;) {
        this.skipNewlines()
        if (this.isOp('}')) return list
        list.push(this.pair())
        this.skipNewlines()
        if (!this.acceptOp(',')) return list
      }
    })
    return { type: 'hash', pairs, isBraced: true, line }
  }

  private pair(): HashPair {
    if (this.is('label') || this.is('string-label')) return this.labelled()
    if (this.acceptOp('unary**') || this.acceptOp('**')) return { key: undefined, value: this.ternary() }
    const key = this.expression()
    this.skipNewlines()
    this.expectOp('=>')
    this.skipNewlines()
    return { key, value: this.expression() }
  }
}
