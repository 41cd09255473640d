/** Parameters of methods, blocks and lambdas. */
import type { MultipleTarget, Node, Param, Params } from './ast.ts'
import { PrimaryParser } from './parse-primary.ts'

export const NO_PARAMS: Params = {
  required: [],
  optional: [],
  rest: undefined,
  post: [],
  keywords: [],
  keywordRest: undefined,
  block: undefined,
  hasTrailingComma: false,
  locals: [],
}

/** The parts of `Params` while they are collected. */
interface Collected {
  required: Param[]
  optional: { name: string; value: Node }[]
  rest: string | undefined
  post: Param[]
  keywords: { name: string; value: Node | undefined }[]
  keywordRest: string | undefined
  block: string | undefined
  hasTrailingComma: boolean
  locals: string[]
}

export abstract class ParamsParser extends PrimaryParser {
  protected blockParams(): Params {
    if (this.acceptOp('||')) return NO_PARAMS
    this.advance()
    this.noPipe++
    const params = this.paramList('|')
    this.noPipe--
    if (!this.isOp('|')) throw this.unexpected("expecting '|'")
    this.lexer.state = 'begin'
    this.advance()
    return params
  }

  /** Parses up to the closing token, which is not consumed. Without a closing token, up to the end of the line. */
  protected paramList(close: string | undefined): Params {
    const found: Collected = {
      required: [],
      optional: [],
      rest: undefined,
      post: [],
      keywords: [],
      keywordRest: undefined,
      block: undefined,
      hasTrailingComma: false,
      locals: [],
    }
    for (;;) {
      if (close !== undefined) this.skipNewlines()
      if (this.endsParams(close)) break
      if (this.isOp(';') && close !== undefined) {
        this.advance()
        while (this.is('ident')) {
          const { text } = this.advance()
          this.scope.names.add(text)
          found.locals.push(text)
          this.acceptOp(',')
        }
        break
      }
      this.param(found)
      if (close !== undefined) this.skipNewlines()
      if (!this.acceptOp(',')) {
        if (this.isOp(';') && close === '|') continue
        break
      }
      if (this.endsParams(close)) found.hasTrailingComma = true
    }
    return found
  }

  private endsParams(close: string | undefined): boolean {
    if (close !== undefined) return this.isOp(close)
    return this.is('newline') || this.isOp(';') || this.isOp('=') || this.is('end')
  }

  private param(found: Collected): void {
    const { token } = this
    if (this.acceptOp('unary*') || this.acceptOp('*')) {
      found.rest = this.is('ident') ? this.newName() : ''
    } else if (this.acceptOp('unary**') || this.acceptOp('**')) {
      if (this.acceptKeyword('nil')) return
      found.keywordRest = this.is('ident') ? this.newName() : ''
    } else if (this.acceptOp('unary&') || this.acceptOp('&')) {
      found.block = this.is('ident') ? this.newName() : ''
    } else if (this.is('label')) {
      this.advance()
      this.scope.names.add(token.text)
      const isRequired = this.isOp(',') || this.isOp(')') || this.isOp('|') || this.is('newline') || this.isOp('{')
      found.keywords.push({ name: token.text, value: isRequired ? undefined : this.ternary() })
    } else if (this.isOp('(') || this.isOp('call(')) {
      this.required(found, this.destructured())
    } else if (this.is('ident')) {
      const name = this.newName()
      if (this.acceptOp('=')) found.optional.push({ name, value: this.ternary() })
      else this.required(found, name)
    } else throw this.unexpected()
  }

  private required(found: Collected, param: Param): void {
    if (found.optional.length > 0 || found.rest !== undefined) found.post.push(param)
    else found.required.push(param)
  }

  private newName(): string {
    const { text } = this.advance()
    this.scope.names.add(text)
    return text
  }

  /** `(a, (b, *c))` */
  private destructured(): MultipleTarget {
    const { line } = this.token
    return this.bracketed(')', () => {
      const before: Node[] = []
      const after: Node[] = []
      let splat: Node | null | undefined
      do {
        if (this.isOp(')')) break
        if (this.acceptOp('unary*') || this.acceptOp('*')) {
          splat = this.is('ident') ? { type: 'lvar', name: this.newName(), line } : null
        } else {
          const item: Node =
            this.isOp('(') || this.isOp('call(') ? this.destructured() : { type: 'lvar', name: this.newName(), line }
          ;(splat === undefined ? before : after).push(item)
        }
      } while (this.acceptOp(','))
      return { type: 'mlhs', before, splat, after, line }
    })
  }
}
