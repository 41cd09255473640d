/** `moving_fn`: a script over the values in a window before each bucket. */

import { illegalArgument } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { javaArray } from '../../painless/index.ts'
import { ACCEPTS_NUMBER } from '../../request/request-reader.ts'
import { readScript } from '../../request/script.ts'
import { compile } from '../../scripts/compile-script.ts'
import type { Script } from '../../scripts/script.ts'
import type { Bucket } from '../aggregation.ts'
import type { PipelineKind } from '../aggregation-kind.ts'
import { type MovingFunction, movingFunction } from './moving-functions.ts'
import { readPipeline } from './pipeline-grammar.ts'
import { NumberSeries, type SeriesPipeline } from './series.ts'

class MovingFn extends NumberSeries {
  readonly kind = 'moving_fn'
  readonly #window: number
  readonly #shift: number
  readonly #script: Script

  constructor(
    options: { window: number; shift: number; script: Script },
    ...parts: ConstructorParameters<typeof SeriesPipeline>
  ) {
    super(...parts)
    this.#window = options.window
    this.#shift = options.shift
    this.#script = options.script
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
    const compute = this.#function()
    const within = (place: number) => Math.min(Math.max(place, 0), values.length)
    for (const [i, bucket] of valued.entries()) {
      const from = within(i - this.#window + this.#shift)
      set(bucket, compute(values.slice(from, within(i + this.#shift))))
    }
  }

  #function(): MovingFunction {
    const { source, params } = this.#script
    const known = source === undefined ? undefined : movingFunction(source)
    if (known !== undefined) return known
    const script = compile(this.#script, 'moving-function').newInstance({ params })
    return (values) => {
      script.set('values', javaArray('double[]', [...values]))
      return script.execute() as number
    }
  }
}

export const movingFnKind: PipelineKind = {
  name: 'moving_fn',
  parse(reader, name) {
    let window: number | undefined
    let shift = 0
    let script: Script | undefined
    const settings = readPipeline(reader, name, (member) => {
      const isNumber = ACCEPTS_NUMBER.includes(reader.token)
      if (member === 'window' && isNumber) window = reader.integer()
      else if (member === 'shift' && isNumber) shift = reader.integer()
      else if (member === 'script' && (reader.token === STRING || reader.token === START_OBJECT))
        script = readScript(reader)
      else return false
      return true
    })
    if (window === undefined || script === undefined) {
      throw requiredMember(window === undefined ? 'window' : 'script')
    }
    if (window <= 0) {
      const cause = illegalArgument('[window] must be a positive, non-zero integer.')
      throw reader.contentError('Failed to build [moving_fn] after last required field arrived', cause)
    }
    const options = { window, shift, script }
    return (meta) => new MovingFn(options, name, meta, settings)
  },
}
