/** The `docvalue_fields` option: doc values as they are indexed. */
import { illegalArgument } from '../../../base/api-error.ts'
import { fielddataNotSupported, idFielddataDisallowed } from '../../../base/errors/search-errors.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import { checkDocValues, customFormat } from '../../mapping/doc-values-access.ts'
import { IGNORED_FIELD_TYPE } from '../../mapping/documents/ignored-field.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { RuntimeFieldType } from '../../mapping/runtime-field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { METADATA_FIELDS } from '../../query/term-level/searchable-field.ts'
import type { FieldAndFormat } from '../../request/fields.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import { distinctBytes } from '../../segment/doc-values/distinct-bytes.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'

interface DocValuesField {
  readonly name: string
  /** Whether it belongs to the whole document and not to a nested object. */
  readonly ofRoot: boolean
  read(reader: SegmentReader, doc: number): unknown[]
}

export class DocValueFetcher {
  readonly #fields: readonly DocValuesField[]

  constructor(context: SearchExecutionContext, specs: readonly FieldAndFormat[]) {
    const { maxDocvalueFields } = context.limits
    const fields = new Map<string, DocValuesField>()
    for (const spec of specs) for (const field of docValueFields(context, spec)) fields.set(field.name, field)
    if (fields.size > maxDocvalueFields) {
      throw illegalArgument(
        `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${maxDocvalueFields}] but was ` +
          `[${fields.size}]. This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.`,
      )
    }
    this.#fields = [...fields.values()]
  }

  /** `root` is the whole document of `doc`, which may be a nested object. */
  fetch(reader: SegmentReader, doc: number, root: number, into: Record<string, unknown[]>): void {
    for (const field of this.#fields) {
      const values = field.read(reader, field.ofRoot ? root : doc)
      if (values.length > 0) into[field.name] ??= values
    }
  }
}

function docValueFields(context: SearchExecutionContext, spec: FieldAndFormat): DocValuesField[] {
  const metadata = metadataField(context, spec)
  if (metadata !== undefined) return [metadata]
  const { mapping } = context
  const isPattern = spec.field.includes('*')
  const matches = namePattern(spec.field)
  const names = isPattern ? [...mapping.fieldNames()].filter((name) => matches(name)) : [spec.field]
  const fields: DocValuesField[] = []
  for (const name of names) {
    const mapped = mapping.field(name)
    const type = mapped?.asDocValues ?? mapped
    if (type === undefined) continue
    checkFormat(type, spec.format)
    checkDocValues(type, context.index)
    if (type instanceof RuntimeFieldType) {
      fields.push({ name, ofRoot: false, read: (reader, doc) => type.docValues(reader, doc, spec.format) })
      continue
    }
    fields.push({ name, ofRoot: false, read: (reader, doc) => docValuesOf(reader, doc, type, spec.format) })
  }
  return fields
}

function metadataField({ index }: SearchExecutionContext, spec: FieldAndFormat): DocValuesField | undefined {
  const { field: name, format } = spec
  if (format !== undefined && METADATA_FIELDS.has(name)) throw customFormat(name, name)
  switch (name) {
    case '_id':
      throw idFielddataDisallowed()
    case '_seq_no':
      return { name, ofRoot: true, read: (reader, doc) => [reader.seqNo(doc)] }
    case '_version':
      return { name, ofRoot: true, read: (reader, doc) => [reader.version(doc)] }
    case '_index':
      return { name, ofRoot: true, read: () => [index.name] }
    case '_ignored':
      return { name, ofRoot: true, read: (reader, doc) => docValuesOf(reader, doc, IGNORED_FIELD_TYPE, undefined) }
    default:
      if (METADATA_FIELDS.has(name)) throw fielddataNotSupported(name, name)
      return undefined
  }
}

function checkFormat(type: FieldType, format: string | undefined): void {
  if (format === undefined || type.shape === 'binary') return
  if ((type.shape === 'number' || type.shape === 'long') && type.traits.family !== 'boolean') {
    // A format that does not parse fails before the first document.
    type.formatDocValue(0, format)
    return
  }
  throw customFormat(type.name, type.type)
}

function docValuesOf(reader: SegmentReader, doc: number, type: FieldType, format: string | undefined): unknown[] {
  const name = storageName(type)
  const values: unknown[] = []
  const numbers = reader.numericDocValues(name)
  if (numbers !== undefined) {
    if (!numbers.has(doc)) return values
    for (let slot = numbers.start(doc); slot < numbers.end(doc); slot++) {
      values.push(type.formatDocValue(numbers.exact ? numbers.valueAt(slot) : numbers.bigAt(slot), format))
    }
    return values
  }
  const terms = reader.sortedSetDocValues(name)
  if (terms !== undefined) {
    if (!terms.has(doc)) return values
    for (let slot = terms.start(doc); slot < terms.end(doc); slot++) {
      values.push(type.formatDocValue(terms.term(terms.ordinalAt(slot)), format))
    }
    return values
  }
  const points = reader.geoDocValues(name)
  if (points?.has(doc)) {
    for (let slot = points.start(doc); slot < points.end(doc); slot++) {
      const lat = decodeLatitude(points.latitudeAt(slot))
      const lon = decodeLongitude(points.longitudeAt(slot))
      values.push(`${formatDouble(lat)}, ${formatDouble(lon)}`)
    }
    // Several values are sorted by their text.
    values.sort()
  }
  const binary = reader.binaryDocValues(name)
  if (binary !== undefined && type.traits.family === 'binary') {
    for (const value of distinctBytes(binary, doc)) values.push(type.formatDocValue(value, format))
  } else if (binary?.has(doc)) {
    for (let slot = binary.start(doc); slot < binary.end(doc); slot++) {
      values.push(type.formatDocValue(binary.bytesAt(slot), format))
    }
  }
  return values
}
