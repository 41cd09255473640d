/** Binds a parsed sort to the fields of an index: returns its sort keys, or throws the reason it cannot. */

import { illegalArgument, notANumber } from '../../base/api-error.ts'
import { noFeatureValues, unknownMappingType } from '../../base/errors/mapping-errors.ts'
import { fielddataNotSupported, idFielddataDisallowed, queryShardError } from '../../base/errors/search-errors.ts'
import { checkDocValues, customFormat } from '../mapping/doc-values-access.ts'
import { IGNORED_FIELD_TYPE } from '../mapping/documents/ignored-field.ts'
import { type FieldTraits, inNanoseconds } from '../mapping/field-traits.ts'
import type { FieldType } from '../mapping/field-type.ts'
import { scriptFieldsOf } from '../mapping/runtime-field-types.ts'
import { scriptedFieldType } from '../mapping/scripted-field-type.ts'
import { type GeoDistanceSort, validPoints } from '../request/sort/geo-distance-sort.ts'
import type { ScriptSort } from '../request/sort/script-sort.ts'
import type { SortMode } from '../request/sort/sort-options.ts'
import type { FieldSort, NumericType, SortSpec } from '../request/sort/sort-spec.ts'
import type { SearchExecutionContext } from '../scoring/query.ts'
import { DocumentScript } from '../scripts/document-script.ts'
import { compileDateFormat } from '../time/format/date-format.ts'
import { LONG_MAX, LONG_MIN } from '../values/long.ts'
import { anonymousField } from './anonymous-field.ts'
import type { Resolution } from './date-sort-value.ts'
import { GeoDistanceKey } from './geo-distance-key.ts'
import { IndexNameKey, MetadataKey } from './metadata-key.ts'
import { bindNested } from './nested-key.ts'
import { NumberKey } from './number-key.ts'
import { DocKey, ScoreKey, ShardDocKey } from './score-key.ts'
import { ScriptKey } from './script-key.ts'
import { truncated } from './search-after.ts'
import type { SortKey } from './sort-key.ts'
import { TermKey } from './term-key.ts'

/** `shardIndex` is the number of the shard among those of the request. */
export function bindSort(context: SearchExecutionContext, specs: readonly SortSpec[], shardIndex: number): SortKey[] {
  return specs.map((spec) => bindOne(context, spec, shardIndex))
}

function bindOne(context: SearchExecutionContext, spec: SortSpec, shardIndex: number): SortKey {
  switch (spec.kind) {
    case 'score':
      return new ScoreKey(spec.descending)
    case 'doc':
      return new DocKey(spec.descending)
    case 'shard_doc':
      return new ShardDocKey(spec.descending, shardIndex)
    case 'field':
      return bindField(context, spec)
    case 'geo_distance':
      return bindGeoDistance(context, spec)
    case 'script':
      return bindScript(context, spec)
  }
}

function bindScript(context: SearchExecutionContext, spec: ScriptSort): SortKey {
  const { script, type, descending } = spec
  const { mapping, queryScores } = context
  // Without a path the script runs on documents.
  const nested = spec.nested?.path === undefined && spec.nested?.nested === undefined ? undefined : spec.nested
  const mode = spec.mode ?? (descending ? 'max' : 'min')
  if (type === 'number') {
    if (nested === undefined) {
      return new ScriptKey(new DocumentScript(script, 'number_sort', scriptFieldsOf(mapping)), descending, queryScores)
    }
    const field = scriptedFieldType({ script, context: 'number_sort', type: 'double', mapping, queryScores })
    return bindNested(context, nestedNumberKey(field, descending, mode), nested, mode)
  }
  const field = scriptedFieldType({ script, context: TEXT_CONTEXTS[type], type: 'keyword', mapping, queryScores })
  const term = mode === 'max' ? 'max' : 'min'
  const key = new TermKey({ field, descending, mode: term, missing: 'last', format: undefined })
  return nested === undefined ? key : bindNested(context, key, nested, mode)
}

const TEXT_CONTEXTS = { string: 'string_sort', version: 'bytesref_sort' } as const

