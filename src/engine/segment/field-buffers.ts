/**
 * The values of one field while documents are buffered, in the order they came. Nothing is sorted here: a token costs a
 * table lookup and a push, and the order of terms and values is made once, when the segment is written.
 */
import { immenseToken, TERM_BYTES_MAX } from '../../base/errors/term-errors.ts'
import type { FieldSchema, IndexAnalyzer, PortableAnalyzer, TokenSink } from '../document/field-schema.ts'
import { ByteList, DoubleList, IntList, type PackedList } from './growable.ts'
import type { ListMemory } from './list-memory.ts'
import { type PackedTerms, TermTable } from './term-table.ts'
import { type PackedTexts, TextList } from './text-list.ts'

/** What the thread that unpacks a buffer brings along: memory for what it still has to make, and analyzers. */
export interface Revival {
  readonly memory?: ListMemory
  analyzer(portable: PortableAnalyzer): IndexAnalyzer
}

/** A field's values on their way to the thread that writes the segment. */
export type PackedField = PackedTermField | PackedNumberField | PackedGeoField | PackedBinaryField

export interface PackedTermField {
  readonly kind: 'term'
  readonly schema: FieldSchema
  /** Instead of tokens, together with the analyzer that makes them. */
  readonly texts: PackedTexts | undefined
  readonly analyzer: PortableAnalyzer | undefined
  readonly table: PackedTerms
  readonly tokens: PackedList<Int32Array>
  readonly positions: PackedList<Int32Array> | undefined
  readonly groupDocs: PackedList<Int32Array>
  readonly groupStarts: PackedList<Int32Array>
  readonly groupLengths: PackedList<Int32Array>
}

/** Terms of a text or keyword field. Tokens of one document form a group. */
export class TermFieldBuffer implements TokenSink {
  readonly schema: FieldSchema
  readonly table: TermTable
  /** Term of each token. */
  readonly tokens: IntList
  /** Position of each token, when the field has positions. */
  readonly positions: IntList | undefined
  /** Document of each group, and where its tokens begin. */
  readonly groupDocs: IntList
  readonly groupStarts: IntList
  /** Tokens that count for the document's length (those at a place of their own). */
  readonly groupLengths: IntList
  #texts: TextList | undefined
  #position = -1
  #length = 0

  constructor(schema: FieldSchema, memory?: ListMemory, table = new TermTable(memory)) {
    this.schema = schema
    this.#texts = schema.analyzer?.portable === undefined ? undefined : new TextList(memory)
    this.table = table
    this.tokens = new IntList(64, memory)
    this.positions = schema.inverted === 'positions' ? new IntList(64, memory) : undefined
    this.groupDocs = new IntList(64, memory)
    this.groupStarts = new IntList(64, memory)
    this.groupLengths = new IntList(64, memory)
  }

  static unpack(packed: PackedTermField, revival: Revival): TermFieldBuffer {
    if (packed.texts !== undefined) {
      const schema = { ...packed.schema, analyzer: revival.analyzer(packed.analyzer!) }
      const field = new TermFieldBuffer(schema, revival.memory)
      field.#texts = TextList.unpack(packed.texts)
      return field
    }
    const field = new TermFieldBuffer(packed.schema, undefined, TermTable.unpack(packed.table))
    field.tokens.adopt(packed.tokens)
    if (packed.positions !== undefined) field.positions!.adopt(packed.positions)
    field.groupDocs.adopt(packed.groupDocs)
    field.groupStarts.adopt(packed.groupStarts)
    field.groupLengths.adopt(packed.groupLengths)
    return field
  }

  pack(): PackedTermField {
    return {
      kind: 'term',
      schema: withoutAnalyzer(this.schema),
      texts: this.#texts?.pack(),
      analyzer: this.schema.analyzer?.portable,
      table: this.table.pack(),
      tokens: this.tokens.pack(),
      positions: this.positions?.pack(),
      groupDocs: this.groupDocs.pack(),
      groupStarts: this.groupStarts.pack(),
      groupLengths: this.groupLengths.pack(),
    }
  }

  release(): void {
    this.#texts?.release()
    this.table.release()
    this.tokens.release()
    this.positions?.release()
    this.groupDocs.release()
    this.groupStarts.release()
    this.groupLengths.release()
  }

