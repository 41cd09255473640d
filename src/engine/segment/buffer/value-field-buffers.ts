/** The buffered numbers, points or byte strings of one field, in order of arrival. */
import type { FieldSchema } from '../../document/field-schema.ts'
import { ByteList, DoubleList, IntList, type PackedList } from './growable.ts'
import type { ListMemory } from './list-memory.ts'
import { withoutAnalyzer } from './term-field-buffer.ts'

export interface PackedNumberField {
  readonly kind: 'number'
  readonly schema: FieldSchema
  readonly docs: PackedList<Int32Array>
  readonly values: PackedList<Float64Array>
  readonly bigValues: BigInt64Array | undefined
}

/** Numbers; exact 64-bit integers from the first value that needs it. */
export class NumberFieldBuffer {
  readonly schema: FieldSchema
  readonly docs: IntList
  readonly values: DoubleList
  /** Exact values, once a value does not fit a double. */
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
