/** `def`, `class`, `module`, lambdas, `alias` and `undef`. */
import type { BlockNode, Node, Params } from './ast.ts'
import { NO_PARAMS, ParamsParser } from './parse-params.ts'
import { NameScope } from './parser-base.ts'

export abstract class DefinitionParser extends ParamsParser {
  protected lambda(): Node {
    const { line } = this.token
    const scope = new NameScope(this.scope)
    const block = this.inScope(scope, (): BlockNode => {
      this.advance()
      let params: Params | undefined
      if (this.isOp('(') || this.isOp('call(')) params = this.bracketed(')', () => this.paramList(')'))
      else if (this.is('ident') || this.isOp('*') || this.isOp('&') || this.isOp('unary*')) params = this.bareParams()
      if (this.isOp('{')) {
        const body = this.bracketed('}', () => this.bodyStatement(['}']))
        return { params, numbered: scope.numbered, body, line }
      }
      if (!this.isKeyword('do')) throw this.unexpected("expecting '{'")
      const { noDo } = this
      this.noDo = 0
      this.advance()
      const body = this.bodyStatement(['end'])
      if (!this.isKeyword('end')) throw this.unexpected("expecting 'end'")
      this.noDo = noDo
      this.advance()
      return { params, numbered: scope.numbered, body, line }
    })
    return { type: 'lambda', block, line }
  }

  private bareParams(): Params {
    this.noDo++
    const required: string[] = []
    let rest: string | undefined
    do {
      if (this.acceptOp('*') || this.acceptOp('unary*')) rest = this.advance().text
      else required.push(this.advance().text)
      this.scope.names.add(rest ?? required[required.length - 1]!)
    } while (this.acceptOp(','))
    this.noDo--
    return { ...NO_PARAMS, required, rest }
  }

  protected definition(): Node {
    const { line } = this.advance()
    let singleton: Node | undefined
    let name = this.definedName()
    if (this.isOp('.')) {
      singleton =
        name === 'self'
          ? { type: 'self', line }
          : /^\p{Lu}/u.test(name)
            ? { type: 'const', scope: undefined, name, line }
            : { type: 'lvar', name, line }
      this.lexer.state = 'name'
      this.advance()
      name = this.definedName()
    }
    const scope = new NameScope(undefined)
    return this.inScope(scope, (): Node => {
      const { noDo, noPipe } = this
      this.noDo = 0
      this.noPipe = 0
      const params = this.definedParams()
      const body = this.definedBody()
      this.noDo = noDo
      this.noPipe = noPipe
      return { type: 'def', singleton, name, params, body, line }
    })
  }

  private definedName(): string {
    if (!this.is('ident') && !this.is('const') && !this.is('keyword')) throw this.unexpected()
    return this.advance().text
  }

  private definedParams(): Params {
    if (this.isOp('call(') || this.isOp('(')) return this.bracketed(')', () => this.paramList(')'))
    if (this.is('newline') || this.isOp(';') || this.isOp('=')) return NO_PARAMS
    return this.paramList(undefined)
  }

  private definedBody(): Node {
    if (this.acceptOp('=')) {
      this.skipNewlines()
      return this.assignedValue(false)
    }
    const body = this.bodyStatement(['end'])
    this.expectKeyword('end')
    return body
  }

  protected classDefinition(): Node {
    const { line } = this.advance()
    if (this.acceptOp('<<')) {
      const object = this.expression()
      const body = this.inScope(new NameScope(undefined), () => this.bodyStatement(['end']))
      this.expectKeyword('end')
      return { type: 'sclass', object, body, line }
    }
    const path = this.constantPath()
    const superclass = this.acceptOp('<') ? this.expression() : undefined
    const body = this.inScope(new NameScope(undefined), () => this.bodyStatement(['end']))
    this.expectKeyword('end')
    return { type: 'class', path, superclass, body, line }
  }

  protected moduleDefinition(): Node {
    const { line } = this.advance()
    const path = this.constantPath()
    const body = this.inScope(new NameScope(undefined), () => this.bodyStatement(['end']))
    this.expectKeyword('end')
    return { type: 'module', path, body, line }
  }

  private constantPath(): Node {
    const { line } = this.token
    let path: Node | undefined
    if (this.acceptOp('top::')) path = { type: 'const', scope: 'top', name: this.advance().text, line }
    else {
      if (!this.is('const')) throw this.fail('class/module name must be CONSTANT')
      path = { type: 'const', scope: undefined, name: this.advance().text, line }
    }
    while (this.acceptOp('::')) path = { type: 'const', scope: path, name: this.advance().text, line }
    return path
  }

  protected aliasDefinition(): Node {
    const { line } = this.advance()
    const to = this.methodName()
    const from = this.methodName()
    return { type: 'alias', to, from, line }
  }

  protected undefinition(): Node {
    const { line } = this.advance()
    const names: string[] = []
    do names.push(this.methodName())
    while (this.acceptOp(','))
    return { type: 'undef', names, line }
  }

  private methodName(): string {
    const { kind, text } = this.token
    if (kind !== 'ident' && kind !== 'const' && kind !== 'symbol' && kind !== 'keyword' && kind !== 'gvar')
      throw this.unexpected()
    this.lexer.state = 'name'
    this.advance()
    return text
  }
}
