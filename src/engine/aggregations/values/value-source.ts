/**
 * The field that an aggregation reads: its request members, the supported types, and how its values are read and
 * printed.
 */

import { illegalArgument } from '../../../base/api-error.ts'
import { fieldNotSupported } from '../../../base/errors/aggregation-errors.ts'
import { noFeatureValues } from '../../../base/errors/mapping-errors.ts'
import { fielddataDisabled, fielddataNotSupported } from '../../../base/errors/search-errors.ts'
import { DECIMAL, FALSE, INTEGER, type JsonToken, STRING, TRUE } from '../../../base/json/json-reader.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { DEFAULT_DATE_FORMAT } from '../../mapping/field-types/date.ts'
import { scriptedFieldType } from '../../mapping/scripted-field-type.ts'
import { ACCEPTS_STRING, type MemberParser, type RequestReader } from '../../request/request-reader.ts'
import { ACCEPTS_SCRIPT, readScript } from '../../request/script.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { Script } from '../../scripts/script.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { compileDateFormat } from '../../time/format/date-format.ts'
import { timeZone } from '../../time/zone/time-zone.ts'
import { metadataSource } from './metadata-source.ts'
import { type MissingValue, readMissing } from './missing-value.ts'
import { BOOLEAN_FORMAT, DateValueFormat, decimalValueFormat, RAW_FORMAT, type ValueFormat } from './value-format.ts'

/** The kind of a field's values in aggregations. */
export type SourceType = 'number' | 'date' | 'boolean' | 'keyword' | 'ip' | 'geo' | 'range'

export interface SourceSettings {
  field: string | undefined
  missing: unknown
  format: string | undefined
  timeZone: string | undefined
  valueType: string | undefined
  /** Computes the values; from the field's values if both are given. */
  script: Script | undefined
}

export function newSourceSettings(): SourceSettings {
  return {
    field: undefined,
    missing: undefined,
    format: undefined,
    timeZone: undefined,
    valueType: undefined,
    script: undefined,
  }
}

const ACCEPTS_SCALAR: readonly JsonToken[] = [STRING, INTEGER, DECIMAL, TRUE, FALSE]

const VALUE_TYPES: Readonly<Record<string, SourceType>> = {
  string: 'keyword',
  byte: 'number',
  short: 'number',
  integer: 'number',
  long: 'number',
  float: 'number',
  double: 'number',
  number: 'number',
  numeric: 'number',
  date: 'date',
  ip: 'ip',
  boolean: 'boolean',
}

const WHOLE_FAMILY = 'byte|short|integer|long'
const FRACTION_FAMILY = 'float|double'
/** Names of value types in errors, if they differ. */
const VALUE_TYPE_FAMILIES: Readonly<Record<string, string>> = {
  byte: WHOLE_FAMILY,
  short: WHOLE_FAMILY,
  integer: WHOLE_FAMILY,
  long: WHOLE_FAMILY,
  number: WHOLE_FAMILY,
  numeric: WHOLE_FAMILY,
  float: FRACTION_FAMILY,
  double: FRACTION_FAMILY,
}

/** Members that only some kinds accept. */
export interface SourceMembers {
  readonly format?: boolean
  readonly timeZone?: boolean
  readonly missing?: boolean
  readonly script?: boolean
}

