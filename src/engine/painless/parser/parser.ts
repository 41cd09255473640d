/** Parses a whole script: functions first, then statements. */
import { JavaThrowable } from '../errors/java-throwable.ts'
import { readTokens } from '../lexer/lexer.ts'
import { StatementParser } from './statement-parser.ts'
import { syntaxError } from './syntax-error.ts'
import { TokenStream } from './token-stream.ts'
import type { FunctionTree, ScriptTree, Statement } from './tree.ts'

export function parseScript(source: string): ScriptTree {
  const { tokens, error } = readTokens(source)
  if (error !== undefined) throw syntaxError(tokens, error) ?? error
  try {
    return new ScriptParser(new TokenStream(tokens)).script()
  } catch (e) {
    if (!(e instanceof JavaThrowable)) throw e
    throw syntaxError(tokens) ?? e
  }
}

class ScriptParser extends StatementParser {
  script(): ScriptTree {
    const { at } = this.tokens.peek()
    const functions: FunctionTree[] = []
    while (this.isFunction()) functions.push(this.function())
    const statements: Statement[] = []
    this.checkFirstStatement()
    while (!this.tokens.is('EOF')) {
      if (statements.length > 0 && !this.startsStatement()) throw this.tokens.mismatch('<EOF>')
      statements.push(this.statement())
    }
    return { functions, body: { statements, at } }
  }

  /** `type name (` starts a function. A declaration has no parenthesis after the name. */
  private isFunction(): boolean {
    const length = this.typeLength(0)
    return length > 0 && this.tokens.is('ID', length) && this.tokens.is('(', length + 1)
  }

  /** Rejects a first statement that begins like a function but is neither a function nor a declaration. */
  private checkFirstStatement(): void {
    const length = this.typeLength(0)
    if (length === 0 || !this.tokens.is('ID', length)) return
    const after = this.tokens.peek(length + 1).type
    if (!['=', ',', ';', 'EOF'].includes(after)) throw this.tokens.noAlternative(length + 1)
  }

  private function(): FunctionTree {
    const at = this.tokens.peek().at
    const returns = this.type()
    const name = this.tokens.next().text
    this.tokens.expect('(')
    const params: FunctionTree['params'] = []
    if (!this.tokens.is(')')) {
      do {
        if (this.typeLength(0) === 0) throw this.tokens.noAlternative()
        params.push({ type: this.type(), name: this.tokens.expect('ID', 'ID').text })
      } while (this.tokens.accept(','))
    }
    this.tokens.expect(')', "{',', ')'}")
    const body = this.block()
    return { returns, name, params, body: { statements: body?.statements ?? [], at }, at }
  }
}
