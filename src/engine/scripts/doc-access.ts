/** `doc` and `field()` of scripts: the doc values of a segment's documents, by field name. */
import { illegalArgument } from '../../base/api-error.ts'
import { fielddataNotSupported, idFielddataDisallowed } from '../../base/errors/search-errors.ts'
import type { DocAccess, DocValuesReader, DocValuesType, LinkedField } from '../painless/index.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import type { VectorSpace } from '../vectors/vector-space.ts'
import { docValuesReader } from './doc-values-readers.ts'
import { documentSource } from './document-source.ts'
import { scriptEnvironment } from './script-environment.ts'

/** The properties of a mapped field that scripts need. */
export interface ScriptField {
  readonly name: string
  readonly type: string
  readonly hasDocValues: boolean
  /** The name of the field in segments; undefined for types that store no data of their own. */
  readonly schema: { readonly name: string } | undefined
  readonly asDocValues?: ScriptField | undefined
  /** Of vectors, once a document has one. */
  readonly space?: VectorSpace | undefined
  /** For numbers that are stored in another form. */
  decodeNumber?(stored: number): number
  formatDocValue(value: number | bigint | Uint8Array, format: string | undefined): unknown
}

/** The fields a script may read. */
export interface ScriptFields {
  field(name: string): ScriptField | undefined
  /** Throws if the values of a field cannot be read by document. */
  check(field: ScriptField): void
}

/** The type that scripts see, by mapping type. */
const TYPES: Readonly<Record<string, DocValuesType>> = {
  byte: 'byte',
  short: 'short',
  integer: 'integer',
  token_count: 'integer',
  long: 'long',
  unsigned_long: 'unsigned_long',
  half_float: 'half_float',
  float: 'float',
  scaled_float: 'scaled_float',
  double: 'double',
  boolean: 'boolean',
  keyword: 'keyword',
  wildcard: 'keyword',
  join: 'keyword',
  parent: 'keyword',
  constant_keyword: 'keyword',
  flattened: 'keyword',
  text: 'text',
  date: 'date',
  date_nanos: 'date_nanos',
  ip: 'ip',
  version: 'version',
  geo_point: 'geo_point',
  binary: 'binary',
  dense_vector: 'dense_vector',
}

/** The type of a field for the compilation of scripts. */
export function docValuesType(fields: ScriptFields, name: string): DocValuesType | undefined {
  const field = fields.field(name)
  return field === undefined ? undefined : TYPES[field.type]
}

/** The field that an expression names. Throws if its values cannot be read by document. */
export function linkedField(fields: ScriptFields, name: string): LinkedField | undefined {
  const field = fields.field(name)
  if (field === undefined) return undefined
  fields.check(field.asDocValues ?? field)
  return { type: TYPES[field.type] }
}

/** Metadata fields that scripts may read like a field. */
const METADATA: Readonly<Record<string, (reader: SegmentReader) => DocValuesReader>> = {
  _index: () => constantText(scriptEnvironment().indexName),
  _seq_no: (reader) => documentNumber((doc) => reader.seqNo(doc)),
  _version: (reader) => documentNumber((doc) => reader.version(doc)),
}

export class SegmentDoc implements DocAccess {
  readonly #reader: SegmentReader
  readonly #fields: ScriptFields

  constructor(reader: SegmentReader, fields: ScriptFields) {
    this.#reader = reader
    this.#fields = fields
  }

  isMapped(name: string): boolean {
    return this.#fields.field(name) !== undefined || Object.hasOwn(METADATA, name)
  }

  reader(name: string): DocValuesReader {
    const field = this.#fields.field(name)
    if (field !== undefined) return this.#open(field)
    if (name === '_id') throw idFielddataDisallowed()
    if (Object.hasOwn(METADATA, name)) return METADATA[name]!(this.#reader)
    throw illegalArgument(`No field found for [${name}] in mapping`)
  }

  fieldReader(name: string): DocValuesReader | undefined {
    const field = this.#fields.field(name)
    if (field !== undefined) {
      const isText =
        docValuesType(this.#fields, name) === 'text' && !field.hasDocValues && field.asDocValues === undefined
      return isText && !this.#hasFielddata(field) ? sourceTexts(this.#reader, name) : this.#open(field)
    }
    return Object.hasOwn(METADATA, name) ? METADATA[name]!(this.#reader) : undefined
  }

  #hasFielddata(field: ScriptField): boolean {
    try {
      this.#fields.check(field)
      return true
    } catch {
      return false
    }
  }

  #open(mapped: ScriptField): DocValuesReader {
    const field = mapped.asDocValues ?? mapped
    this.#fields.check(field)
    const type = TYPES[mapped.type]
    if (type === undefined) {
      throw fielddataNotSupported(mapped.name, mapped.type)
    }
    return docValuesReader(this.#reader, field, type)
  }
}

/** The texts of a field in the source, for `field()` on texts without fielddata. */
function sourceTexts(reader: SegmentReader, path: string): DocValuesReader {
  let texts: string[] = []
  return {
    ...NOTHING,
    type: 'text',
    advance(doc) {
      texts = []
      collectTexts(documentSource(reader, doc), path.split('.'), texts)
      texts.sort()
      return texts.length
    },
    stringAt: (index) => texts[index]!,
  }
}

function collectTexts(value: unknown, path: readonly string[], into: string[]): void {
  if (Array.isArray(value)) for (const item of value) collectTexts(item, path, into)
  else if (path.length === 0) {
    if (value !== null && value !== undefined && typeof value !== 'object') into.push(String(value))
  } else if (typeof value === 'object' && value !== null) {
    for (let end = path.length; end > 0; end--) {
      const name = path.slice(0, end).join('.')
      if (Object.hasOwn(value, name)) collectTexts((value as Record<string, unknown>)[name], path.slice(end), into)
    }
  }
}

function constantText(text: string): DocValuesReader {
  return { ...NOTHING, type: 'keyword', advance: () => 1, stringAt: () => text }
}

function documentNumber(of: (doc: number) => number): DocValuesReader {
  let value = 0
  return {
    ...NOTHING,
    type: 'long',
    advance(doc) {
      value = of(doc)
      return 1
    },
    longAt: () => BigInt(value),
    doubleAt: () => value,
  }
}

const unread = (): never => {
  throw new TypeError('not a value of this type')
}

const NOTHING = {
  longAt: unread,
  doubleAt: unread,
  longitudeAt: unread,
  stringAt: unread,
  bytesAt: unread,
}
