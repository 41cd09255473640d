/**
 * Scans the text of a configuration and records the furthest position at which something was expected. The author of
 * the file has to look there, and not where the parser finally gave up.
 */
import type { Position } from './syntax-tree.ts'

export class Scanner {
  readonly source: string
  readonly file: string | undefined
  at = 0
  furthest = 0
  readonly #expected = new Set<string>()

  constructor(source: string, file: string | undefined) {
    this.source = source
    this.file = file
  }

  position(offset = this.at): Position {
    return { file: this.file, source: this.source, offset }
  }

  get expected(): readonly string[] {
    return [...this.#expected]
  }

  get atEnd(): boolean {
    return this.at >= this.source.length
  }

  /** Consumes exact text. */
  take(text: string): boolean {
    if (this.source.startsWith(text, this.at)) {
      this.at += text.length
      return true
    }
    this.expect(`"${text}"`)
    return false
  }

  /** Consumes the match of a sticky expression. `what` names it in messages. */
  match(pattern: RegExp, what: string): string | undefined {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.source)
    if (match === null) {
      this.expect(what)
      return undefined
    }
    this.at += match[0].length
    return match[0]
  }

  expect(what: string, offset = this.at): void {
    if (offset < this.furthest) return
    if (offset > this.furthest) {
      this.furthest = offset
      this.#expected.clear()
    }
    this.#expected.add(what)
  }

  /** Skips white space and comments. Returns whether there were any. */
  skip(): boolean {
    const start = this.at
    SKIP.lastIndex = this.at
    this.at += SKIP.exec(this.source)![0].length
    // White space and comments are always possible at this position, so both are listed as expected.
    this.expect('[ \\t\\r\\n]')
    this.expect('"#"')
    return this.at > start
  }

  /** Skips white space only, not comments. */
  blanks(): boolean {
    return this.match(/[ \t\r\n]+/y, '[ \\t\\r\\n]') !== undefined
  }
}

const SKIP = /(?:[ \t\r\n]+|#[^\r\n]*(?:\r?\n|$|\r))*/y
