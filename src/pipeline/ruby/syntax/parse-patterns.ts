/** The patterns of `case … in` and `value => pattern`. */
import type { Node, Pattern } from './ast.ts'
import { DefinitionParser } from './parse-definitions.ts'

type ListPattern = Extract<Pattern, { type: 'list' }>
type KeysPattern = Extract<Pattern, { type: 'keys' }>

export abstract class PatternParser extends DefinitionParser {
  /** Parses a pattern in which the brackets around lists and hashes may be omitted. */
  protected topPattern(): Pattern {
    if (this.is('label')) return this.keysPattern(undefined, undefined)
    if (this.isOp('unary*') || this.isOp('*')) return this.listPattern(undefined, undefined)
    const first = this.pattern()
    if (!this.isOp(',')) return first
    this.advance()
    const rest = this.listPattern(undefined, undefined)
    return { ...rest, before: [first, ...rest.before] }
  }

  protected pattern(): Pattern {
    let pattern = this.patternPrimary()
    if (this.isOp('|')) {
      const patterns = [pattern]
      while (this.acceptOp('|')) patterns.push(this.patternPrimary())
      pattern = { type: 'either', patterns }
    }
    while (this.acceptOp('=>')) pattern = { type: 'as', pattern, name: this.bound() }
    return pattern
  }

  private bound(): string {
    const { text } = this.advance()
    this.declare(text)
    return text
  }

  private patternPrimary(): Pattern {
    const { token } = this
    if (token.kind === 'ident' && !/[?!]$/.test(token.text)) return { type: 'bind', name: this.bound() }
    if (this.isOp('[') || this.isOp('index[')) return this.bracketed(']', () => this.listPattern(undefined, ']'))
    if (this.isOp('{')) return this.bracketed('}', () => this.keysPattern(undefined, '}'))
    if (this.isOp('(')) return this.bracketed(')', () => this.pattern())
    if (this.isOp('^')) {
      this.advance()
      if (this.isOp('(')) return { type: 'value', value: this.bracketed(')', () => this.expression()) }
      const { text, line, kind } = this.advance()
      return { type: 'value', value: { type: kind === 'ivar' ? 'ivar' : 'lvar', name: text, line } }
    }
    if (token.kind === 'const') return this.constantPattern()
    this.noPipe++
    const value = this.ternary()
    this.noPipe--
    return { type: 'value', value }
  }

  private constantPattern(): Pattern {
    const { text, line } = this.advance()
    let constant: Node = { type: 'const', scope: undefined, name: text, line }
    while (this.acceptOp('::')) constant = { type: 'const', scope: constant, name: this.advance().text, line }
    if (this.isOp('call(') || this.isOp('index[')) {
      const close = this.isOp('call(') ? ')' : ']'
      return this.bracketed(close, () =>
        this.is('label') ? this.keysPattern(constant, close) : this.listPattern(constant, close),
      )
    }
    if (this.isOp('..') || this.isOp('...')) {
      const isExclusive = this.advance().text === '...'
      const to = this.endsExpression() ? undefined : this.primary()
      return { type: 'value', value: { type: 'range', from: constant, to, isExclusive, line } }
    }
    return { type: 'value', value: constant }
  }

  private listPattern(constant: Node | undefined, close: string | undefined): ListPattern {
    const before: Pattern[] = []
    const after: Pattern[] = []
    let splat: string | undefined
    do {
      this.skipNewlinesIn(close)
      if (close !== undefined && this.isOp(close)) break
      if (close === undefined && this.endsPattern()) break
      if (this.acceptOp('unary*') || this.acceptOp('*')) splat = this.is('ident') ? this.bound() : ''
      else (splat === undefined ? before : after).push(this.pattern())
      this.skipNewlinesIn(close)
    } while (this.acceptOp(','))
    return { type: 'list', constant, before, splat, after }
  }

  private keysPattern(constant: Node | undefined, close: string | undefined): KeysPattern {
    const pairs: { key: string; pattern: Pattern | undefined }[] = []
    let rest: string | null | undefined
    do {
      this.skipNewlinesIn(close)
      if (close !== undefined && this.isOp(close)) break
      if (this.acceptOp('unary**') || this.acceptOp('**')) {
        rest = this.acceptKeyword('nil') ? null : this.bound()
        continue
      }
      if (!this.is('label')) throw this.unexpected()
      const key = this.advance().text
      const isAlone = this.isOp(',') || (close !== undefined && this.isOp(close)) || this.endsPattern()
      if (isAlone) this.declare(key)
      pairs.push({ key, pattern: isAlone ? undefined : this.pattern() })
      this.skipNewlinesIn(close)
    } while (this.acceptOp(','))
    return { type: 'keys', constant, pairs, rest }
  }

  private skipNewlinesIn(close: string | undefined): void {
    if (close !== undefined) this.skipNewlines()
  }

  private endsPattern(): boolean {
    return (
      this.is('newline') ||
      this.is('end') ||
      this.isOp(';') ||
      this.isKeyword('then') ||
      this.isKeyword('if') ||
      this.isKeyword('unless') ||
      this.isOp('}') ||
      this.isOp(')')
    )
  }
}
