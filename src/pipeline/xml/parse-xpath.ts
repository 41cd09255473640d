/** Parses XPath 1.0 by recursive descent, one level per operator precedence. */
import { AXES, type Axis, type BinaryOperator, type Expression, type NodeTest, type Step } from './xpath-tree.ts'

export class XPathError extends Error {}

const TOKEN =
  /\s*(\d+(?:\.\d*)?|\.\d+|"[^"]*"|'[^']*'|\/\/|::|\.\.|!=|<=|>=|[()[\]@,/|+=<>*.-]|[\p{L}_][\p{L}\p{N}_.-]*(?::(?!:)(?:[\p{L}_][\p{L}\p{N}_.-]*|\*))?)/uy

const RANKS: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  ['=', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', 'div', 'mod'],
]

const ANY_NODE: NodeTest = { kind: 'node' }
const DESCENDANTS: Step = { axis: 'descendant-or-self', test: ANY_NODE, predicates: [] }

/** `namespaces` maps prefixes of the expression to namespaces. */
export function parseXPath(text: string, namespaces: ReadonlyMap<string, string>): Expression {
  return new XPathParser(text, namespaces).parse()
}

class XPathParser {
  readonly #text: string
  readonly #namespaces: ReadonlyMap<string, string>
  readonly #tokens: string[]
  #at = 0

  constructor(text: string, namespaces: ReadonlyMap<string, string>) {
    this.#text = text
    this.#namespaces = namespaces
    this.#tokens = this.#split(text)
  }

  parse(): Expression {
    const expression = this.#operation(0)
    if (this.#at < this.#tokens.length) throw this.#error(`${this.#tokens[this.#at]} is not expected`)
    return expression
  }

  #split(text: string): string[] {
    const tokens: string[] = []
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < text.trimEnd().length) {
      const from = TOKEN.lastIndex
      const match = TOKEN.exec(text)
      if (match === null) throw this.#error(`${text.slice(from, from + 10)} cannot be read`)
      tokens.push(match[1]!)
    }
    return tokens
  }

  #operation(rank: number): Expression {
    const operators = RANKS[rank]
    if (operators === undefined) return this.#unary()
    let left = this.#operation(rank + 1)
    for (;;) {
      const operator = operators.find((one) => one === this.#next)
      if (operator === undefined) return left
      this.#at++
      left = { kind: 'binary', operator, left, right: this.#operation(rank + 1) }
    }
  }

  #unary(): Expression {
    if (this.#accept('-')) return { kind: 'negate', of: this.#unary() }
    let left = this.#path()
    while (this.#accept('|')) left = { kind: 'binary', operator: '|', left, right: this.#path() }
    return left
  }

  #path(): Expression {
    const next = this.#next
    if (next === undefined) throw this.#error('something is missing at the end')
    const primary = this.#primary(next)
    if (primary !== undefined) {
      const predicates = this.#predicates()
      const steps = this.#next === '/' || this.#next === '//' ? this.#steps() : []
      if (predicates.length === 0 && steps.length === 0) return primary
      return { kind: 'path', from: primary, predicates, steps }
    }
    if (next === '//') return { kind: 'path', from: 'root', predicates: [], steps: this.#steps() }
    if (next !== '/') return { kind: 'path', from: 'here', predicates: [], steps: [this.#step(), ...this.#steps()] }
    const following = this.#tokens[this.#at + 1]
    const isAlone = following === undefined || /^[)\],|=<>!+-]/.test(following)
    if (isAlone) this.#at++
    return { kind: 'path', from: 'root', predicates: [], steps: isAlone ? [] : this.#steps() }
  }

  /** Parses numbers, strings, parentheses and calls; undefined at the start of a path. */
  #primary(next: string): Expression | undefined {
    if (/^\.?\d/.test(next)) {
      this.#at++
      return { kind: 'number', value: Number(next) }
    }
    if (next.startsWith('"') || next.startsWith("'")) {
      this.#at++
      return { kind: 'text', value: next.slice(1, -1) }
    }
    if (this.#accept('(')) {
      const inner = this.#operation(0)
      this.#expect(')')
      return inner
    }
    const isCall = this.#tokens[this.#at + 1] === '(' && next !== 'text' && next !== 'node'
    if (!isCall || !/^[\p{L}_]/u.test(next)) return undefined
    this.#at += 2
    const args: Expression[] = []
    while (!this.#accept(')')) {
      if (args.length > 0) this.#expect(',')
      args.push(this.#operation(0))
    }
    return { kind: 'call', name: next, args }
  }

  #steps(): Step[] {
    const steps: Step[] = []
    for (;;) {
      if (this.#accept('//')) steps.push(DESCENDANTS, this.#step())
      else if (this.#accept('/')) steps.push(this.#step())
      else return steps
    }
  }

  #step(): Step {
    if (this.#accept('.')) return { axis: 'self', test: ANY_NODE, predicates: [] }
    if (this.#accept('..')) return { axis: 'parent', test: ANY_NODE, predicates: [] }
    let axis: Axis = this.#accept('@') ? 'attribute' : 'child'
    if (this.#tokens[this.#at + 1] === '::') {
      const name = this.#tokens[this.#at]!
      if (!AXES.has(name)) throw this.#error(`the axis ${name} is not supported`)
      axis = name as Axis
      this.#at += 2
    }
    return { axis, test: this.#test(), predicates: this.#predicates() }
  }

  #test(): NodeTest {
    const name = this.#tokens[this.#at++]
    if (name === undefined || !/^[\p{L}_*]/u.test(name)) throw this.#error('a name is missing')
    if ((name === 'text' || name === 'node') && this.#accept('(')) {
      this.#expect(')')
      return { kind: name }
    }
    const colon = name.indexOf(':')
    if (colon < 0) return { kind: 'name', local: name, namespace: undefined, full: name }
    const namespace = this.#namespaces.get(name.slice(0, colon))
    return { kind: 'name', local: name.slice(colon + 1), namespace, full: name }
  }

  #predicates(): Expression[] {
    const predicates: Expression[] = []
    while (this.#accept('[')) {
      predicates.push(this.#operation(0))
      this.#expect(']')
    }
    return predicates
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at]
  }

  #accept(token: string): boolean {
    if (this.#next !== token) return false
    this.#at++
    return true
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw this.#error(`${token} is missing`)
  }

  #error(message: string): XPathError {
    return new XPathError(`XPath ${this.#text}: ${message}`)
  }
}
