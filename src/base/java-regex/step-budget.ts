/**
 * Limits the work of regular expressions. A step is about one examined character; tens of millions of steps take a
 * second. Several matches can share a budget: steps that one match uses are not available to the next.
 */
export class StepBudget {
  remaining: number
  private readonly error: (pattern: string) => Error

  /** `error` creates the error thrown when the budget is exhausted. */
  constructor(steps: number, error: (pattern: string) => Error = tooCostly) {
    this.remaining = steps
    this.error = error
  }

  /** Throws when fewer than `steps` are left. */
  spend(steps: number, pattern: string): void {
    this.remaining -= steps
    if (this.remaining < 0) throw this.error(pattern)
  }
}

const tooCostly = (pattern: string) =>
  new Error(`The regular expression [${pattern.slice(0, 1_000)}] needs too many steps for this text`)
