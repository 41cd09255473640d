/** The steps of lifecycle actions. A step is done, waits, or throws the reason why it failed. */
import { illegalArgument } from '../../base/api-error.ts'
import type { IndexContext } from '../catalog/index-context.ts'
import type { DataStreamService } from '../data-streams/data-stream-service.ts'
import type { RolloverService } from '../data-streams/rollover.ts'
import { parseRollover } from '../data-streams/rollover-conditions.ts'
import type { IndexService } from '../indices/index-service.ts'
import type { SettingsService } from '../indices/settings-service.ts'
import type { ShardOperations } from '../indices/shard-operations.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { FAILURES, isFailureIndex } from '../metadata/metadata-state.ts'

/** The services that steps use. */
export interface LifecycleServices {
  readonly context: IndexContext
  readonly indices: IndexService
  readonly settings: SettingsService
  readonly operations: ShardOperations
  readonly rollover: RolloverService
  readonly dataStreams: DataStreamService
}

export type StepResult = 'done' | 'waits' | 'removed'

interface Action {
  /** The step as `_ilm/explain` names it. */
  readonly step: string
  run(services: LifecycleServices, index: IndexMetadata, options: JsonObject): Promise<StepResult>
}

export const ILM_ACTIONS: Readonly<Record<string, Action>> = {
  set_priority: {
    step: 'set_priority',
    run: async (services, index, { priority }) =>
      await change(services, index, { 'index.priority': priority === null ? null : String(priority) }),
  },
  // Steps without effect: the index follows no other cluster, and there are no tiers to move it to.
  unfollow: { step: 'wait-for-indexing-complete', run: async () => 'done' },
  migrate: { step: 'migrate', run: async () => 'done' },
  rollover: { step: 'check-rollover-ready', run: rollOver },
  readonly: {
    step: 'readonly',
    run: async (services, index) => {
      const isWritten = services.context.store.state.isWrittenByStream(index.name)
      if (isWritten) throw illegalArgument(`index [${index.name}] is the write index of its data stream`)
      return await change(services, index, { 'index.blocks.write': 'true' })
    },
  },
  allocate: {
    step: 'allocate',
    run: async (services, index, { number_of_replicas: replicas }) =>
      replicas === undefined ? 'done' : await change(services, index, { 'index.number_of_replicas': String(replicas) }),
  },
  forcemerge: {
    step: 'forcemerge',
    run: async ({ operations }, index, { max_num_segments: segments }) => {
      const options = { maxSegments: Number(segments), onlyExpungeDeletes: false, flush: true }
      const answer = await operations.forceMerge([index.name], {}, options)
      const { failed, failures } = answer['_shards'] as { failed: number; failures?: unknown[] }
      if (failed > 0) throw illegalArgument(`force merge of [${index.name}] failed: ${JSON.stringify(failures?.[0])}`)
      return 'done'
    },
  },
  delete: { step: 'delete', run: remove },
}

async function change(
  { settings }: LifecycleServices,
  { name }: IndexMetadata,
  update: Record<string, string | null>,
): Promise<StepResult> {
  await settings.put([name], update, {}, { preserveExisting: false, reopen: false })
  return 'done'
}

/** Rolls over when a condition is met. Indices without documents are never rolled over, as in Elasticsearch. */
async function rollOver(services: LifecycleServices, index: IndexMetadata, options: JsonObject): Promise<StepResult> {
  const { state } = services.context.store
  const isComplete = index.settings['index.lifecycle.indexing_complete'] === 'true'
  if (isComplete || index.rolledOver !== undefined) return 'done'
  const stream = state.streamOf(index.name)
  const part = isFailureIndex(stream, index.name) ? FAILURES : ''
  const target = stream === undefined ? rolloverAlias(index) : `${stream.name}${part}`
  if (stream !== undefined) {
    if (!state.isWrittenByStream(index.name)) return 'done'
  } else checkAlias(services, index, target)
  const conditions = options['min_docs'] === undefined ? { ...options, min_docs: 1 } : options
  const request = parseRollover(Buffer.from(JSON.stringify({ conditions })))
  const answer = await services.rollover.rollover(target, request, { newIndex: undefined, dryRun: false, lazy: false })
  if (answer['rolled_over'] !== true) return 'waits'
  return await change(services, index, { 'index.lifecycle.indexing_complete': 'true' })
}

function rolloverAlias({ name, settings }: IndexMetadata): string {
  const alias = settings['index.lifecycle.rollover_alias']
  if (typeof alias === 'string' && alias !== '') return alias
  throw illegalArgument(`setting [index.lifecycle.rollover_alias] for index [${name}] is empty or not defined`)
}

function checkAlias({ context }: LifecycleServices, { name, aliases }: IndexMetadata, alias: string): void {
  if (aliases[alias] === undefined) {
    throw illegalArgument(`index.lifecycle.rollover_alias [${alias}] does not point to index [${name}]`)
  }
  const found = context.store.state.alias(alias)
  if (found?.writeIndex?.name !== name)
    throw illegalArgument(`index [${name}] is not the write index for alias [${alias}]`)
}

/** The write index of a data stream is deleted only with the stream, when nothing else is left of it. */
async function remove(services: LifecycleServices, index: IndexMetadata): Promise<StepResult> {
  const stream = services.context.store.state.streamOf(index.name)
  if (stream !== undefined && services.context.store.state.isWrittenByStream(index.name)) {
    if (stream.indices.length > 1 || isFailureIndex(stream, index.name)) {
      throw illegalArgument(
        `index [${index.name}] is the write index for data stream [${stream.name}]. stopping execution of lifecycle ` +
          `[${index.lifecycle?.policy}] as a data stream's write index cannot be deleted. manually rolling over the index will ` +
          "resume the execution of the policy as the index will not be the data stream's write index anymore",
      )
    }
    await services.dataStreams.delete([stream.name], {})
  } else await services.indices.delete([index.name], {})
  return 'removed'
}
