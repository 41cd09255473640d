/**
 * The failure store of a data stream: hidden indices beside the backing ones, which keep documents that a pipeline or the
 * mapping refused. It is enabled by the options of the stream, or by the pattern of a cluster setting.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { DataStream, FlatSettings, JsonObject, StreamOptions } from '../metadata/metadata.ts'
import { isObject } from '../settings/flat-settings.ts'
import type { IndexDefinition } from './create-index-request.ts'
import {
  effectiveRetention,
  type GlobalRetention,
  parseStreamLifecycle,
  printStreamLifecycle,
} from './stream-lifecycle.ts'

/** The cluster setting with the names of data streams whose failure store is enabled unless their options say otherwise. */
const FAILURE_STORE_PATTERNS = 'data_streams.failure_store.enabled'

/** The settings of the cluster. */
interface ClusterSettings {
  readonly state: { readonly persistentSettings: FlatSettings }
  readonly transientSettings: FlatSettings
}

const KEYWORD = { type: 'keyword' }

/** `document.source` is not mapped, so that every document can be kept. */
const FAILURE_MAPPING: JsonObject = {
  dynamic: 'false',
  _routing: { required: false },
  properties: {
    '@timestamp': { type: 'date', ignore_malformed: false },
    document: { properties: { id: KEYWORD, index: KEYWORD, routing: KEYWORD } },
    error: {
      properties: {
        message: { type: 'match_only_text' },
        pipeline: KEYWORD,
        pipeline_trace: KEYWORD,
        processor_tag: KEYWORD,
        processor_type: KEYWORD,
        stack_trace: { type: 'text' },
        type: KEYWORD,
      },
    },
  },
}

/** Settings of templates that failure indices take over, by the beginnings of their names. */
const KEPT_SETTINGS = [
  'index.number_of_shards',
  'index.number_of_replicas',
  'index.auto_expand_replicas',
  'index.refresh_interval',
  'index.lifecycle.name',
  'index.routing.allocation.require.',
  'index.routing.allocation.include.',
  'index.routing.allocation.exclude.',
]

/** The definition of a failure index, of which the template of the stream contributes only a few settings. */
export function failureIndexDefinition(template: FlatSettings): IndexDefinition {
  const kept = Object.entries(template).filter(([name]) =>
    KEPT_SETTINGS.some((known) => (known.endsWith('.') ? name.startsWith(known) : name === known)),
  )
  return {
    settings: {
      'index.routing.allocation.include._tier_preference': 'data_hot',
      ...Object.fromEntries(kept),
      'index.hidden': 'true',
      'index.failure_store.version': '1',
    },
    mappings: FAILURE_MAPPING,
    aliases: {},
  }
}

/** The patterns of the cluster setting, whose value is a list or a text with commas. */
function failureStorePatterns({ state, transientSettings }: ClusterSettings): readonly string[] {
  const value = transientSettings[FAILURE_STORE_PATTERNS] ?? state.persistentSettings[FAILURE_STORE_PATTERNS]
  return typeof value === 'string' ? value.split(',').map((pattern) => pattern.trim()) : (value ?? [])
}

/** Options take precedence over the cluster setting, which does not apply to internal streams. */
export function isFailureStoreEnabled(
  name: string,
  options: StreamOptions | undefined,
  settings: ClusterSettings,
): boolean {
  const own = options?.failureStore?.enabled
  if (own !== undefined) return own
  return !name.startsWith('.') && failureStorePatterns(settings).some((pattern) => namePattern(pattern)(name))
}

/** The lifecycle of the failure indices: by default one, if the store is enabled or has indices. */
export function failuresLifecycle({ options, failureIndices = [] }: DataStream, enabled: boolean) {
  return options?.failureStore?.lifecycle ?? (enabled || failureIndices.length > 0 ? { enabled: true } : undefined)
}

export function printFailuresLifecycle(
  lifecycle: NonNullable<ReturnType<typeof failuresLifecycle>>,
  global: GlobalRetention,
): JsonObject {
  const printed = printStreamLifecycle(lifecycle, ofFailures(global))
  const isDefault = printed['retention_determined_by'] === 'default_global_retention'
  return isDefault ? { ...printed, retention_determined_by: 'default_failures_retention' } : printed
}

/** How long failed documents are kept. */
export const failuresRetention = (
  lifecycle: NonNullable<ReturnType<typeof failuresLifecycle>>,
  global: GlobalRetention,
) => effectiveRetention(lifecycle, ofFailures(global))

const ofFailures = ({ failuresDefaultMs, maxMs }: GlobalRetention): GlobalRetention => ({
  defaultMs: failuresDefaultMs,
  maxMs,
  failuresDefaultMs,
})

/** The body of `PUT _data_stream/{name}/_options`, or composed options of templates. */
export function parseStreamOptions(body: JsonObject): StreamOptions {
  rejectUnknown('data_stream_options', body, ['failure_store'])
  const store = body['failure_store']
  if (store === undefined || store === null) return {}
  if (!isObject(store)) throw illegalArgument("[data_stream_options] failure_store doesn't support values of this type")
  rejectUnknown('failure_store', store, ['enabled', 'lifecycle'])
  const { enabled, lifecycle } = store
  const hasEnabled = enabled !== undefined && enabled !== null
  const hasLifecycle = lifecycle !== undefined && lifecycle !== null
  if (!hasEnabled && !hasLifecycle) throw nothingConfigured()
  return {
    failureStore: {
      ...(hasEnabled ? { enabled: flag(enabled) } : {}),
      ...(hasLifecycle ? { lifecycle: parseFailuresLifecycle(lifecycle) } : {}),
    },
  }
}

/**
 * The data stream options that its templates define. An object whose members were all removed by nulls counts as
 * absent.
 */
export function templateOptions(composed: JsonObject): StreamOptions {
  const store = composed['failure_store']
  return isObject(store) && Object.keys(store).length > 0 ? parseStreamOptions(composed) : {}
}

export function printStreamOptions({ failureStore }: StreamOptions): JsonObject {
  if (failureStore === undefined) return {}
  const { enabled, lifecycle } = failureStore
  const { enabled: manages, dataRetention } = lifecycle ?? {}
  return {
    failure_store: {
      ...(enabled === undefined ? {} : { enabled }),
      ...(lifecycle === undefined
        ? {}
        : {
            lifecycle: { enabled: manages, ...(dataRetention === undefined ? {} : { data_retention: dataRetention }) },
          }),
    },
  }
}

/** Puts the options of a template over those of the layers below. */
export function mergeTemplateOptions(below: JsonObject | undefined, over: JsonObject | null): JsonObject | undefined {
  if (over === null) return undefined
  const store = over['failure_store']
  if (store === undefined) return below
  if (!isObject(store)) return {}
  const before = below?.['failure_store']
  const merged = { ...(isObject(before) ? before : {}), ...store }
  return { failure_store: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) }
}

export function parseFailuresLifecycle(body: unknown) {
  if (!isObject(body)) throw illegalArgument("[failure_store] lifecycle doesn't support values of this type")
  if (body['downsampling'] !== undefined && body['downsampling'] !== null) {
    throw illegalArgument(
      'Failure store lifecycle does not support downsampling, please remove the downsampling configuration.',
    )
  }
  return parseStreamLifecycle(body)
}

export const nothingConfigured = () =>
  illegalArgument('Failure store configuration should have at least one non-null configuration value.')

function flag(value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`)
}

function rejectUnknown(parser: string, body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown !== undefined) throw illegalArgument(`[${parser}] unknown field [${unknown}]`)
}
