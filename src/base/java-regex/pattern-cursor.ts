/** The text of a pattern and the current position in it. */
import { PatternSyntaxError } from './pattern-syntax-error.ts'

export class PatternCursor {
  readonly pattern: string
  at = 0

  constructor(pattern: string) {
    this.pattern = pattern
  }

  get isDone(): boolean {
    return this.at >= this.pattern.length
  }

  /** The code point at the current position, or -1 at the end. */
  peek(): number {
    return this.pattern.codePointAt(this.at) ?? -1
  }

  looksAt(text: string): boolean {
    return this.pattern.startsWith(text, this.at)
  }

  /** Consumes `text` if it comes next. */
  take(text: string): boolean {
    if (!this.looksAt(text)) return false
    this.at += text.length
    return true
  }

  /** Consumes and returns the next code point; -1 at the end. */
  next(): number {
    const codePoint = this.peek()
    if (codePoint >= 0) this.at += codePoint > 0xffff ? 2 : 1
    return codePoint
  }

  /** Skips whitespace and comments, which are ignored under the COMMENTS flag. */
  skipComments(): void {
    for (;;) {
      const char = this.pattern[this.at]
      if (char === undefined) return
      if (char === '#') {
        while (!this.isDone && !/[\n\r\u0085\u2028\u2029]/.test(this.pattern[this.at]!)) this.at++
      } else if (/[ \t-\r]/.test(char)) this.at++
      else return
    }
  }

  error(description: string, index = this.at): PatternSyntaxError {
    return new PatternSyntaxError(description, this.pattern, index)
  }
}
