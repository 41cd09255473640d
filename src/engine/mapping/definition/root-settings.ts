/** The root settings of a mapping: detection, templates, runtime fields, `_source`, `_routing`, `_meta`. */

import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { mapperConflict, mapperParsing, nullValueInMapping } from '../../../base/errors/mapping-errors.ts'
import { newMembers } from '../../../base/json/members.ts'
import { compileDateFormat } from '../../time/format/date-format.ts'
import { hashedEntries, hashedText } from '../../values/java-text.ts'
import { type DynamicTemplate, parseDynamicTemplates } from '../dynamic/dynamic-templates.ts'
import type { MappingContext } from '../mapping-context.ts'
import { ObjectMapper } from '../object-mapper.ts'
import { parseProperties, readDynamic, readObjectSourceKeep, readSubobjects } from './mapping-parser.ts'
import { withoutRepeatedIncludes } from './nested-includes.ts'
import { castToList, castToMap, checkNoneLeft, readBoolean, readObjectBoolean } from './parameter.ts'
import { parseRuntimeFields, type RuntimeFields } from './runtime-fields.ts'

export interface SourceSettings {
  readonly enabled: boolean | undefined
  readonly mode: string | undefined
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

/** Undefined members were not given. */
export interface RootSettings {
  readonly dateDetection: boolean | undefined
  readonly numericDetection: boolean | undefined
  readonly dynamicDateFormats: readonly string[] | undefined
  readonly dynamicTemplates: readonly DynamicTemplate[] | undefined
  readonly runtime: RuntimeFields
  readonly source: SourceSettings | undefined
  readonly routingRequired: boolean | undefined
  readonly dataStreamTimestamp: boolean | undefined
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

export interface RootDefinition {
  readonly object: ObjectMapper
  readonly settings: RootSettings
}

/** Metadata fields at the root of a mapping or document that have no settings. */
export const METADATA_FIELDS: readonly string[] = [
  '_id',
  '_index',
  '_routing',
  '_source',
  '_field_names',
  '_ignored',
  '_ignored_source',
  '_seq_no',
  '_version',
  '_nested_path',
  '_tier',
  '_index_mode',
  '_data_stream_timestamp',
  '_doc_count',
]

const NOTHING: RootSettings = {
  dateDetection: undefined,
  numericDetection: undefined,
  dynamicDateFormats: undefined,
  dynamicTemplates: undefined,
  runtime: new Map(),
  source: undefined,
  routingRequired: undefined,
  dataStreamTimestamp: undefined,
  meta: undefined,
}

export function parseRoot(json: Readonly<Record<string, unknown>>, context: MappingContext): RootDefinition {
  const settings: { -readonly [K in keyof RootSettings]: RootSettings[K] } = { ...NOTHING }
  let object = new ObjectMapper({ name: '', path: '', children: new Map() })
  const left: Record<string, unknown> = newMembers()
  // Fields last: whether dots in their names create objects depends on `subobjects`.
  const entries = hashedEntries(json).sort(([a], [b]) => Number(a === 'properties') - Number(b === 'properties'))
  for (const [key, value] of entries) {
    switch (key) {
      case 'dynamic':
        object = object.with({ dynamic: readDynamic(value) })
        break
      case 'enabled':
        object = object.with({ enabled: readObjectBoolean(value, 'enabled.enabled') })
        break
      case 'subobjects':
        object = object.with({ subobjects: readSubobjects(value) })
        break
      case 'synthetic_source_keep':
      case 'store_array_source':
        object = object.with({ sourceKeep: readRootSourceKeep(key, value) })
        break
      case 'date_detection':
        settings.dateDetection = readObjectBoolean(value, key)
        break
      case 'numeric_detection':
        settings.numericDetection = readObjectBoolean(value, key)
        break
      case 'dynamic_date_formats':
        settings.dynamicDateFormats = readDateFormats(value)
        break
      case 'dynamic_templates':
        settings.dynamicTemplates = parseDynamicTemplates(value, context)
        break
      case 'runtime':
        settings.runtime = parseRuntimeFields(value)
        break
      case '_source':
        settings.source = readSource(requireConfig(key, value))
        break
      case '_routing':
        settings.routingRequired = readFlagOf(key, 'required', requireConfig(key, value))
        break
      case '_data_stream_timestamp':
        settings.dataStreamTimestamp = readFlagOf(key, 'enabled', requireConfig(key, value))
        break
      case '_meta':
        if (value !== null) settings.meta = castToMap(value)
        break
      case 'properties':
        object = parseProperties(object, value, context)
        break
      case '_field_names':
        if (Object.hasOwn(requireConfig(key, value), 'enabled')) {
          throw mapperParsing(
            'The `enabled` setting for the `_field_names` field has been deprecated and removed. Please remove it from your mappings and templates.',
          )
        }
        break
      default:
        if (METADATA_FIELDS.includes(key)) throw mapperParsing(`${key} is not configurable`)
        left[key] = value
    }
  }
  checkNoneLeft('Root mapping definition', left)
  return { object: withoutRepeatedIncludes(object), settings }
}

/** The settings after an update; runtime fields set to null are removed. */
export function mergeSettings(before: RootSettings, after: RootSettings): RootSettings {
  const runtime = new Map(before.runtime)
  for (const [name, field] of after.runtime) {
    if (field === undefined) runtime.delete(name)
    else runtime.set(name, field)
  }
  return {
    dateDetection: after.dateDetection ?? before.dateDetection,
    numericDetection: after.numericDetection ?? before.numericDetection,
    dynamicDateFormats: after.dynamicDateFormats ?? before.dynamicDateFormats,
    dynamicTemplates: after.dynamicTemplates ?? before.dynamicTemplates,
    runtime,
    source: mergeSource(before.source, after.source),
    routingRequired: mergeRouting(before.routingRequired, after.routingRequired),
    dataStreamTimestamp: after.dataStreamTimestamp ?? before.dataStreamTimestamp,
    meta: after.meta ?? before.meta,
  }
}

const EMPTY_SOURCE: SourceSettings = { enabled: undefined, mode: undefined, includes: [], excludes: [] }

function mergeSource(given: SourceSettings | undefined, after: SourceSettings | undefined) {
  if (after === undefined) return given
  const before = given ?? EMPTY_SOURCE
  const conflicts: string[] = []
  const compare = (name: string, from: unknown, to: unknown) => {
    if (hashedText(from) !== hashedText(to)) conflicts.push(fixedParameter(name, from, to))
  }
  const wasEnabled = before.enabled ?? true
  const isEnabled = after.enabled ?? true
  if (!wasEnabled && isEnabled) conflicts.push(fixedParameter('enabled', wasEnabled, isEnabled))
  compare('mode', before.mode ?? null, after.mode ?? null)
  compare('includes', before.includes, after.includes)
  compare('excludes', before.excludes, after.excludes)
  if (conflicts.length > 0) throw metadataConflict('_source', conflicts)
  return after
}

function mergeRouting(before: boolean | undefined, after: boolean | undefined): boolean | undefined {
  if (after === undefined) return before
  if ((before ?? false) !== after) {
    throw metadataConflict('_routing', [fixedParameter('required', before ?? false, after)])
  }
  return after
}

const fixedParameter = (name: string, from: unknown, to: unknown) =>
  `Cannot update parameter [${name}] from [${hashedText(from)}] to [${hashedText(to)}]`

const metadataConflict = (field: string, conflicts: readonly string[]) => mapperConflict(field, conflicts.join('\n\t'))

function requireConfig(key: string, value: unknown): Record<string, unknown> {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw illegalArgument(`[${key}] config must be an object`)
}

function readFlagOf(field: string, name: string, config: Record<string, unknown>): boolean | undefined {
  let flag: boolean | undefined
  for (const [key, value] of hashedEntries(config)) {
    if (key !== name) throw unknownMetadataParameter(key, field)
    flag = readBoolean(value)
  }
  return flag
}

const unknownMetadataParameter = (name: string, field: string): ApiError =>
  mapperParsing(`unknown parameter [${name}] on metadata field [${field}]`)

function readSource(config: Record<string, unknown>): SourceSettings {
  let { enabled, mode, includes, excludes }: SourceSettings = EMPTY_SOURCE
  for (const [key, value] of hashedEntries(config)) {
    if (key === 'enabled') enabled = readBoolean(value)
    else if (key === 'mode') mode = readMode(value)
    else if (key === 'includes') includes = readPaths(value)
    else if (key === 'excludes') excludes = readPaths(value)
    else throw unknownMetadataParameter(key, '_source')
  }
  if (mode !== undefined && enabled !== undefined) {
    throw mapperParsing('Cannot set both [mode] and [enabled] parameters')
  }
  if (mode === 'synthetic' && (includes.length > 0 || excludes.length > 0)) {
    throw illegalArgument('filtering the stored _source is incompatible with synthetic source')
  }
  // Synthetic sources need a licence that allows them. Without one, Elasticsearch stores the source instead.
  return { enabled, mode: mode === 'synthetic' ? 'stored' : mode, includes, excludes }
}

function readRootSourceKeep(key: string, value: unknown): string {
  const kept = readObjectSourceKeep(key, value)
  if (kept === 'all') throw mapperParsing("root object can't be configured with [synthetic_source_keep:all]")
  return kept
}

function readMode(value: unknown): string {
  if (value === null) throw nullValueInMapping('"o"')
  const mode = hashedText(value).toLowerCase()
  if (mode === 'stored' || mode === 'disabled' || mode === 'synthetic') return mode
  throw illegalArgument(
    `No enum constant org.elasticsearch.index.mapper.SourceFieldMapper.Mode.${hashedText(value).toUpperCase()}`,
  )
}

/** Elasticsearch takes a list for granted, and texts or what has a text in it. */
function readPaths(value: unknown): string[] {
  if (value === null)
    throw new ApiError(
      400,
      'null_pointer_exception',
      'Cannot invoke "java.util.List.iterator()" because "values" is null',
    )
  return castToList(value).map((item) => {
    if (item === null) throw nullValueInMapping('"item"')
    return hashedText(item)
  })
}

function readDateFormats(value: unknown): string[] {
  if (value === null) throw nullValueInMapping('"fieldNode"')
  if (value === 'none') return []
  if (typeof value === 'string') compileDateFormat(value)
  const formats: string[] = []
  for (const format of Array.isArray(value) ? value : [value]) {
    if (format === null) throw nullValueInMapping('"formatter"')
    if (typeof format !== 'string')
      throw illegalArgument(`Invalid format: [${hashedText(format)}]: expected string value`)
    // Otherwise any number would be a date.
    if (format.startsWith('epoch_')) throw mapperParsing(`Epoch [${format}] is not supported as dynamic date format`)
    formats.push(format)
  }
  for (const format of formats) compileDateFormat(format)
  return formats
}

/** The printed settings, before the fields. */
export function settingsJson(settings: RootSettings): Record<string, unknown> {
  const runtime = [...settings.runtime].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    _meta: settings.meta,
    _source: settings.source === undefined ? undefined : sourceJson(settings.source),
    _routing: settings.routingRequired === true ? { required: true } : undefined,
    _data_stream_timestamp: settings.dataStreamTimestamp === true ? { enabled: true } : undefined,
    dynamic_date_formats: settings.dynamicDateFormats,
    dynamic_templates: templatesJson(settings.dynamicTemplates),
    date_detection: settings.dateDetection,
    numeric_detection: settings.numericDetection,
    runtime: runtime.length === 0 ? undefined : Object.fromEntries(runtime),
  }
}

function templatesJson(templates: readonly DynamicTemplate[] | undefined): unknown {
  if (templates === undefined || templates.length === 0) return undefined
  return templates.map((template) => ({ [template.name]: template.json }))
}

function sourceJson(source: SourceSettings): Record<string, unknown> | undefined {
  const json = {
    ...(source.mode === undefined ? {} : { mode: source.mode }),
    ...(source.enabled === false ? { enabled: false } : {}),
    ...(source.includes.length > 0 ? { includes: source.includes } : {}),
    ...(source.excludes.length > 0 ? { excludes: source.excludes } : {}),
  }
  return Object.keys(json).length === 0 ? undefined : json
}
