/**
 * What the code of one event may cost. Code that goes on for ever, or that fills the memory, ends with an error that no `rescue` in it can
 * catch; the event is tagged and the pipeline goes on.
 */

/** Calls and rounds of loops. */
const STEPS_MAX = 50_000_000
/** The clock is looked at after so many steps. */
const STEPS_BETWEEN = 200_000
/** How long the code of one event may take. */
const TIME_MAX_MS = 3000
/** Characters of texts and items of arrays made by the code of one event. */
const UNITS_MAX = 200_000_000
/** Characters of one text, items of one array. */
export const LENGTH_MAX = 50_000_000
/** Bits of one integer. */
const BITS_MAX = 4_000_000

/** `steps` counts down to the next look at the clock. `line` is the line that runs. */
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

/** Begins a new account, for every event. */
export function resetLimits(): void {
  meter.steps = STEPS_BETWEEN
  meter.units = unitsMax
  looks = 0
  startedMs = 0
}

/** For tests, where three seconds are long. */
export function tightenLimits(steps: number, units: number): void {
  looksMax = steps / STEPS_BETWEEN
  unitsMax = units
}

export function step(): void {
  if (--meter.steps < 0) lookAtClock()
}

/** Accounts for work that takes as long as so many steps. */
export function spend(steps: number): void {
  meter.steps -= steps
  if (meter.steps < 0) lookAtClock()
}

function lookAtClock(): void {
  const nowMs = performance.now()
  if (startedMs === 0) startedMs = nowMs
  looks += 1 + Math.floor(-meter.steps / STEPS_BETWEEN)
  if (looks > looksMax || nowMs - startedMs > TIME_MAX_MS) {
    // Whatever runs on the way out must not get another account.
    meter.steps = -1
    throw new LimitError('the code was stopped because it takes too long')
  }
  meter.steps = STEPS_BETWEEN
}

/** Accounts for a text or an array of that length. */
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
