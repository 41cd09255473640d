/** The functions of `MovingFunctions`. Most scripts of `moving_fn` are a single call, which needs no compiler. */

import { illegalArgument } from '../../../base/api-error.ts'
import type { Implementation, JArray } from '../../painless/index.ts'

export type MovingFunction = (values: readonly number[]) => number

/** `f(values, …)`: the functions by name, with the numeric arguments after the values. */
const FUNCTIONS: Readonly<Record<string, (values: readonly number[], ...numbers: number[]) => number>> = {
  max: (values) => (values.length === 0 ? Number.NaN : Math.max(...values)),
  min: (values) => (values.length === 0 ? Number.NaN : Math.min(...values)),
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  unweightedAvg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  stdDev(values, mean = Number.NaN) {
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    return Math.sqrt(squares / values.length)
  },
  linearWeightedAvg(values) {
    if (values.length === 0) return Number.NaN
    let sum = 0
    let weights = 0
    for (const [i, value] of values.entries()) {
      sum += value * (i + 1)
      weights += i + 1
    }
    return sum / weights
  },
  ewma(values, alpha = 0.3) {
    let mean = Number.NaN
    for (const value of values) mean = Number.isNaN(mean) ? value : value * alpha + mean * (1 - alpha)
    return mean
  },
  holt(values, alpha = 0.3, beta = 0.1) {
    let level = Number.NaN
    let trend = 0
    for (const value of values) {
      if (Number.isNaN(level)) {
        level = value
        continue
      }
      const before = level
      level = alpha * value + (1 - alpha) * (before + trend)
      trend = beta * (level - before) + (1 - beta) * trend
    }
    return level
  },
}

/** Holt-Winters: a level, a trend and a season of `period` values, each followed exponentially; forecasts the next value. */
function holtWinters(
  values: readonly number[],
  alpha: number,
  beta: number,
  gamma: number,
  period: number,
  multiplicative: boolean,
): number {
  if (values.length === 0) return Number.NaN
  if (values.length < 2 * period) {
    throw illegalArgument(
      `Holt-Winters aggregation requires at least (2 * period == 2 * ${period} == ${2 * period}) data-points to function.  ` +
        `Only [${values.length}] were provided.`,
    )
  }
  // A product with zero would end the season for good.
  const padding = multiplicative ? 1e-10 : 0
  const padded = values.map((value) => value + padding)
  let level = 0
  let trend = 0
  for (let i = 0; i < period; i++) {
    level += padded[i]!
    trend += (padded[i + period]! - padded[i]!) / period
  }
  level /= period
  trend /= period
  let lastLevel = level
  let lastTrend = 0
  const season = padded.map((value, i) => (i < period && level !== 0 ? value / level : 0))
  for (let i = period; i < padded.length; i++) {
    const value = padded[i]!
    const before = season[i - period]!
    level = alpha * (multiplicative ? value / before : value - before) + (1 - alpha) * (lastLevel + lastTrend)
    trend = beta * (level - lastLevel) + (1 - beta) * lastTrend
    season[i] =
      gamma * (multiplicative ? value / (lastLevel + lastTrend) : value - (lastLevel - lastTrend)) +
      (1 - gamma) * before
    lastLevel = level
    lastTrend = trend
  }
  const last = season[values.length - period]!
  return multiplicative ? (level + trend) * last : level + trend + last
}

/** Parses `MovingFunctions.f(values, 0.5)`; an argument may itself be a call. Undefined for any other script. */
export function movingFunction(script: string): MovingFunction | undefined {
  const text = script
    .trim()
    .replace(/^return\s+/, '')
    .replace(/;\s*$/, '')
  let at = 0
  const skip = () => {
    while (text[at] === ' ') at++
  }
  const expression = (): MovingFunction | undefined => {
    skip()
    const call = /^MovingFunctions\.(\w+)\s*\(\s*values\s*/.exec(text.slice(at))
    const number = /^-?\d+(?:\.\d+)?/.exec(text.slice(at))
    if (call === null) {
      if (number === null) return undefined
      at += number[0].length
      const constant = Number(number[0])
      return () => constant
    }
    const compute = FUNCTIONS[call[1]!]
    if (compute === undefined) return undefined
    at += call[0].length
    const more: MovingFunction[] = []
    while (text[at] === ',') {
      at++
      const argument = expression()
      if (argument === undefined) return undefined
      more.push(argument)
      skip()
    }
    if (text[at++] !== ')') return undefined
    return (values) => compute(values, ...more.map((argument) => argument(values)))
  }
  const parsed = expression()
  skip()
  return at === text.length ? parsed : undefined
}

/** The number of arguments of each function. */
const ARITIES: Readonly<Record<string, number>> = {
  max: 1,
  min: 1,
  sum: 1,
  unweightedAvg: 1,
  stdDev: 2,
  linearWeightedAvg: 1,
  ewma: 2,
  holt: 3,
}

/** The same functions for scripts that do more than a single call. */
export function movingStatics(): Readonly<Record<string, Implementation>> {
  return {
    ...Object.fromEntries(
      Object.entries(ARITIES).map(([name, arity]) => [
        `${name}_${arity}`,
        (values: JArray, ...numbers: number[]) => FUNCTIONS[name]!(values.items as number[], ...numbers),
      ]),
    ),
    holtWinters_6: (
      values: JArray,
      alpha: number,
      beta: number,
      gamma: number,
      period: number,
      multiplicative: boolean,
    ) => holtWinters(values.items as number[], alpha, beta, gamma, period, multiplicative),
  }
}
