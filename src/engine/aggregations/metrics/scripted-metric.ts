/**
 * `scripted_metric`: scripts that collect a state over documents, combine it per shard and reduce the states of all
 * shards.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { scriptFieldsOf } from '../../mapping/runtime-field-types.ts'
import { fromJava, type ScriptInstance, toJava } from '../../painless/index.ts'
import { ACCEPTS_OBJECT } from '../../request/request-reader.ts'
import { scriptMember } from '../../request/script.ts'
import { checkGuard } from '../../runtime-fields/evaluation-guard.ts'
import { compile } from '../../scripts/compile-script.ts'
import { DocumentScript } from '../../scripts/document-script.ts'
import type { Script } from '../../scripts/script.ts'
import { scriptEnvironment } from '../../scripts/script-environment.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'

interface Scripts {
  readonly init: Script | undefined
  readonly map: Script
  readonly combine: Script | undefined
  readonly reduce: Script | undefined
  readonly params: Readonly<Record<string, unknown>>
}

/** States of shards as plain values; after the reduction the final value. */
interface MetricResult {
  readonly states: readonly unknown[]
  readonly value: unknown
}

class ScriptedMetric extends Aggregation<MetricResult> {
  override readonly kind = 'scripted_metric'
  readonly #scripts: Scripts

  constructor(scripts: Scripts, parts: AggregationParts) {
    super(parts)
    this.#scripts = scripts
  }

  override plan(context: AggregationContext): ShardAggregator<MetricResult> {
    const { combine, reduce } = this.#scripts
    if (combine === undefined) throw illegalArgument(`[combine_script] must not be null: [${this.name}]`)
    if (reduce === undefined) throw illegalArgument(`[reduce_script] must not be null: [${this.name}]`)
    this.#checkAllowed()
    return new MetricAggregator(context, this.#scripts, combine)
  }

  /** `search.aggs.only_allowed_metric_scripts` */
  #checkAllowed(): void {
    const allowed = scriptEnvironment().settings.metricScripts
    if (allowed === undefined) return
    const { init, map, combine, reduce } = this.#scripts
    for (const [name, script] of Object.entries({ init, map, combine, reduce })) {
      if (script === undefined) continue
      const listed =
        script.id === undefined ? allowed.inline.includes(script.source!) : allowed.stored.includes(script.id)
      if (!listed) throw illegalArgument(`[${name}_script] contains not allowed script: [${this.name}]`)
    }
  }

  override reduce(results: readonly MetricResult[]): MetricResult {
    const states = results.flatMap((result) => result.states)
    const { reduce, params } = this.#scripts
    const own = { ...params, ...reduce!.params }
    const instance = compile(reduce!, 'aggs_reduce').newInstance({ params: own })
    instance.set('states', toJava(states))
    return { states, value: fromJava(instance.execute(), 'reduce script') }
  }

  override empty(): MetricResult {
    return { states: [], value: null }
  }

  override print({ value }: MetricResult): Record<string, unknown> {
    return { value }
  }

  override value({ value }: MetricResult, property: string | undefined): number | undefined {
    // Not a metric of one number to Elasticsearch: its value has to be named.
    if (property !== 'value') return undefined
    if (value instanceof Double) return value.value
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
  }
}

/** The parameters of the aggregation and of a script of a shard, which must have different names. */
function merged(params: Scripts['params'], script: Script): Scripts['params'] {
  for (const name of Object.keys(script.params)) {
    if (!Object.hasOwn(params, name)) continue
    throw illegalArgument(`Parameter name "${name}" used in both aggregation and script parameters`)
  }
  return { ...params, ...script.params }
}

const CHECKED_DOCS = 1024

class MetricAggregator implements ShardAggregator<MetricResult> {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #scripts: Scripts
  readonly #map: DocumentScript
  readonly #combine: ScriptInstance
  readonly #init: ScriptInstance | undefined
  readonly #states = new Map<number, unknown>()
  #seen = 0

  constructor(context: AggregationContext, scripts: Scripts, combine: Script) {
    const { init, map, params } = scripts
    this.#context = context
    this.#scripts = scripts
    this.#init = init && compile(init, 'aggs_init').newInstance({ params: merged(params, init) })
    const mapped = { ...map, params: merged(params, map) }
    this.#map = new DocumentScript(mapped, 'aggs_map', scriptFieldsOf(context.shard.mapping))
    this.#combine = compile(combine, 'aggs_combine').newInstance({ params: merged(params, combine) })
    this.needsScores = this.#map.readsScore
  }

  segment(view: SegmentView): SegmentCollector {
    const open = this.#map.open(view.reader)
    return {
      collect: (docs, buckets, count) => {
        const scores = this.#context.scores.segment
        for (let i = 0; i < count; i++) {
          if (++this.#seen % CHECKED_DOCS === 0) checkGuard(1)
          open.set('state', this.#state(buckets[i]!))
          open.run(docs[i]!, scores?.[docs[i]!] ?? 0)
        }
      },
    }
  }

  #state(bucket: number): unknown {
    let state = this.#states.get(bucket)
    if (state !== undefined) return state
    state = toJava({})
    this.#states.set(bucket, state)
    this.#init?.set('state', state)
    this.#init?.execute()
    if (this.#init !== undefined) fromJava(state, 'Scripted metric aggs init script')
    return state
  }

  finish(): void {}

  result(bucket: number): MetricResult {
    if (!this.#states.has(bucket) && this.#scripts.init === undefined && bucket > 0)
      return { states: [null], value: null }
    const state = this.#state(bucket)
    fromJava(state, 'Scripted metric aggs map script')
    this.#combine.set('state', state)
    return { states: [fromJava(this.#combine.execute(), 'Scripted metric aggs combine script')], value: null }
  }
}

export const scriptedMetricKind: AggregationKind = {
  name: 'scripted_metric',
  hasChildren: false,
  parse(reader) {
    const scripts: { -readonly [K in keyof Scripts]?: Scripts[K] } = {}
    const member = (name: 'init' | 'map' | 'combine' | 'reduce') =>
      scriptMember(reader, (script) => {
        scripts[name] = script
      })
    reader.parseObject('scripted_metric', {
      init_script: member('init'),
      map_script: member('map'),
      combine_script: member('combine'),
      reduce_script: member('reduce'),
      params: {
        accepts: ACCEPTS_OBJECT,
        parse: () => {
          scripts.params = reader.decimalValue() as Record<string, unknown>
        },
      },
    })
    const { init, map, combine, reduce, params = {} } = scripts
    if (map === undefined) throw illegalArgument('Required [map_script]')
    return (parts) => new ScriptedMetric({ init, map, combine, reduce, params }, parts)
  },
}
