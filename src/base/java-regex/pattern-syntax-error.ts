/**
 * The message of `java.util.regex.PatternSyntaxException`: the problem, its position, the pattern, and a caret below
 * the position.
 */
export class PatternSyntaxError extends Error {
  readonly description: string
  readonly index: number
  readonly pattern: string

  constructor(description: string, pattern: string, index: number) {
    const caret = index >= 0 && index < pattern.length ? `\n${' '.repeat(index)}^` : ''
    super(`${description}${index >= 0 ? ` near index ${index}` : ''}\n${pattern}${caret}`)
    this.description = description
    this.index = index
    this.pattern = pattern
  }
}
