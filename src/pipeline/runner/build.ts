/** Builds the plugins of a configuration's syntax tree. All problems are reported together. */
import { closestWords } from '../../base/suggest.ts'
import { compileCondition } from '../config/conditions.ts'
import { ConfigError, type ConfigProblem, lineAndColumn } from '../config/config-error.ts'
import { substituteVariables } from '../config/environment.ts'
import { type PluginLabel, type ResolveContext, resolveOptions } from '../config/option-values.ts'
import type { Statement as Node, PluginNode, Section, ValueNode } from '../config/syntax-tree.ts'
import type { Event } from '../event/event.ts'
import type { Codec, CodecPlugin } from '../plugin/codec-plugin.ts'
import { FILTER_OPTIONS, type FilterContext, type FilterPlugin } from '../plugin/filter-plugin.ts'
import { INPUT_OPTIONS, type Input, type InputPlugin } from '../plugin/input-plugin.ts'
import { type OptionTable, option } from '../plugin/options.ts'
import type { OutputPlugin } from '../plugin/output-plugin.ts'
import { type EcsMode, type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { adviceFor } from '../registry/absent-plugins.ts'
import { CODECS, FILTERS, INPUTS, OUTPUTS } from '../registry/registry.ts'
import { filterSuccess, inputDecoration } from './common-options.ts'
import type { FilterSource } from './filter-threads.ts'
import { type EventCounts, noEvents } from './metrics.ts'
import {
  assemble,
  type FilterStep,
  type Instruction,
  type OutputSlot,
  type OutputStep,
  type Statement,
} from './program.ts'
import { leaveOutReach, type ReachingPlugin, type ReachRule, refuseReach } from './reach.ts'
import type { PipelineSettings } from './settings.ts'

export interface InputSlot {
  readonly name: string
  readonly id: string
  readonly input: Input
  readonly decorate: ((event: Event) => void) | undefined
  /** `durationMs` is the time the input waited for room in the queue. */
  readonly counts: EventCounts
}

export interface BuiltPipeline {
  readonly inputs: readonly InputSlot[]
  readonly filters: readonly Instruction[]
  readonly outputs: readonly OutputSlot[]
  readonly routes: readonly Instruction[]
  /** The plugins whose fields depend on `pipeline.ecs_compatibility`, by the mode that they got. */
  readonly ecsModes: ReadonlyMap<EcsMode, readonly string[]>
  /** The files that contain the filters, for worker threads that build them too. */
  readonly filterSources: readonly FilterSource[]
}

/** Throws a `ConfigError` with every problem found. */
export async function buildPipeline(sections: readonly Section[], settings: PipelineSettings): Promise<BuiltPipeline> {
  const builder = new Builder(settings, refuseReach)
  await builder.load(sections)
  return builder.build(sections)
}

/**
 * Throws a `ConfigError` with the problems of plugins that will not run. Plugins are created, which reaches nothing by
 * itself; those with an option that reaches further than the settings allow are left out.
 */
export async function checkSections(sections: readonly Section[], settings: PipelineSettings): Promise<void> {
  const builder = new Builder(settings, leaveOutReach)
  await builder.load(sections)
  builder.build(sections)
}

const EVERY_PLUGIN = {
  id: option.string(),
  enable_metric: option.ignored('All plugins are counted.'),
  ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
} as const

const NO_LONGER_A_FILTER_OPTION = option.obsolete(
  'You can achieve this same behavior with the new conditionals, like: `if [type] == "sometype" { %PLUGIN% { ... } }`.',
)

const EVERY_FILTER = {
  ...FILTER_OPTIONS,
  type: NO_LONGER_A_FILTER_OPTION,
  tags: NO_LONGER_A_FILTER_OPTION,
  exclude_tags: NO_LONGER_A_FILTER_OPTION,
} as const

/** Every output accepts a codec, whether it uses one or not. */
const EVERY_OUTPUT = {
  codec: option.codec({ default: 'plain' }),
  workers: option.ignored('`pipeline.workers` says how many batches are under way.'),
} as const
const EVERY_INPUT = { ...INPUT_OPTIONS, codec: option.codec({ default: 'plain' }) } as const

interface Loaded {
  readonly input: Map<string, InputPlugin>
  readonly filter: Map<string, FilterPlugin>
  readonly output: Map<string, OutputPlugin>
  readonly codec: Map<string, CodecPlugin>
}

const LOADERS = { input: INPUTS, filter: FILTERS, output: OUTPUTS, codec: CODECS } as const

/** Plugins that were loaded before. A second `import()` would ask the module loader again, which costs more than building a plugin. */
const modules = new Map<() => Promise<unknown>, Promise<unknown>>()

class Builder {
  /** Data that plugins of this pipeline share (`PluginContext.shared`). */
  readonly #shared = new Map<string, unknown>()
  readonly #settings: PipelineSettings
  readonly #judgeReach: ReachRule
  readonly #problems: ConfigProblem[] = []
  readonly #loaded: Loaded = { input: new Map(), filter: new Map(), output: new Map(), codec: new Map() }
  readonly #ids = new Set<string>()
  readonly #outputs: OutputSlot[] = []
  readonly #inputs: InputSlot[] = []
  readonly #ecsModes = new Map<EcsMode, string[]>()
  #count = 0

  constructor(settings: PipelineSettings, judgeReach: ReachRule) {
    this.#settings = settings
    this.#judgeReach = judgeReach
  }

  /** Loads the modules of all plugins in the configuration, and of their default codecs. */
  async load(sections: readonly Section[]): Promise<void> {
    const wanted: [PluginLabel['kind'], string][] = []
    for (const { kind, body } of sections) {
      for (const node of pluginsOf(body)) {
        wanted.push([kind, node.name])
        for (const { value } of node.attributes) {
          const name = codecName(value)
          if (name !== undefined) wanted.push(['codec', substituteQuietly(name, this.#settings)])
        }
      }
    }
    await Promise.all(wanted.map(([kind, name]) => this.#loadOne(kind, name)))
    const defaults = [...this.#loaded.input.values(), ...this.#loaded.output.values()].flatMap(({ options }) =>
      Object.values(options).flatMap((spec) => (spec.kind === 'codec' ? [spec.default as unknown as string] : [])),
    )
    await Promise.all(['plain', ...defaults].map((name) => this.#loadOne('codec', name)))
  }

  async #loadOne(kind: PluginLabel['kind'], name: string): Promise<void> {
    const loaders = LOADERS[kind]
    if (!Object.hasOwn(loaders, name)) return
    const load = loaders[name]!
    const known = modules.get(load) ?? load()
    modules.set(load, known)
    this.#loaded[kind].set(name, (await known) as never)
  }

  build(sections: readonly Section[]): BuiltPipeline {
    const bodies = { filter: [] as Statement<FilterStep>[], output: [] as Statement<OutputStep>[] }
    for (const { kind, body } of sections) {
      if (kind === 'input') this.#buildInputs(body)
      else if (kind === 'filter') bodies.filter.push(...this.#body(body, (node) => this.#buildFilter(node)))
      else bodies.output.push(...this.#body(body, (node) => this.#buildOutput(node)))
    }
    if (this.#problems.length > 0) throw new ConfigError(this.#problems)
    return {
      inputs: this.#inputs,
      filters: assemble(bodies.filter),
      outputs: this.#outputs,
      routes: assemble(bodies.output),
      ecsModes: this.#ecsModes,
      filterSources: sourcesOf(sections.filter(({ kind }) => kind === 'filter')),
    }
  }

  #buildInputs(body: readonly Node[]): void {
    for (const node of body) {
      if (node.type === 'plugin') this.#buildInput(node)
      else this.#problems.push({ message: 'conditionals are not allowed in an input section', at: node.at })
    }
  }

  #body<S>(body: readonly Node[], build: (node: PluginNode) => S | undefined): Statement<S>[] {
    return body.flatMap((node): Statement<S>[] => {
      if (node.type === 'plugin') {
        const step = build(node)
        return step === undefined ? [] : [{ type: 'step', step }]
      }
      const arms = node.arms.map(({ condition, body: inner }) => ({
        condition: condition === undefined ? undefined : this.#condition(condition),
        body: this.#body(inner, build),
      }))
      return [{ type: 'branch', arms }]
    })
  }

  #condition(node: Parameters<typeof compileCondition>[0]) {
    try {
      return compileCondition(node, (text) => substituteVariables(text, this.#settings.environment))
    } catch (error) {
      if (error instanceof ConfigError) this.#problems.push(...error.problems)
      else this.#problems.push({ message: (error as Error).message, at: node.at })
      return () => false
    }
  }

  #buildInput(node: PluginNode): void {
    const label: PluginLabel = { kind: 'input', name: node.name }
    const made = this.#create(node, label, EVERY_INPUT, (plugin: InputPlugin, options, context) =>
      plugin.create(options as never, context),
    )
    if (made !== undefined) {
      const { plugin: input, id, options } = made
      this.#inputs.push({ name: node.name, id, input, decorate: inputDecoration(options), counts: noEvents() })
    }
  }

  #buildFilter(node: PluginNode): FilterStep | undefined {
    const label: PluginLabel = { kind: 'filter', name: node.name }
    let succeed: ((event: Event) => void) | undefined
    const made = this.#create(node, label, EVERY_FILTER, (plugin: FilterPlugin, options, context) => {
      succeed = filterSuccess(options)
      // The members are not read here: `ecs` notes its readers.
      const members = Object.getOwnPropertyDescriptors(context)
      const own = Object.defineProperties({ succeed: (event: Event) => succeed?.(event) }, members)
      return plugin.create(options as never, own as FilterContext)
    })
    if (made === undefined) return undefined
    const { plugin: filter, id } = made
    const periodicFlush = made.options['periodic_flush'] === true || filter.flushesByItself === true
    return { op: 'filter', name: node.name, id, filter, succeed, periodicFlush, counts: noEvents() }
  }

  #buildOutput(node: PluginNode): OutputStep | undefined {
    const label: PluginLabel = { kind: 'output', name: node.name }
    const made = this.#create(node, label, EVERY_OUTPUT, (plugin: OutputPlugin, options, context) =>
      plugin.create(options as never, context),
    )
    if (made === undefined) return undefined
    const slot: OutputSlot = { name: node.name, id: made.id, output: made.plugin, counts: noEvents() }
    return { op: 'output', index: this.#outputs.push(slot) - 1 }
  }

  #create<P extends ReachingPlugin, T>(
    node: PluginNode,
    label: PluginLabel,
    common: OptionTable,
    create: (plugin: P, options: Record<string, unknown>, context: PluginContext) => T,
  ): { plugin: T; id: string; options: Record<string, unknown> } | undefined {
    const plugin = this.#loaded[label.kind].get(node.name) as P | undefined
    if (plugin === undefined) {
      this.#problems.push(unknownPlugin(node, label))
      return undefined
    }
    const table = { ...common, ...EVERY_PLUGIN, ...plugin.options }
    const reach = this.#judgeReach(node, label, { ...plugin, options: table }, this.#settings.mayTouch)
    if (reach !== undefined) {
      if (reach !== 'left out') this.#problems.push(reach)
      return undefined
    }
    const options = resolveOptions(node, table, label, this.#resolveContext(node, label))
    if (options === undefined) return undefined
    const id = this.#takeId(node, options['id'] as string | undefined)
    try {
      return { plugin: create(plugin, options, this.#context(id, options, label)), id, options }
    } catch (error) {
      const message = `Cannot register ${label.name} ${label.kind} plugin. The error reported is:\n  ${(error as Error).message}`
      this.#problems.push({
        message: error instanceof PluginOptionError ? message : (error as Error).message,
        at: node.at,
      })
      return undefined
    }
  }

  #resolveContext(owner: PluginNode, { kind }: PluginLabel): ResolveContext {
    return {
      environment: this.#settings.environment,
      problems: this.#problems,
      warn: (message, at) => this.#settings.log.warn(`${message} (line ${lineAndColumn(at).line})`),
      buildCodec: (node) => this.#buildCodec(node, owner, kind === 'input'),
    }
  }

  #buildCodec(node: PluginNode, owner: PluginNode, decodes: boolean): Codec | undefined {
    const label: PluginLabel & { readonly decodes: boolean } = { kind: 'codec', name: node.name, decodes }
    const ecs = owner.attributes.find(({ name }) => name === 'ecs_compatibility')
    const attributes = node.attributes.some(({ name }) => name === 'ecs_compatibility') || ecs === undefined
    const full = attributes ? node : { ...node, attributes: [...node.attributes, ecs] }
    return this.#create(full, label, {}, (plugin: CodecPlugin, options, context) =>
      plugin.create(options as never, context),
    )?.plugin
  }

  #takeId(node: PluginNode, given: string | undefined): string {
    const id = given ?? `${node.name}_${++this.#count}`
    if (this.#ids.has(id)) {
      const message = `Two plugins have the id '${id}', please fix this conflict: duplicate Ids are not allowed`
      this.#problems.push({ message, at: node.at })
    }
    this.#ids.add(id)
    return id
  }

  /** Notes that a plugin has asked for the mode, so that the start can say whose fields depend on it. */
  #noteEcs(mode: EcsMode, { kind, name, decodes = true }: PluginLabel & { readonly decodes?: boolean }): void {
    const names = this.#ecsModes.get(mode) ?? []
    this.#ecsModes.set(mode, names)
    if (decodes && !names.includes(`${kind} ${name}`)) names.push(`${kind} ${name}`)
  }

  #context(id: string, options: Record<string, unknown>, label: PluginLabel): PluginContext {
    const { id: pipelineId, log, clock, hostName, workers, dataFolder, deadLetters, environment } = this.#settings
    const { readsFromBeginning } = this.#settings
    const ecs = (options['ecs_compatibility'] as EcsMode | undefined) ?? this.#settings.ecs
    const noteEcs = () => this.#noteEcs(ecs, label)
    return {
      ...{ id, pipelineId, log, clock, hostName, workers, dataFolder, deadLetters, environment },
      ...{ readsFromBeginning, codecNamed, shared: this.#shared },
      get ecs() {
        noteEcs()
        return ecs
      },
    }
  }
}