/** Members of every aggregation on a field: `field`, `missing`, `value_type`, `format`, `script`, `time_zone`. */
export function sourceMembers(
  reader: RequestReader,
  settings: SourceSettings,
  options: SourceMembers = {},
): Record<string, MemberParser> {
  const valueType: MemberParser = {
    accepts: ACCEPTS_STRING,
    parse: () => {
      const name = reader.text()
      if (!Object.hasOwn(VALUE_TYPES, name.toLowerCase())) throw illegalArgument(`Unknown value type [${name}]`)
      settings.valueType = name.toLowerCase()
    },
  }
  const members: Record<string, MemberParser> = {
    field: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        settings.field = reader.text()
      },
    },
    value_type: valueType,
    // The old name of the member.
    valueType,
  }
  if (options.script !== false) {
    members['script'] = {
      accepts: ACCEPTS_SCRIPT,
      parse: () => {
        settings.script = readScript(reader)
      },
    }
  }
  if (options.missing !== false) {
    members['missing'] = {
      accepts: ACCEPTS_SCALAR,
      parse: () => {
        settings.missing = reader.value()
      },
    }
  }
  if (options.format !== false) {
    members['format'] = {
      accepts: ACCEPTS_STRING,
      parse: () => {
        settings.format = reader.text()
      },
    }
  }
  if (options.timeZone === true) {
    members['time_zone'] = {
      accepts: [STRING, INTEGER],
      parse: () => {
        settings.timeZone = readZone(reader)
      },
    }
  }
  return members
}

/** A zone id, or a whole number of hours. */
export function readZone(reader: RequestReader): string {
  if (reader.token === STRING) return timeZone(reader.text()).id
  const hours = reader.integer()
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
}

/** `takesScript`: whether a script may replace the field. */
export function requireField(settings: SourceSettings, takesScript = true): void {
  if (settings.field !== undefined || settings.script !== undefined) return
  const choices = takesScript ? 'field, script' : 'field'
  throw illegalArgument(`Required one of fields [${choices}], but none were specified.`)
}

/** A field bound to a shard. */
export interface ValueSource {
  /** Undefined if the index has no field of that name. */
  readonly field: FieldType | undefined
  readonly type: SourceType
  readonly format: ValueFormat
  /** The value of documents without one; undefined omits them. */
  readonly missing: MissingValue | undefined
  /** A metadata number that every document has, in place of a field. */
  readonly ofDocument?: ((reader: SegmentReader, doc: number) => number) | undefined
}

/** Looks up the field. `fallback` is the type of an unmapped field. */
export function bindSource(
  context: SearchExecutionContext,
  settings: SourceSettings,
  kind: string,
  supported: readonly SourceType[],
  fallback: SourceType,
): ValueSource {
  if (settings.script !== undefined) return bindScript(context, settings, settings.script, kind, supported, fallback)
  const metadata = metadataSource(context, settings, kind, supported)
  if (metadata !== undefined) return metadata
  const mapped = context.mapping.field(settings.field!)
  const field = mapped?.asDocValues ?? mapped
  const declared = settings.valueType === undefined ? undefined : VALUE_TYPES[settings.valueType]
  const type = field === undefined ? (declared ?? fallback) : docValuesType(context, field, kind, supported)
  if (field !== undefined && declared !== undefined && declared !== type) {
    throw illegalArgument(
      `Field type [${field.type}] is incompatible with specified value_type [${VALUE_TYPE_FAMILIES[settings.valueType!] ?? settings.valueType}]`,
    )
  }
  const format = valueFormat(field, type, settings)
  const missing = readMissing(settings.missing, type, format, context.nowMs)
  if (!supported.includes(type)) throw fieldNotSupported(settings.field!, field?.type ?? type, kind)
  return { field, type, format, missing }
}

/** A script in place of a field, or over the values of one. */
function bindScript(
  context: SearchExecutionContext,
  settings: SourceSettings,
  script: Script,
  kind: string,
  supported: readonly SourceType[],
  fallback: SourceType,
): ValueSource {
  const mapped = settings.field === undefined ? undefined : context.mapping.field(settings.field)
  const own = mapped?.asDocValues ?? mapped
  const declared = settings.valueType === undefined ? undefined : VALUE_TYPES[settings.valueType]
  const type = declared ?? (own === undefined ? fallback : docValuesType(context, own, kind, supported))
  if (!supported.includes(type)) {
    throw illegalArgument(
      `Script yielding [${settings.valueType ?? 'unknown type'}] is not supported for aggregation [${kind}]`,
    )
  }
  // An unmapped field has no values.
  if (settings.field !== undefined && own === undefined) {
    const format = valueFormat(undefined, type, settings)
    return { field: undefined, type, format, missing: readMissing(settings.missing, type, format, context.nowMs) }
  }
  const field = scriptedFieldType({
    script,
    context: 'aggs',
    type: keptType(type, settings),
    mapping: context.mapping,
    valuesOf: settings.field,
    format: type === 'date' && settings.field === undefined ? settings.format : undefined,
    queryScores: context.queryScores,
  })
  const format = valueFormat(own ?? field, type, settings)
  return { field, type, format, missing: readMissing(settings.missing, type, format, context.nowMs) }
}

