/** The functions of `MovingFunctions`. Most scripts of `moving_fn` are one call of them, which needs no compiler. */

import { type JArray, registerStatics } from '../../painless/index.ts'

export type MovingFunction = (values: readonly number[]) => number

/** `f(values, …)`: the functions by name, with the numbers given behind the values. */
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
    // The weights add up from one, so that even a single value is drawn towards zero; Elasticsearch has it so.
    let weights = 1
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

/** Reads `MovingFunctions.f(values, 0.5)`; an argument may be a call itself. Undefined for any other script. */
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

/** How many arguments each takes. */
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

/** The same for scripts that do more than call one of them. */
registerStatics(
  'org.elasticsearch.search.aggregations.pipeline.MovingFunctions',
  Object.fromEntries(
    Object.entries(ARITIES).map(([name, arity]) => [
      `${name}_${arity}`,
      (values: JArray, ...numbers: number[]) => FUNCTIONS[name]!(values.items as number[], ...numbers),
    ]),
  ),
)
