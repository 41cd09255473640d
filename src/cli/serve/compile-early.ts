import { setFlagsFromString } from 'node:v8'

/**
 * How much a function runs, in bytes of its code, before V8 looks whether it is worth compiling. By default that is several times
 * as much: a service that has just started then answers its first thousands of searches at half its speed. Much less would
 * compile functions before it is known what they are called with.
 */
const INTERRUPT_BUDGET_BYTES = 30_000

/** Makes all threads of the process fast sooner, for some ten megabytes of code. */
export function compileEarly(): void {
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET_BYTES}`)
}
