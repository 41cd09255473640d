/** Java's ParseException: what is wrong with an expression, and where. */
export class ExpressionSyntaxError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}