  get memoryBytes(): number {
    return (
      this.table.memoryBytes +
      this.tokens.memoryBytes +
      (this.positions?.memoryBytes ?? 0) +
      (this.#texts?.memoryBytes ?? 0) +
      this.groupDocs.memoryBytes * 3
    )
  }

  addTerm(doc: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#texts !== undefined) this.analyzeTexts()
    this.#openGroup(doc)
    this.tokens.push(this.table.intern(bytes, start, end))
    this.positions?.push(++this.#position)
    this.groupLengths.array[this.groupLengths.length - 1] = ++this.#length
  }

  addText(doc: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#texts === undefined) this.#analyze(doc, bytes, start, end)
    else this.#texts.add(doc, bytes, start, end)
  }

  /** To be called before the tokens are looked at. */
  analyzeTexts(): void {
    const texts = this.#texts
    if (texts === undefined) return
    texts.each((doc, bytes, start, end) => this.#analyze(doc, bytes, start, end))
    texts.release()
    this.#texts = undefined
  }

  #analyze(doc: number, bytes: Uint8Array, start: number, end: number): void {
    this.#openGroup(doc)
    this.schema.analyzer!.analyze(bytes, start, end, this)
    this.#position += this.schema.positionGap
    this.groupLengths.array[this.groupLengths.length - 1] = this.#length
  }

  token(bytes: Uint8Array, start: number, end: number, positionIncrement: number): void {
    this.#position += positionIncrement
    if (positionIncrement > 0) this.#length++
    if (end - start > TERM_BYTES_MAX) throw immenseToken(this.schema.name, bytes, start, end)
    this.tokens.push(this.table.intern(bytes, start, end))
    this.positions?.push(this.#position)
  }

  endOfValue(positionIncrement: number): void {
    this.#position += positionIncrement
  }

  #openGroup(doc: number): void {
    const groups = this.groupDocs
    if (groups.length > 0 && groups.array[groups.length - 1] === doc) return
    groups.push(doc)
    this.groupStarts.push(this.tokens.length)
    this.groupLengths.push(0)
    this.#position = -1
    this.#length = 0
  }
}

export interface PackedNumberField {
  readonly kind: 'number'
  readonly schema: FieldSchema
  readonly docs: PackedList<Int32Array>
  readonly values: PackedList<Float64Array>
  readonly bigValues: BigInt64Array | undefined
}

/** Numbers; exact 64-bit integers from the first one that needs it. */
export class NumberFieldBuffer {
  readonly schema: FieldSchema
  readonly docs: IntList
  readonly values: DoubleList
  /** Exact values, from the moment one does not fit a double. */
  bigValues: BigInt64Array | undefined

  constructor(schema: FieldSchema, memory?: ListMemory) {
    this.schema = schema
    this.docs = new IntList(64, memory)
    this.values = new DoubleList(64, memory)
  }

  static unpack(packed: PackedNumberField): NumberFieldBuffer {
    const field = new NumberFieldBuffer(packed.schema)
    field.docs.adopt(packed.docs)
    field.values.adopt(packed.values)
    field.bigValues = packed.bigValues
    return field
  }

  pack(): PackedNumberField {
    const { docs, values, bigValues } = this
    return { kind: 'number', schema: withoutAnalyzer(this.schema), docs: docs.pack(), values: values.pack(), bigValues }
  }

  release(): void {
    this.docs.release()
    this.values.release()
  }

  get memoryBytes(): number {
    return this.docs.memoryBytes + this.values.memoryBytes + (this.bigValues?.byteLength ?? 0)
  }

  add(doc: number, value: number): void {
    if (this.bigValues !== undefined) {
      this.addLong(doc, BigInt(value))
      return
    }
    this.docs.push(doc)
    this.values.push(value)
  }

  addLong(doc: number, value: bigint): void {
    const at = this.values.length
    if (this.bigValues === undefined) {
      this.bigValues = new BigInt64Array(Math.max(64, this.values.array.length))
      for (let i = 0; i < at; i++) this.bigValues[i] = BigInt(this.values.array[i]!)
    } else if (at === this.bigValues.length) {
      const grown = new BigInt64Array(at * 2)
      grown.set(this.bigValues)
      this.bigValues = grown
    }
    this.bigValues[at] = value
    this.docs.push(doc)
    this.values.push(Number(value))
  }
}

export interface PackedGeoField {
  readonly kind: 'geo'
  readonly schema: FieldSchema
  readonly docs: PackedList<Int32Array>
  readonly latitudes: PackedList<Int32Array>
  readonly longitudes: PackedList<Int32Array>
}

export class GeoFieldBuffer {
  readonly schema: FieldSchema
  readonly docs: IntList
  readonly latitudes: IntList
  readonly longitudes: IntList

  constructor(schema: FieldSchema, memory?: ListMemory) {
    this.schema = schema
    this.docs = new IntList(64, memory)
    this.latitudes = new IntList(64, memory)
    this.longitudes = new IntList(64, memory)
  }

  static unpack(packed: PackedGeoField): GeoFieldBuffer {
    const field = new GeoFieldBuffer(packed.schema)
    field.docs.adopt(packed.docs)
    field.latitudes.adopt(packed.latitudes)
    field.longitudes.adopt(packed.longitudes)
    return field
  }

  pack(): PackedGeoField {
    return {
      kind: 'geo',
      schema: withoutAnalyzer(this.schema),
      docs: this.docs.pack(),
      latitudes: this.latitudes.pack(),
      longitudes: this.longitudes.pack(),
    }
  }

  release(): void {
    this.docs.release()
    this.latitudes.release()
    this.longitudes.release()
  }

  get memoryBytes(): number {
    return this.docs.memoryBytes * 3
  }

  add(doc: number, latitude: number, longitude: number): void {
    this.docs.push(doc)
    this.latitudes.push(latitude)
    this.longitudes.push(longitude)
  }
}

export interface PackedBinaryField {
  readonly kind: 'binary'
  readonly schema: FieldSchema
  readonly docs: PackedList<Int32Array>
  readonly ends: PackedList<Int32Array>
  readonly pool: PackedList<Uint8Array>
}

export class BinaryFieldBuffer {
  readonly schema: FieldSchema
  readonly docs: IntList
  readonly ends: IntList
  readonly pool: ByteList

  constructor(schema: FieldSchema, memory?: ListMemory) {
    this.schema = schema
    this.docs = new IntList(64, memory)
    this.ends = new IntList(64, memory)
    this.pool = new ByteList(256, memory)
  }

  static unpack(packed: PackedBinaryField): BinaryFieldBuffer {
    const field = new BinaryFieldBuffer(packed.schema)
    field.docs.adopt(packed.docs)
    field.ends.adopt(packed.ends)
    field.pool.adopt(packed.pool)
    return field
  }

  pack(): PackedBinaryField {
    const { docs, ends, pool } = this
    return {
      kind: 'binary',
      schema: withoutAnalyzer(this.schema),
      docs: docs.pack(),
      ends: ends.pack(),
      pool: pool.pack(),
    }
  }

  release(): void {
    this.docs.release()
    this.ends.release()
    this.pool.release()
  }

  get memoryBytes(): number {
    return this.docs.memoryBytes * 2 + this.pool.memoryBytes
  }

  add(doc: number, bytes: Uint8Array, start: number, end: number): void {
    this.docs.push(doc)
    this.pool.append(bytes, start, end)
    this.ends.push(this.pool.length)
  }
}

export type FieldBuffer = TermFieldBuffer | NumberFieldBuffer | GeoFieldBuffer | BinaryFieldBuffer

export function openFieldBuffer(schema: FieldSchema, memory: ListMemory | undefined): FieldBuffer {
  if (schema.inverted !== 'none' || schema.column === 'term') return new TermFieldBuffer(schema, memory)
  if (schema.column === 'geo') return new GeoFieldBuffer(schema, memory)
  if (schema.column === 'binary') return new BinaryFieldBuffer(schema, memory)
  return new NumberFieldBuffer(schema, memory)
}

export function unpackField(packed: PackedField, revival: Revival): FieldBuffer {
  switch (packed.kind) {
    case 'term':
      return TermFieldBuffer.unpack(packed, revival)
    case 'number':
      return NumberFieldBuffer.unpack(packed)
    case 'geo':
      return GeoFieldBuffer.unpack(packed)
    case 'binary':
      return BinaryFieldBuffer.unpack(packed)
  }
}

/** An analyzer is code, which stays where it is; values that are packed have been through it. */
function withoutAnalyzer(schema: FieldSchema): FieldSchema {
  const { id, name, inverted, norms, column, ordered, positionGap } = schema
  return { id, name, inverted, norms, column, ordered, positionGap, analyzer: undefined }
}
