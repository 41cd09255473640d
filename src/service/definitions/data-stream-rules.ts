/** The rules of data streams: the names of backing indices and their common mapping. */
import { ApiError, illegalArgument, illegalState } from '../../base/api-error.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { FORBIDDEN_SHOWN, hasForbiddenCharacter } from '../names/name-rules.ts'
import type { IndexDefinition } from './create-index-request.ts'

/** The base of every backing index, below its templates: hidden, and with the required timestamp. */
export const STREAM_BASE: IndexDefinition = {
  settings: { 'index.hidden': 'true', 'index.routing.allocation.include._tier_preference': 'data_hot' },
  mappings: { _data_stream_timestamp: { enabled: true }, properties: { '@timestamp': { type: 'date' } } },
  aliases: {},
}

/** `.ds-logs-2024.05.01-000001`: the day of creation and the generation. */
export const backingIndexName = (stream: string, generation: number, nowMs: number) =>
  indexName('.ds', stream, generation, nowMs)

/** `.fs-logs-2024.05.01-000002`: an index of the failure store. */
export const failureIndexName = (stream: string, generation: number, nowMs: number) =>
  indexName('.fs', stream, generation, nowMs)

function indexName(prefix: string, stream: string, generation: number, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '.')
  return `${prefix}-${stream}-${day}-${String(generation).padStart(6, '0')}`
}

export const noStreamTemplate = (stream: string) =>
  illegalArgument(`no matching index template found for data stream [${stream}]`)

export const rolledOverMeanwhile = (stream: string) =>
  illegalArgument(`data stream [${stream}] was rolled over by another request`)

export function checkDataStreamName(name: string, state: MetadataState): void {
  const problem = dataStreamNameProblem(name)
  if (problem !== undefined) throw illegalArgument(`data_stream [${name}] ${problem}`)
  const taken = state.abstraction(name)
  if (taken?.kind === 'dataStream') {
    throw new ApiError(400, 'resource_already_exists_exception', `data_stream [${name}] already exists`)
  }
  if (taken !== undefined) {
    const kind = taken.kind === 'alias' ? 'alias' : 'index'
    throw illegalState(`data stream [${name}] conflicts with existing ${kind}`)
  }
}

function dataStreamNameProblem(name: string): string | undefined {
  if (hasForbiddenCharacter(name)) return `must not contain the following characters ${FORBIDDEN_SHOWN}`
  if (name.includes('#')) return "must not contain '#'"
  if (name.includes(':')) return "must not contain ':'"
  if (/^[_\-+]/.test(name)) return "must not start with '_', '-', or '+'"
  if (name === '.' || name === '..') return "must not be '.' or '..'"
  if (name.toLowerCase() !== name) return 'must be lowercase'
  if (name.startsWith('.ds-')) return "must not start with '.ds-'"
  if (name.startsWith('.fs-')) return "must not start with '.fs-'"
  return undefined
}