/**
 * How script results are stored: numbers as doubles, unless they are declared as integers. For values of a field all results
 * but texts are doubles.
 */
function keptType(type: SourceType, { field, valueType }: SourceSettings): string {
  if (field !== undefined && (type === 'date' || type === 'boolean' || type === 'number')) return 'double'
  if (type === 'number') return VALUE_TYPE_FAMILIES[valueType ?? ''] === WHOLE_FAMILY ? 'long' : 'double'
  return type === 'geo' || type === 'range' ? 'keyword' : type
}

function docValuesType(
  context: SearchExecutionContext,
  field: FieldType,
  kind: string,
  supported: readonly SourceType[],
): SourceType {
  if (field.shape === 'text') throw fielddataDisabled(field.name, context.index.name)
  if (field.isLookup === true) throw fielddataNotSupported(field.name, field.type)
  if (field.traits.family === 'features') throw noFeatureValues(field.type)
  if (field.traits.family === 'vector' && supported.includes('keyword')) {
    throw illegalArgument('String representation of doc values for vector fields is not supported')
  }
  const type = sourceType(field)
  if (type === undefined) throw fieldNotSupported(field.name, field.type, kind)
  if (!field.hasDocValues) {
    throw illegalArgument(
      `Can't load fielddata on [${field.name}] because fielddata is unsupported on fields of type [${field.type}]. Use ` +
        'doc values instead.',
    )
  }
  return type
}

function sourceType(field: FieldType): SourceType | undefined {
  const { family } = field.traits
  if (family === 'date' || family === 'boolean' || family === 'ip') return family
  switch (field.shape) {
    case 'term':
    case 'flattened':
      return 'keyword'
    case 'number':
    case 'long':
      return 'number'
    case 'geo':
      return 'geo'
    case 'range':
      return 'range'
    default:
      return undefined
  }
}

function valueFormat(field: FieldType | undefined, type: SourceType, settings: SourceSettings): ValueFormat {
  const { format } = settings
  const zone = settings.timeZone === undefined ? undefined : timeZone(settings.timeZone)
  switch (type === 'range' && field?.dateFormat !== undefined ? 'date' : type) {
    case 'date': {
      if (format === undefined && field?.dateFormat !== undefined) return new DateValueFormat(field.dateFormat, zone)
      return new DateValueFormat(
        compileDateFormat(format ?? DEFAULT_DATE_FORMAT, field?.dateFormat?.locale ?? 'en'),
        zone,
      )
    }
    case 'number':
      if (field !== undefined && zone !== undefined) throw notSupported(field, settings, 'time zones')
      return format === undefined ? RAW_FORMAT : decimalValueFormat(format)
    default:
      if (format !== undefined) throw notSupported(field, settings, 'formats')
      if (field !== undefined && zone !== undefined) throw notSupported(field, settings, 'time zones')
      return type === 'boolean' ? BOOLEAN_FORMAT : RAW_FORMAT
  }
}

const notSupported = (field: FieldType | undefined, settings: SourceSettings, what: 'formats' | 'time zones') =>
  illegalArgument(
    `Field [${field?.name ?? settings.field}] of type [${field?.type ?? 'keyword'}] does not support custom ${what}`,
  )