function codecNamed(name: string): (() => Promise<CodecPlugin>) | undefined {
  return Object.hasOwn(CODECS, name) ? CODECS[name] : undefined
}

function unknownPlugin(node: PluginNode, { kind }: PluginLabel): ConfigProblem {
  const close = closestWords(node.name, Object.keys(LOADERS[kind]))
  const advice = adviceFor(kind, node.name)
  const similar = close.length === 0 ? undefined : `did you mean ${close.slice(0, 3).join(', ')}?`
  return {
    message: `Couldn't find any ${kind} plugin named '${node.name}'. Are you sure this is correct? Trying to load the ${node.name} ${kind} plugin resulted in this error: no such plugin`,
    at: node.at,
    suggestion: advice === undefined ? similar : `it does not exist here; ${advice}`,
  }
}

function sourcesOf(sections: readonly Section[]): FilterSource[] {
  const files = new Map(sections.map(({ at }) => [at.file, { path: at.file, text: at.source }]))
  return [...files.values()]
}

function pluginsOf(body: readonly Node[]): PluginNode[] {
  return body.flatMap((node) =>
    node.type === 'plugin' ? [node] : node.arms.flatMap(({ body: inner }) => pluginsOf(inner)),
  )
}

/** Any option might name a codec. A name that is not a codec is not found and ignored. */
function codecName(value: ValueNode): string | undefined {
  if (value.type === 'plugin') return value.name
  return value.type === 'bareword' || value.type === 'string' ? value.text : undefined
}

function substituteQuietly(text: string, { environment }: PipelineSettings): string {
  try {
    return substituteVariables(text, environment)
  } catch {
    return text
  }
}
