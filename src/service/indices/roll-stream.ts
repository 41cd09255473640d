/** Gives a data stream, or its failure store, a new index to write to, at once or with the next write. */
import { indexNotFound } from '../../base/errors/index-errors.ts'
import { type IndexContext, putIndex } from '../catalog/index-context.ts'
import { backingIndexName, noStreamTemplate, rolledOverMeanwhile } from '../definitions/data-stream-rules.ts'
import type { Change, DataStream, JsonObject } from '../metadata/metadata.ts'
import { matchingTemplate } from '../templates/compose-template.ts'
import type { IndexCreator } from './index-creator.ts'

interface Rolling {
  readonly context: IndexContext
  readonly creator: IndexCreator
}

/** The part of a stream that rolls over: its backing indices or its failure store. */
export type StreamPart = 'data' | 'failures'

/** Throws if another rollover came first. */
export async function rollData({ context, creator }: Rolling, stream: DataStream, met: JsonObject): Promise<void> {
  const { store, clock } = context
  const generation = stream.generation + 1
  const name = backingIndexName(stream.name, generation, clock.nowMs())
  const match = matchingTemplate(store.state, stream.name, false)
  if (match?.template.dataStream === undefined) throw noStreamTemplate(stream.name)
  const next = withMark({ ...stream, indices: [...stream.indices, name], generation }, 'data', false)
  await creator.addBackingIndex(next, match, (state) => {
    if (state.dataStream(stream.name)?.generation !== stream.generation) throw rolledOverMeanwhile(stream.name)
    const current = state.index(stream.indices.at(-1)!)
    if (current === undefined) throw indexNotFound(stream.indices.at(-1)!)
    const rolledOver = { alias: stream.name, conditions: met, timeMs: clock.nowMs() }
    return [putIndex({ ...current, rolledOver })]
  })
}

/** The first rollover of a failure store without indices creates its first one. Throws if another rollover came first. */
export async function rollFailures({ context, creator }: Rolling, stream: DataStream, met: JsonObject): Promise<void> {
  await creator.addFailureIndex(stream, 1, (state) => {
    const current = state.index(stream.failureIndices?.at(-1) ?? '')
    if (current === undefined) return []
    const rolledOver = { alias: stream.name, conditions: met, timeMs: context.clock.nowMs() }
    return [putIndex({ ...current, rolledOver })]
  })
}

export function isMarked(stream: DataStream, part: StreamPart): boolean {
  return (part === 'data' ? stream.rolloverOnWrite : stream.failuresRolloverOnWrite) === true
}

/** The stream with or without the mark that its next write rolls it over. */
export function withMark(stream: DataStream, part: StreamPart, mark: boolean): DataStream {
  const { rolloverOnWrite: data, failuresRolloverOnWrite: failures, ...rest } = stream
  const [forData, forFailures] = part === 'data' ? [mark, failures] : [data, mark]
  return {
    ...rest,
    ...(forData === true ? { rolloverOnWrite: true as const } : {}),
    ...(forFailures === true ? { failuresRolloverOnWrite: true as const } : {}),
  }
}

export const markOnWrite = (stream: DataStream, part: StreamPart): Change => ({
  section: 'dataStreams',
  name: stream.name,
  value: withMark(stream, part, true),
})

/** Rolls over streams that are marked. Writes at the same time wait for the same rollover. */
export class RolloverOnWrite {
  readonly #rolling: Rolling
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(context: IndexContext, creator: IndexCreator) {
    this.#rolling = { context, creator }
  }

  /** Undefined, as usual, if the stream is not marked. */
  before(name: string, part: StreamPart): Promise<void> | undefined {
    const stream = this.#rolling.context.store.state.dataStream(name)
    if (stream === undefined || !isMarked(stream, part)) return undefined
    const key = `${part} ${name}`
    const pending = this.#underWay.get(key)
    if (pending !== undefined) return pending
    const rolled = this.#roll(stream, part).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, rolled)
    return rolled
  }

  async #roll(stream: DataStream, part: StreamPart): Promise<void> {
    const roll = part === 'data' ? rollData : rollFailures
    try {
      await roll(this.#rolling, stream, {})
    } catch (error) {
      // A rollover by request came first, and took the mark away.
      const now = this.#rolling.context.store.state.dataStream(stream.name)
      if (now === undefined || isMarked(now, part)) throw error
    }
  }
}
