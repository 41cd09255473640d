/** The intervals of `auto_date_histogram`: calendar units, and the allowed multiples of each. */
import { type CalendarUnit, calendarRounding, type Rounding } from '../../time/rounding.ts'
import type { TimeZone } from '../../time/zone/time-zone.ts'

export interface IntervalStep {
  readonly unit: CalendarUnit
  /** The unit in the response, after a number. */
  readonly letter: string
  /** The approximate length of the unit. */
  readonly roughMs: number
  readonly multiples: readonly number[]
  readonly rounding: Rounding
}

const DAY_MS = 86_400_000

const STEPS: readonly Omit<IntervalStep, 'rounding'>[] = [
  { unit: 'second', letter: 's', roughMs: 1000, multiples: [1, 5, 10, 30] },
  { unit: 'minute', letter: 'm', roughMs: 60_000, multiples: [1, 5, 10, 30] },
  { unit: 'hour', letter: 'h', roughMs: 3_600_000, multiples: [1, 3, 12] },
  { unit: 'day', letter: 'd', roughMs: DAY_MS, multiples: [1, 7] },
  { unit: 'month', letter: 'M', roughMs: 30 * DAY_MS, multiples: [1, 3] },
  { unit: 'year', letter: 'y', roughMs: 365 * DAY_MS, multiples: [1, 5, 10, 20, 50, 100] },
]

export const STEP_UNITS: readonly string[] = STEPS.map(({ unit }) => unit)

/** The steps in a time zone, starting with the smallest allowed. */
export function intervalSteps(zone: TimeZone | undefined, smallest: string | undefined): readonly IntervalStep[] {
  const from = smallest === undefined ? 0 : STEP_UNITS.indexOf(smallest)
  return STEPS.slice(from).map((step) => ({ ...step, rounding: calendarRounding(step.unit, { zone }) }))
}

const largest = ({ multiples }: IntervalStep) => multiples.at(-1)!

/** The first step from `from` on that needs at most `target` buckets of its largest multiple for a time range. */
export function stepFor(
  steps: readonly IntervalStep[],
  from: number,
  minMs: number,
  maxMs: number,
  target: number,
): number {
  for (let at = from; at < steps.length - 1; at++) {
    const step = steps[at]!
    const allowed = target * largest(step)
    // A rough count first, because counting the seconds of a century takes long.
    if ((maxMs - minMs) / step.roughMs > 2 * allowed + 2) continue
    let needed = 0
    for (let key = minMs; key < maxMs && needed <= allowed; key = step.rounding.nextRoundingValue(key)) needed++
    if (needed <= allowed) return at
  }
  return steps.length - 1
}

/** The multiple of the unit that reduces `count` buckets to at most `target`. */
export function multipleFor(step: IntervalStep, count: number, target: number): number {
  if (count <= target) return 1
  return step.multiples.find((multiple) => Math.ceil(count / multiple) <= target) ?? 1
}

/** Whether even the largest multiple of the step leaves more than the target number of buckets. */
export function isTooFine(step: IntervalStep, count: number, target: number): boolean {
  return count > target * largest(step)
}
