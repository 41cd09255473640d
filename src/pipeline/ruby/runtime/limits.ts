/**
 * Limits on the code that runs for one event. Code that does not end, or that fills the memory, is stopped with an
 * error that its own `rescue` cannot catch. The event is tagged and the pipeline continues.
 */

/** Maximum number of calls and loop iterations. */
const STEPS_MAX = 50_000_000
/** Number of steps between two checks of the clock. */
const STEPS_BETWEEN = 200_000
/** Maximum time of the code for one event. */
const TIME_MAX_MS = 3000
/** Maximum characters of strings and items of arrays that the code for one event creates. */
const UNITS_MAX = 200_000_000
/** Maximum characters of one string, or items of one array. */
export const LENGTH_MAX = 50_000_000
/** Maximum bits of one integer. */
const BITS_MAX = 4_000_000

/** `steps` counts down to the next check of the clock. `line` is the line that is running. */
export const meter = { steps: STEPS_BETWEEN, units: UNITS_MAX, line: 0 }
let looks = 0
let looksMax = STEPS_MAX / STEPS_BETWEEN
let startedMs = 0
let unitsMax = UNITS_MAX

export class LimitError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LimitError'
  }
}

/** Resets all limits. Must be called for every event. */
export function resetLimits(): void {
  meter.steps = STEPS_BETWEEN
  meter.units = unitsMax
  looks = 0
  startedMs = 0
}

/** Changes the time limit, for tests. */
export function tightenLimits(steps: number, units: number): void {
  looksMax = steps / STEPS_BETWEEN
  unitsMax = units
}

export function step(): void {
  if (--meter.steps < 0) lookAtClock()
}

/** Accounts for work that takes as long as this many steps. */
export function spend(steps: number): void {
  meter.steps -= steps
  if (meter.steps < 0) lookAtClock()
}

function lookAtClock(): void {
  const nowMs = performance.now()
  if (startedMs === 0) startedMs = nowMs
  looks += 1 + Math.floor(-meter.steps / STEPS_BETWEEN)
  if (looks > looksMax || nowMs - startedMs > TIME_MAX_MS) {
    // The limit stays exceeded, so that `ensure` blocks cannot run further.
    meter.steps = -1
    throw new LimitError('the code was stopped because it takes too long')
  }
  meter.steps = STEPS_BETWEEN
}

/** Accounts for a string or an array of this length. */
export function charge(length: number): void {
  if (length > LENGTH_MAX)
    throw new LimitError(`the code was stopped: a value of ${length} characters or items is too large`)
  meter.units -= length
  if (meter.units < 0) throw new LimitError('the code was stopped because of the memory it takes')
}

export function chargeBits(bits: number): void {
  if (bits > BITS_MAX) throw new LimitError('the code was stopped because of the size of a number')
  if (bits > 1000) spend(Math.ceil(bits / 50))
}
