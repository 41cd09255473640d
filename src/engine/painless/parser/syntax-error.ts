/**
 * Finds the token that a script which does not parse is blamed for, and what was expected there. Walks over the grammar as ANTLR's
 * generated parsers do, because Elasticsearch reports their errors.
 */
import { isStackOverflow } from '../../../base/errors/overflow.ts'
import { illegalArgument, type JavaThrowable, throwable } from '../errors/java-throwable.ts'
import type { Token } from '../lexer/token.ts'
import { firstSets, type Node, rule } from './automaton.ts'
import { TOKEN_ORDER } from './grammar.ts'
import { type Calls, NoAlternative, Prediction, TooLong } from './prediction.ts'

/** The error of a source; undefined if it parses, or if finding the error would take too long. */
export function syntaxError(tokens: readonly Token[], lexerError?: JavaThrowable): JavaThrowable | undefined {
  try {
    new Walk(tokens, lexerError).script()
  } catch (e) {
    if (e instanceof NoAlternative) return noAlternative(tokens[e.index]!)
    if (e instanceof Mismatch) return mismatch(tokens[e.index]!, e.expected)
    if (e === lexerError) return lexerError
    if (!(e instanceof TooLong) && !isStackOverflow(e)) throw e
  }
  return undefined
}

class Mismatch {
  readonly index: number
  readonly expected: ReadonlySet<string>

  constructor(index: number, expected: ReadonlySet<string>) {
    this.index = index
    this.expected = expected
  }
}

class Walk {
  readonly #prediction: Prediction
  readonly #tokenAt: (index: number) => string
  #at = 0

  constructor(tokens: readonly Token[], lexerError: JavaThrowable | undefined) {
    const last = tokens.length - 1
    this.#tokenAt = (index) => {
      // The tokens are read one by one, so what follows an invalid character is never seen.
      if (lexerError !== undefined && index > last) throw lexerError
      return tokens[Math.min(index, last)]!.type
    }
    this.#prediction = new Prediction(this.#tokenAt)
  }

  script(): void {
    this.#walk(rule('source').body, undefined, 0)
  }

  #next(): string {
    return this.#tokenAt(this.#at)
  }

  #walk(node: Node, calls: Calls | undefined, precedence: number): void {
    switch (node.kind) {
      case 'token':
        if (!node.state.tokens!.has(this.#next())) throw new Mismatch(this.#at, node.state.tokens!)
        if (this.#next() !== 'EOF') this.#at++
        return
      case 'call':
        this.#walk(rule(node.rule).body, this.#prediction.call(node.back, calls), node.precedence)
        return
      case 'sequence':
        for (const item of node.items) this.#walk(item, calls, precedence)
        return
      case 'choice':
        this.#walk(node.alternatives[this.#choose(node, calls, precedence)]!, calls, precedence)
        return
      case 'eager':
        if (this.#next() === node.token) this.#walk(node.item, calls, precedence)
        return
      case 'optional':
        if (this.#enters(node, calls, precedence)) this.#walk(node.item, calls, precedence)
        return
      case 'plus':
        this.#walk(node.item, calls, precedence)
    }
    while (this.#enters(node, calls, precedence)) this.#walk(node.item, calls, precedence)
  }

  #choose(node: Node & { kind: 'choice' }, calls: Calls | undefined, precedence: number): number {
    const sets = firstSets(node.state, node.first)
    if (sets === null) return this.#prediction.choose(node.state, this.#at, calls, precedence, false)
    const found = sets.findIndex((tokens) => tokens.has(this.#next()))
    if (found < 0) throw new NoAlternative(this.#at)
    return found
  }

  #enters(node: Node & { kind: 'optional' | 'star' | 'plus' }, calls: Calls | undefined, precedence: number): boolean {
    const sets = firstSets(node.state, node.first)
    if (sets !== null) return sets[0]!.has(this.#next())
    return this.#prediction.choose(node.state, this.#at, calls, precedence, node.isBinary) === 0
  }
}

function display(token: Token): string {
  return `'${token.text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`
}

function noAlternative(token: Token): JavaThrowable {
  const reason =
    token.type === 'EOF' ? 'unexpected end of script.' : `invalid sequence of tokens near [${display(token)}].`
  // Elasticsearch shows the exception of its parser as the cause.
  return at(illegalArgument(reason, throwable('org.antlr.v4.runtime.NoViableAltException')), token)
}

const NAMES = new Set(['PRIMITIVE', 'ID', 'DOTID', 'DOTINTEGER', 'OCTAL', 'HEX', 'INTEGER', 'DECIMAL'])

function mismatch(token: Token, expected: ReadonlySet<string>): JavaThrowable {
  const names = TOKEN_ORDER.filter((type) => expected.has(type)).map((type) =>
    type === 'EOF' ? '<EOF>' : NAMES.has(type) ? type : `'${type}'`,
  )
  const list = names.length === 1 ? names[0] : `{${names.join(', ')}}`
  return at(illegalArgument(`unexpected token [${display(token)}] was expecting one of [${list}].`), token)
}

function at(error: JavaThrowable, token: Token): JavaThrowable {
  error.offset = token.at
  return error
}
