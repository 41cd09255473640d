/** `field('f')`: the values of a field with a default for documents that have none. */

import type { VectorSpace } from '../../../vectors/vector-space.ts'
import type { DocValuesReader } from '../../contract.ts'
import { JDouble } from '../boxed.ts'
import { toDef } from '../boxing.ts'
import { JIterable } from '../collections/iterable.ts'
import { JArrayList } from '../collections/list.ts'
import { longToInt } from '../numbers.ts'
import { zonedFromMillis, zonedFromNanos } from '../time/zoned-date-time.ts'
import type { Environment } from './environment.ts'
import { GeoPoint } from './geo-point.ts'
import { IPAddress } from './ip-address.ts'
import { DenseVector, vectorClass } from './vectors/dense-vector.ts'

type Read = (reader: DocValuesReader, index: number) => unknown

interface Kind {
  /** The name of the class in the package of the fields API. */
  name: string
  /** The declared type of a value. */
  type: string
  read: Read
}

function readVector({ vectors }: DocValuesReader): DenseVector {
  const { space, stored, slot } = vectors!
  return new DenseVector(space, stored!.original(slot))
}

const int: Read = (reader, i) => longToInt(reader.longAt(i))
const KINDS: Readonly<Record<DocValuesReader['type'], Kind>> = {
  byte: { name: 'ByteDocValuesField', type: 'byte', read: int },
  short: { name: 'ShortDocValuesField', type: 'short', read: int },
  integer: { name: 'IntegerDocValuesField', type: 'int', read: int },
  long: { name: 'LongDocValuesField', type: 'long', read: (r, i) => r.longAt(i) },
  unsigned_long: { name: 'LongDocValuesField', type: 'long', read: (r, i) => BigInt.asIntN(64, r.longAt(i)) },
  half_float: { name: 'HalfFloatDocValuesField', type: 'float', read: (r, i) => r.doubleAt(i) },
  float: { name: 'FloatDocValuesField', type: 'float', read: (r, i) => r.doubleAt(i) },
  scaled_float: { name: 'ScaledFloatDocValuesField', type: 'double', read: (r, i) => r.doubleAt(i) },
  double: { name: 'DoubleDocValuesField', type: 'double', read: (r, i) => r.doubleAt(i) },
  boolean: { name: 'BooleanDocValuesField', type: 'boolean', read: (r, i) => r.doubleAt(i) !== 0 },
  keyword: { name: 'KeywordDocValuesField', type: 'java.lang.String', read: (r, i) => r.stringAt(i) },
  text: { name: 'KeywordDocValuesField', type: 'java.lang.String', read: (r, i) => r.stringAt(i) },
  version: { name: 'KeywordDocValuesField', type: 'java.lang.String', read: (r, i) => r.stringAt(i) },
  date: { name: 'DateMillisDocValuesField', type: 'def', read: (r, i) => zonedFromMillis(r.doubleAt(i)) },
  date_nanos: { name: 'DateNanosDocValuesField', type: 'def', read: (r, i) => zonedFromNanos(r.longAt(i)) },
  ip: { name: 'IpDocValuesField', type: 'def', read: (r, i) => new IPAddress(r.stringAt(i)) },
  geo_point: {
    name: 'GeoPointDocValuesField',
    type: 'def',
    read: (r, i) => new GeoPoint(r.doubleAt(i), r.longitudeAt(i)),
  },
  binary: { name: 'BinaryDocValuesField', type: 'def', read: (r, i) => r.bytesAt(i) },
  dense_vector: { name: 'vectors.DenseVectorDocValuesField', type: 'def', read: readVector },
}

/** The values of the document that was current when the script called `field`. */
class DocumentField extends JIterable {
  readonly #name: string
  readonly #kind: Kind | undefined
  readonly #values: readonly unknown[]

  constructor(name: string, kind: Kind | undefined, values: readonly unknown[]) {
    super()
    this.#name = name
    this.#kind = kind
    this.#values = values
  }

  get $class(): string {
    return `org.elasticsearch.script.field.${this.#kind?.name ?? 'EmptyField'}`
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (const value of this.#values) yield toDef(value, this.#kind?.type ?? 'def')
  }

  getName_0(): string {
    return this.#name
  }

  isEmpty_0(): boolean {
    return this.#values.length === 0
  }

  size_0(): number {
    return this.#values.length
  }

  get_1(fallback: unknown): unknown {
    return this.get_2(0, fallback)
  }

  asString_1(fallback: string | null): string | null {
    return this.asString_2(0, fallback)
  }

  asStrings_0(): JArrayList {
    return new JArrayList(this.#values.map((value) => (value as IPAddress).text))
  }

  asDouble_1(fallback: number): number {
    return this.asDouble_2(0, fallback)
  }

  asDouble_2(index: number, fallback: number): number {
    return this.get_2(index, fallback) as number
  }

  asDoubles_0(): JArrayList {
    return new JArrayList(this.#values.map((value) => new JDouble(value as number)))
  }

  get_2(index: number, fallback: unknown): unknown {
    return index >= 0 && index < this.#values.length ? this.#values[index] : fallback
  }

  asString_2(index: number, fallback: string | null): string | null {
    return index >= 0 && index < this.#values.length ? (this.#values[index] as IPAddress).text : fallback
  }
}

/** The vector of the document, an empty one if it has none. */
class VectorField extends DocumentField {
  readonly #class: string

  constructor(name: string, kind: Kind, space: VectorSpace, values: readonly unknown[]) {
    super(name, kind, values)
    this.#class = `${vectorClass(space)}DocValuesField`
  }

  override get $class(): string {
    return this.#class
  }

  override get $listed(): string {
    return 'org.elasticsearch.script.field.vectors.DenseVectorDocValuesField'
  }

  get_0(): unknown {
    return this.get_1(NO_VECTOR)
  }
}

const NO_VECTOR = new DenseVector()

const readers = new WeakMap<Environment, Map<string, DocValuesReader | undefined>>()

/** The reader of `field(name)`, the same for all calls; undefined for an unmapped field. */
export function fieldReader(env: Environment, name: string): DocValuesReader | undefined {
  let own = readers.get(env)
  if (own === undefined) readers.set(env, (own = new Map()))
  if (!own.has(name)) own.set(name, env.bindings.doc?.fieldReader(name))
  return own.get(name)
}

/** The class of `field(name)`. */
export function fieldClass(reader: DocValuesReader | undefined): string {
  return `org.elasticsearch.script.field.${reader === undefined ? 'EmptyField' : KINDS[reader.type].name}`
}

export function documentField(env: Environment, name: string): DocumentField {
  const reader = fieldReader(env, name)
  if (reader === undefined) return new DocumentField(name, undefined, [])
  const kind = KINDS[reader.type]
  const count = reader.advance(env.document)
  const values = Array.from({ length: count }, (_, i) => kind.read(reader, i))
  if (reader.vectors !== undefined) return new VectorField(name, kind, reader.vectors.space, values)
  return new DocumentField(name, kind, values)
}