/** The results of a script for nested objects. A document without objects sorts as the largest number. */
function nestedNumberKey(field: FieldType, descending: boolean, mode: SortMode): SortKey {
  return new NumberKey({
    field,
    integral: false,
    truncates: false,
    lowest: Number.NEGATIVE_INFINITY,
    highest: Number.POSITIVE_INFINITY,
    kind: 'DOUBLE',
    resolution: undefined,
    single: false,
    descending,
    mode,
    missing: Number.MAX_VALUE,
    format: undefined,
  })
}

function bindGeoDistance(context: SearchExecutionContext, spec: GeoDistanceSort): SortKey {
  const field = context.mapping.field(spec.field)
  if (field === undefined && !spec.ignoreUnmapped) {
    throw illegalArgument(`failed to find mapper for [${spec.field}] for geo distance based sort`)
  }
  if (field !== undefined) checkDocValues(field, context.index)
  if (field !== undefined && field.shape !== 'geo') {
    throw illegalArgument(`unable to apply geo distance sort to field [${spec.field}] of type [${field.type}]`)
  }
  const key = new GeoDistanceKey({ ...spec, points: validPoints(spec), name: spec.field, field })
  return spec.nested === undefined ? key : bindNested(context, key, spec.nested, spec.mode)
}

function bindField(context: SearchExecutionContext, spec: FieldSort): SortKey {
  const metadata = bindMetadata(context, spec)
  if (metadata !== undefined) return metadata
  const mapped = context.mapping.field(spec.field)
  if (mapped === undefined && spec.unmappedType === undefined) {
    throw queryShardError(context.index, `No mapping found for [${spec.field}] in order to sort on`)
  }
  const field = mapped === undefined ? unmappedField(spec.unmappedType!) : (mapped.asDocValues ?? mapped)
  if (field.shape === 'geo') {
    const which = field.isRuntime ? 'geo_point' : 'geo_point or point'
    throw illegalArgument(`can't sort on ${which} field without using specific sorting feature, like geo_distance`)
  }
  if (field.traits.family === 'vector') {
    throw illegalArgument(`Field [${field.name}] of type [${field.type}] doesn't support sort`)
  }
  if (field.traits.family === 'features') throw noFeatureValues(field.type)
  if (!SORTABLE.has(field.shape) && field.shape !== 'text') throw fielddataNotSupported(field.name, field.type)
  checkDocValues(field, context.index)
  const inside = context.nestedScope !== undefined && field.nestedPath === context.nestedScope
  if (spec.nested === undefined && field.nestedPath !== undefined && !inside) {
    throw queryShardError(
      context.index,
      `it is mandatory to set the [nested] context on the nested sort field: [${spec.field}].`,
    )
  }
  const byTerm = field.shape === 'term' || field.shape === 'flattened'
  const key = byTerm ? termKey(context, spec, field) : numberKey(spec, field, field.traits)
  // Without the field its nested objects are not looked at.
  if (spec.nested === undefined || mapped === undefined) return key
  return bindNested(context, key, spec.nested, spec.mode)
}

const SORTABLE: ReadonlySet<string> = new Set(['term', 'flattened', 'number', 'long'])

function bindMetadata(context: SearchExecutionContext, spec: FieldSort): SortKey | undefined {
  switch (spec.field) {
    case '_id':
      throw idFielddataDisallowed()
    case '_seq_no':
      return new MetadataKey('_seq_no', (reader, doc) => reader.seqNo(doc), spec.descending)
    case '_version':
      return new MetadataKey('_version', (reader, doc) => reader.version(doc), spec.descending)
    case '_index':
      return new IndexNameKey(context.index.name, spec.descending)
    case '_routing':
    case '_source':
      throw fielddataNotSupported(spec.field, spec.field)
    case '_ignored':
      return termKey(context, spec, IGNORED_FIELD_TYPE)
    default:
      return undefined
  }
}

/** The field of a type that no document has, in place of the one that the index lacks. */
function unmappedField(type: string): FieldType {
  const field = anonymousField(type)
  if (field === undefined) throw unknownMappingType(type)
  return field.asDocValues ?? field
}

