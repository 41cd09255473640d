/**
 * `moving_fn`: a function over the values in a window before each bucket. The functions are those of `MovingFunctions`, called by
 * name; anything more would be a script.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { END_OBJECT, INTEGER, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import type { Bucket } from '../aggregation.ts'
import type { PipelineKind } from '../aggregation-kind.ts'
import { readPipeline } from './pipeline-grammar.ts'
import { NumberSeries, type SeriesPipeline } from './series.ts'

type MovingFunction = (values: readonly number[]) => number

class MovingFn extends NumberSeries {
  readonly kind = 'moving_fn'
  readonly #window: number
  readonly #shift: number
  readonly #function: MovingFunction

  constructor(
    options: { window: number; shift: number; compute: MovingFunction },
    ...parts: ConstructorParameters<typeof SeriesPipeline>
  ) {
    super(...parts)
    this.#window = options.window
    this.#shift = options.shift
    this.#function = options.compute
  }

  protected override along(
    buckets: readonly Bucket[],
    numberOf: (bucket: Bucket) => number | undefined,
    set: (bucket: Bucket, result: number) => void,
  ): void {
    const valued: Bucket[] = []
    const values: number[] = []
    for (const bucket of buckets) {
      const value = numberOf(bucket)
      if (value === undefined || Number.isNaN(value)) continue
      valued.push(bucket)
      values.push(value)
    }
    const within = (place: number) => Math.min(Math.max(place, 0), values.length)
    for (const [i, bucket] of valued.entries()) {
      const from = within(i - this.#window + this.#shift)
      set(bucket, this.#function(values.slice(from, within(i + this.#shift))))
    }
  }
}

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

/** Reads `MovingFunctions.f(values, 0.5)`; an argument may be a call itself. */
function parseFunction(script: string): MovingFunction {
  const text = script
    .trim()
    .replace(/^return\s+/, '')
    .replace(/;\s*$/, '')
  let at = 0
  const skip = () => {
    while (text[at] === ' ') at++
  }
  const expression = (): MovingFunction => {
    skip()
    const call = /^MovingFunctions\.(\w+)\s*\(\s*values\s*/.exec(text.slice(at))
    const number = /^-?\d+(?:\.\d+)?/.exec(text.slice(at))
    if (call === null) {
      if (number === null) throw notAFunction()
      at += number[0].length
      const constant = Number(number[0])
      return () => constant
    }
    const compute = FUNCTIONS[call[1]!]
    if (compute === undefined) throw notAFunction()
    at += call[0].length
    const more: MovingFunction[] = []
    while (text[at] === ',') {
      at++
      more.push(expression())
      skip()
    }
    if (text[at++] !== ')') throw notAFunction()
    return (values) => compute(values, ...more.map((argument) => argument(values)))
  }
  const parsed = expression()
  skip()
  if (at !== text.length) throw notAFunction()
  return parsed
}

const notAFunction = () => illegalArgument('script_lang not supported [painless]')

function readScript(reader: RequestReader): string {
  if (reader.token === STRING) return reader.text()
  let source = ''
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (member === 'source') source = reader.text()
    else reader.skipChildren()
  }
  return source
}

export const movingFnKind: PipelineKind = {
  name: 'moving_fn',
  parse(reader, name) {
    let window: number | undefined
    let shift = 0
    let script: string | undefined
    const settings = readPipeline(reader, name, (member) => {
      if (member === 'window' && reader.token === INTEGER) window = reader.integer()
      else if (member === 'shift' && reader.token === INTEGER) shift = reader.integer()
      else if (member === 'script' && (reader.token === STRING || reader.token === START_OBJECT))
        script = readScript(reader)
      else return false
      return true
    })
    if (window === undefined || script === undefined) {
      throw illegalArgument(`Required [${window === undefined ? 'window' : 'script'}]`)
    }
    if (window <= 0) throw illegalArgument('[window] must be a positive, non-zero integer.')
    const options = { window, shift, compute: parseFunction(script) }
    return (meta) => new MovingFn(options, name, meta, settings)
  },
}
