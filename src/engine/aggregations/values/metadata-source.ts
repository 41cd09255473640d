/**
 * Aggregations over metadata fields: index name, sequence number, version, and ignored fields.
 */
import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { fieldNotSupported } from '../../../base/errors/aggregation-errors.ts'
import { METADATA_FIELDS } from '../../mapping/definition/root-settings.ts'
import { IGNORED_FIELD_TYPE } from '../../mapping/documents/ignored-field.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { readMissing } from './missing-value.ts'
import { RAW_FORMAT } from './value-format.ts'
import type { SourceSettings, SourceType, ValueSource } from './value-source.ts'

const NUMBERS: Readonly<Record<string, (reader: SegmentReader, doc: number) => number>> = {
  _seq_no: (reader, doc) => reader.seqNo(doc),
  _version: (reader, doc) => reader.version(doc),
}

/** Undefined for ordinary fields. */
export function metadataSource(
  shard: SearchExecutionContext,
  settings: SourceSettings,
  kind: string,
  supported: readonly SourceType[],
): ValueSource | undefined {
  const name = settings.field!
  if (!name.startsWith('_') || !METADATA_FIELDS.includes(name)) return undefined
  const number = NUMBERS[name]
  const type = name === '_index' || name === '_ignored' ? 'keyword' : 'number'
  if (type === 'number' && number === undefined) throw notReadable(name)
  const missing = readMissing(settings.missing, type, RAW_FORMAT, shard.nowMs)
  if (!supported.includes(type)) throw fieldNotSupported(name, name, kind)
  if (name === '_ignored') return { field: IGNORED_FIELD_TYPE, type, format: RAW_FORMAT, missing }
  return {
    field: undefined,
    type,
    format: RAW_FORMAT,
    // No document has a value of its own, so all have that of their index.
    missing: name === '_index' ? shard.index.name : undefined,
    ofDocument: number,
  }
}

const notReadable = (name: string): ApiError =>
  illegalArgument(
    name === '_id'
      ? 'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: ' +
          'indices.id_field_data.enabled'
      : `Fielddata is not supported on field [${name}] of type [${name}]`,
  )
