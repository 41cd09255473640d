/**
 * How much work a regular expression may do. A step is about one character that is looked at; some tens of millions take a second.
 * One budget can serve many matches: what the first uses is not there for the next.
 */
export class StepBudget {
  remaining: number
  private readonly error: (pattern: string) => Error

  /** `error` makes what is thrown when the budget is used up. */
  constructor(steps: number, error: (pattern: string) => Error = tooCostly) {
    this.remaining = steps
    this.error = error
  }

  /** Throws when less than `steps` are left. */
  spend(steps: number, pattern: string): void {
    this.remaining -= steps
    if (this.remaining < 0) throw this.error(pattern)
  }
}

const tooCostly = (pattern: string) =>
  new Error(`The regular expression [${pattern.slice(0, 1_000)}] needs too many steps for this text`)