function termKey(context: SearchExecutionContext, spec: FieldSort, field: FieldType): SortKey {
  if (spec.mode === 'avg' || spec.mode === 'sum' || spec.mode === 'median') {
    throw queryShardError(context.index, 'we only support AVG, MEDIAN and SUM on number based fields')
  }
  if (spec.numericType !== undefined) {
    throw queryShardError(
      context.index,
      `[numeric_type] option cannot be set on a non-numeric field, got ${field.type}`,
    )
  }
  if (spec.format !== undefined) throw customFormat(field.name, field.type)
  const { missing } = spec
  const where = missing === undefined || missing === '_last' ? 'last' : missing === '_first' ? 'first' : undefined
  return new TermKey({
    field,
    descending: spec.descending,
    mode: spec.mode ?? (spec.descending ? 'max' : 'min'),
    missing: where ?? (field.termValue(missing) as Uint8Array),
    format: spec.format,
  })
}

function numberKey(spec: FieldSort, field: FieldType | undefined, traits: FieldTraits): SortKey {
  const mode: SortMode = spec.mode ?? (spec.descending ? 'max' : 'min')
  const isDate = traits.family === 'date'
  if (spec.format !== undefined && !isDate) {
    if (field?.traits.family === 'boolean') throw customFormat(field.name, field.type)
    throw illegalArgument('require a date_time formatter; got [decimal]')
  }
  // An invalid format is an error without hits, too.
  if (spec.format !== undefined) compileDateFormat(spec.format)
  if (spec.numericType === 'date_nanos' && field !== undefined && !isDate) {
    throw illegalArgument('trying to convert a known date time formatter to a nanosecond one, wrong field used?')
  }
  const number = traits.number!
  const integral = spec.numericType === 'double' ? false : spec.numericType !== undefined || number.isWhole
  const isInt = integral && number.sortsAs === 'INT' && spec.numericType === undefined
  const isFloat = number.sortsAs === 'FLOAT' && spec.numericType === undefined
  const { lowest, highest } = numberLimits(integral, isInt, traits, spec.numericType)
  return new NumberKey({
    field,
    integral,
    truncates: integral && !number.isWhole,
    lowest,
    highest,
    kind: afterKind(integral, isInt, isFloat && spec.widens !== true),
    resolution: resolution(traits, spec.numericType),
    single: isFloat,
    descending: spec.descending,
    mode,
    missing: parseMissing(spec.missing, integral),
    format: spec.format,
  })
}

function afterKind(integral: boolean, isInt: boolean, isFloat: boolean): 'INT' | 'LONG' | 'FLOAT' | 'DOUBLE' {
  if (integral) return isInt ? 'INT' : 'LONG'
  return isFloat ? 'FLOAT' : 'DOUBLE'
}

/** The conversion if dates of one resolution are sorted in the other. */
function resolution(traits: FieldTraits, numericType: NumericType | undefined): Resolution {
  if (traits.family !== 'date') return undefined
  if (!inNanoseconds(traits)) return numericType === 'date_nanos' ? 'multiply' : undefined
  return numericType === 'date' || numericType === 'double' ? 'divide' : undefined
}

function numberLimits(integral: boolean, isInt: boolean, traits: FieldTraits, numericType: NumericType | undefined) {
  if (!integral) return { lowest: Number.NEGATIVE_INFINITY, highest: Number.POSITIVE_INFINITY }
  if (isInt) return { lowest: -0x80000000, highest: 0x7fffffff }
  const nanos = numericType === undefined ? inNanoseconds(traits) : numericType === 'date_nanos'
  return { lowest: nanos ? 0 : LONG_MIN, highest: LONG_MAX }
}

function parseMissing(missing: unknown, integral: boolean): 'first' | 'last' | number | bigint {
  if (missing === undefined || missing === '_last') return 'last'
  if (missing === '_first') return 'first'
  if (typeof missing === 'bigint') return missing
  const value = typeof missing === 'number' ? missing : Number(missing)
  if (typeof missing === 'boolean' || Number.isNaN(value) || String(missing).trim() === '') {
    throw notANumber(missing)
  }
  return integral ? truncated(value) : value
}
