/** The bodies of snapshot requests. */
import { illegalArgument, validationFailed } from '../../base/api-error.ts'
import { notTrueOrFalse } from '../../base/errors/value-errors.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { IndicesParameters } from '../names/indices-options.ts'
import { flattenSettings, type SettingsUpdate, withIndexPrefix } from '../settings/flat-settings.ts'

export interface CreateSnapshotRequest extends IndicesParameters {
  /** Names and wildcards; undefined for all indices. */
  readonly indices: readonly string[] | undefined
  readonly includeGlobalState: boolean
  readonly isPartial: boolean
  readonly metadata: JsonObject | undefined
}

export interface RestoreRequest {
  readonly indices: readonly string[] | undefined
  readonly ignoreUnavailable: boolean
  readonly renamePattern: string | undefined
  readonly renameReplacement: string | undefined
  readonly includeAliases: boolean
  readonly includeGlobalState: boolean
  readonly isPartial: boolean
  /** Settings to change; null removes a setting. */
  readonly indexSettings: SettingsUpdate
  readonly ignoredSettings: readonly string[]
  readonly featureStates: readonly string[] | undefined
}

/** Like Elasticsearch, ignores unknown members. */
export function parseCreateRequest(body: JsonObject): CreateSnapshotRequest {
  const metadata = body['metadata']
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    throw illegalArgument('malformed metadata, should be an object')
  }
  return {
    indices: namesOf(body['indices']),
    includeGlobalState: flag(body, 'include_global_state', true),
    isPartial: flag(body, 'partial', false),
    metadata: (metadata ?? undefined) as JsonObject | undefined,
    ...indicesOptions(body),
  }
}

const RESTORE_KEYS = new Set([
  'indices',
  'feature_states',
  'partial',
  'include_global_state',
  'include_aliases',
  'rename_pattern',
  'rename_replacement',
  'index_settings',
  'ignore_index_settings',
  'ignore_unavailable',
  'allow_no_indices',
  'expand_wildcards',
])

export function parseRestoreRequest(body: JsonObject): RestoreRequest {
  for (const name of Object.keys(body)) {
    if (!RESTORE_KEYS.has(name)) throw illegalArgument(`Unknown parameter ${name}`)
  }
  const settings = body['index_settings'] ?? {}
  if (!isObject(settings)) throw illegalArgument('malformed index_settings section')
  return {
    indices: namesOf(body['indices']),
    ignoreUnavailable: flag(body, 'ignore_unavailable', false),
    renamePattern: text(body, 'rename_pattern'),
    renameReplacement: text(body, 'rename_replacement'),
    includeAliases: flag(body, 'include_aliases', true),
    includeGlobalState: flag(body, 'include_global_state', false),
    isPartial: flag(body, 'partial', false),
    indexSettings: withIndexPrefix(flattenSettings(settings)),
    ignoredSettings: listOf(
      body['ignore_index_settings'],
      'malformed ignore_index_settings section, should be an array of strings',
    ),
    featureStates:
      body['feature_states'] === undefined
        ? undefined
        : listOf(body['feature_states'], 'malformed feature_states section, should be an array of strings'),
  }
}

/** The body of a clone request, in which `indices` is required. */
export function parseCloneRequest(body: JsonObject): readonly string[] {
  const indices = namesOf(body['indices'])
  if (indices === undefined || indices.length === 0) throw validationFailed('indices patterns are empty')
  return indices
}

function namesOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  return listOf(value, 'malformed indices section, should be an array of strings')
}

function listOf(value: unknown, problem: string): readonly string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return value.split(',').filter((name) => name !== '')
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value as string[]
  throw illegalArgument(problem)
}

function flag(body: JsonObject, name: string, absent: boolean): boolean {
  const value = body[name]
  if (value === undefined || value === null) return absent
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw notTrueOrFalse(value)
}

function text(body: JsonObject, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw illegalArgument(`malformed ${name}`)
  return value
}

function indicesOptions(body: JsonObject): IndicesParameters {
  const expand = body['expand_wildcards']
  return {
    ignoreUnavailable: body['ignore_unavailable'] === undefined ? undefined : flag(body, 'ignore_unavailable', false),
    allowNoIndices: body['allow_no_indices'] === undefined ? undefined : flag(body, 'allow_no_indices', true),
    expandWildcards: expand === undefined ? undefined : listOf(expand, 'malformed expand_wildcards'),
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
