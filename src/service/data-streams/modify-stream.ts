/** `_data_stream/_modify`: adds indices to a data stream or its failure store, and removes them. */
import { illegalArgument, validationFailed } from '../../base/api-error.ts'
import { DECIMAL, FALSE, INTEGER, START_ARRAY, START_OBJECT, STRING, TRUE } from '../../base/json/json-reader.ts'
import { RequestReader } from '../../engine/request/request-reader.ts'
import type { DataStream } from '../metadata/metadata.ts'
import { isFailureIndex, type MetadataState } from '../metadata/metadata-state.ts'

export interface ModifyAction {
  readonly kind: 'add_backing_index' | 'remove_backing_index'
  readonly dataStream: string
  readonly index: string
  readonly inFailureStore: boolean
}

export function parseModify(body: Uint8Array): ModifyAction[] {
  const reader = new RequestReader(body)
  const actions: ModifyAction[] = []
  const text = [STRING, INTEGER, DECIMAL] as const
  const action = (kind: ModifyAction['kind']) => ({
    accepts: [START_OBJECT] as const,
    parse: () => {
      let dataStream = ''
      let index = ''
      let inFailureStore = false
      reader.parseObject(kind, {
        data_stream: { accepts: text, parse: () => void (dataStream = reader.text()) },
        index: { accepts: text, parse: () => void (index = reader.text()) },
        failure_store: { accepts: [TRUE, FALSE, STRING], parse: () => void (inFailureStore = reader.boolean()) },
      })
      actions.push({ kind, dataStream, index, inFailureStore })
    },
  })
  reader.parseObject('data_stream_modify', {
    actions: {
      accepts: [START_ARRAY, START_OBJECT],
      parse: () =>
        reader.each(() =>
          reader.parseObject('data_stream_action', {
            add_backing_index: action('add_backing_index'),
            remove_backing_index: action('remove_backing_index'),
          }),
        ),
    },
  })
  if (actions.length === 0) throw validationFailed('must specify at least one data stream modification action')
  return actions
}

/** The stream after an action. */
export function modified(stream: DataStream, action: ModifyAction, state: MetadataState): DataStream {
  return action.kind === 'add_backing_index' ? added(stream, action, state) : without(stream, action)
}

/** The added index becomes the oldest one; the write index stays last. */
function added(stream: DataStream, { index, inFailureStore }: ModifyAction, state: MetadataState): DataStream {
  const own = inFailureStore ? (stream.failureIndices ?? []) : stream.indices
  if (own.includes(index)) return stream
  const owner = state.streamOf(index)
  if (owner !== undefined && (owner.name !== stream.name || isPart(stream, index))) {
    const kind = isFailureIndex(owner, index) ? 'failure store' : 'backing'
    throw illegalArgument(
      `cannot add index [${index}] to data stream [${stream.name}] because it is already a ${kind} index on data stream ` +
        `[${owner.name}]`,
    )
  }
  const aliases = Object.keys(state.index(index)!.aliases)
  if (aliases.length > 0 && inFailureStore) {
    throw illegalArgument(
      `cannot add index [${index}] to data stream [${stream.name}] until its ${aliases.length > 1 ? 'aliases' : 'alias'} ` +
        `[${aliases.join(', ')}] ${aliases.length > 1 ? 'are' : 'is'} removed`,
    )
  }
  return withPart(stream, inFailureStore, [index, ...own])
}

/** The write index of the failure store may be removed: the next failed document creates another one. */
function without(stream: DataStream, { index, inFailureStore }: ModifyAction): DataStream {
  const own = inFailureStore ? (stream.failureIndices ?? []) : stream.indices
  if (!own.includes(index)) {
    throw illegalArgument(
      inFailureStore ? `index [${index}] not found` : `index [${index}] is not part of data stream [${stream.name}]`,
    )
  }
  if (!inFailureStore && own.at(-1) === index) {
    throw illegalArgument(
      `cannot remove backing index [${index}] of data stream [${stream.name}] because it is the write index of the data stream`,
    )
  }
  const left = own.filter((name) => name !== index)
  return withPart(stream, inFailureStore, left)
}

const isPart = ({ indices, failureIndices = [] }: DataStream, index: string) =>
  indices.includes(index) || failureIndices.includes(index)

function withPart(stream: DataStream, inFailureStore: boolean, indices: readonly string[]): DataStream {
  const generation = stream.generation + 1
  return inFailureStore ? { ...stream, generation, failureIndices: indices } : { ...stream, generation, indices }
}
