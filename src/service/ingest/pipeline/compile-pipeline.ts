/** Compiles a pipeline definition. */
import { ApiError, firstOfErrors } from '../../../base/api-error.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import { PROCESSOR_TYPES, PROCESSORS } from '../processors/registry.ts'
import { compileCondition } from './condition.ts'
import { configError, locatedError } from './config-errors.ts'
import { type Config, ConfigReader, configClass, isObject } from './config-reader.ts'
import { calledPipelines, type ProcessorSurroundings } from './processor.ts'
import { readScript } from './read-script.ts'
import { type PipelineRunner, runInner, type Step, StepCounters } from './step.ts'

export type PipelineSurroundings = Omit<ProcessorSurroundings, 'inner'>

/** The names of all processors, sorted. */
export function processorTypes(): readonly string[] {
  return PROCESSOR_TYPES
}

/** Throws a parse_exception, or the script_exception of one of its scripts. */
export function compilePipeline(id: string, config: Config, around: PipelineSurroundings): PipelineRunner {
  const reader = new ConfigReader(undefined as unknown as string, undefined, config)
  reader.optionalString('description')
  reader.optionalInt('version')
  reader.optionalMap('_meta')
  reader.boolean('deprecated', false)
  // Elasticsearch accepts these dates and returns them in responses.
  for (const name of ['created_date', 'created_date_millis', 'modified_date', 'modified_date_millis']) reader.take(name)
  const compiler = new StepCompiler(around)
  const steps = compiler.steps(reader.list('processors'))
  const onFailureConfigs = reader.optionalList('on_failure')
  const onFailure = compiler.steps(onFailureConfigs ?? [])
  if (reader.unread.length > 0) {
    const names = reader.unread.join(', ')
    throw configError({}, `pipeline [${id}] doesn't support one or more provided configuration parameters [${names}]`)
  }
  if (onFailureConfigs !== undefined && onFailure.length === 0) {
    throw configError({}, `pipeline [${id}] cannot have an empty on_failure option defined`)
  }
  return { id, steps, onFailure, counters: new StepCounters() }
}

class StepCompiler {
  readonly #around: ProcessorSurroundings

  constructor(around: PipelineSurroundings) {
    this.#around = { ...around, inner: (type, config) => this.#inner(type, config) }
  }

  /** Collects all errors. Throws the first, which lists the others. */
  steps(configs: readonly unknown[]): Step[] {
    const steps: Step[] = []
    const errors: ApiError[] = []
    for (const config of configs) {
      if (!isObject(config)) {
        throw configError({}, `property isn't a map, but of type [${configClass(config)}]`)
      }
      for (const [type, options] of Object.entries(config)) {
        try {
          steps.push(this.step(type, options))
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          errors.push(error)
        }
      }
    }
    if (errors.length > 0) throw firstOfErrors(errors)
    return steps
  }

  step(type: string, given: unknown): Step {
    if (given === null) throw configError({ type }, 'processor config cannot be [null]')
    const options = typeof given === 'string' && type === 'script' ? { source: given } : given
    if (!isObject(options)) {
      throw configError({ type }, `property isn't a map, but of type [${configClass(options)}]`)
    }
    // Errors in options that all processors have do not name the processor.
    const common = new ConfigReader(undefined as unknown as string, undefined, options)
    const tag = common.optionalString('tag')
    const factory = PROCESSORS.get(type)
    if (factory === undefined) throw configError({ type, tag }, `No processor type exists with name [${type}]`)
    const description = common.optionalString('description')
    const ignoresFailure = common.boolean('ignore_failure', false)
    const onFailureConfigs = common.optionalList('on_failure')
    const onFailure = this.steps(onFailureConfigs ?? [])
    const condition = common.take('if')
    const reader = new ConfigReader(type, tag, common.rest)
    if (onFailureConfigs !== undefined && onFailure.length === 0) {
      throw reader.error('on_failure', 'processors list cannot be empty')
    }
    if (condition !== undefined && typeof condition !== 'string' && !isObject(condition)) {
      const reason = `property isn't a map or string, but of type [${configClass(condition)}]`
      throw configError({ type: 'conditional', tag, property: 'script' }, reason)
    }
    const conditionScript = condition === undefined ? undefined : readScript(condition)
    try {
      const run = factory(reader, this.#around)
      if (reader.unread.length > 0) {
        const names = reader.unread.join(', ')
        throw reader.error(
          undefined,
          `processor [${type}] doesn't support one or more provided configuration parameters [${names}]`,
        )
      }
      return {
        type,
        tag,
        description,
        condition: conditionScript && compileCondition(conditionScript),
        ignoresFailure,
        onFailure,
        run,
        calls: calledPipelines.get(run),
        counters: new StepCounters(),
      }
    } catch (error) {
      throw locatedError(error, { type, tag })
    }
  }

  #inner(type: string, config: Config): (document: IngestDocument) => void {
    const step = this.step(type, config)
    return (document) => runInner(step, document)
  }
}
