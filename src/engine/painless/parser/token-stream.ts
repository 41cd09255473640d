/** The tokens of a source with a cursor, and the two kinds of syntax errors. */
import { illegalArgument, throwable } from '../errors/java-throwable.ts'
import type { Token } from '../lexer/token.ts'

export class TokenStream {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!
  }

  next(): Token {
    const token = this.peek()
    this.#at++
    return token
  }

  is(type: string, ahead = 0): boolean {
    return this.peek(ahead).type === type
  }

  accept(type: string): boolean {
    if (!this.is(type)) return false
    this.#at++
    return true
  }

  /** Takes the next token, which must have this type. */
  expect(type: string, shown = `'${type}'`): Token {
    if (!this.is(type)) throw this.mismatch(shown)
    return this.next()
  }

  /** The error for an unexpected token if the grammar expects exactly one thing. */
  mismatch(expected: string) {
    return failure(this.peek().at, `unexpected token [${display(this.peek())}] was expecting one of [${expected}].`)
  }

  /** The error if no alternative of the grammar matches. */
  noAlternative(ahead = 0) {
    const token = this.peek(ahead)
    if (token.type === 'EOF') return failure(token.at, 'unexpected end of script.', NO_ALTERNATIVE)
    return failure(token.at, `invalid sequence of tokens near [${display(token)}].`, NO_ALTERNATIVE)
  }
}

function display(token: Token): string {
  if (token.type === 'EOF') return "'<EOF>'"
  const text = token.text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `'${text}'`
}

/** Elasticsearch shows the exception of its parser as the cause. */
const NO_ALTERNATIVE = 'org.antlr.v4.runtime.NoViableAltException'

function failure(at: number, message: string, cause?: string) {
  const error = illegalArgument(message, cause === undefined ? undefined : throwable(cause))
  error.offset = at
  return error
}
