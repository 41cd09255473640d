/**
 * The contract between Painless and the rest of the engine.
 *
 * A script is compiled once per source, context and set of field types. The caller caches the result. An instance binds
 * the compiled script to one caller: its parameters, its doc values readers, its emit sink. An instance belongs to one
 * thread and is not re-entrant. Running an instance for a document allocates only what the script itself creates.
 *
 * Values that enter and leave scripts are Java values, see `host/host-values.ts`: `toJava` and `fromJava` convert JSON.
 */
import type { StoredVectors } from '../vectors/stored-vectors.ts'
import type { VectorSpace } from '../vectors/vector-space.ts'
import type { ContextName } from './contexts/context.ts'

/** The mapping type of a doc values reader. It decides the Java type that a script sees. */
export type DocValuesType =
  | 'byte'
  | 'short'
  | 'integer'
  | 'long'
  | 'unsigned_long'
  | 'half_float'
  | 'float'
  | 'scaled_float'
  | 'double'
  | 'boolean'
  | 'keyword'
  | 'text'
  | 'date'
  | 'date_nanos'
  | 'ip'
  | 'version'
  | 'geo_point'
  | 'binary'
  | 'dense_vector'

/**
 * The doc values of one field in one segment, or of one runtime field. Values are sorted like doc values. Only the
 * accessors of the field's type are called; the other accessors may throw.
 */
export interface DocValuesReader {
  readonly type: DocValuesType
  /** Moves to a document and returns how many values it has. Called at most once per document and field. */
  advance(doc: number): number
  /** byte to unsigned_long: the value. date: epoch milliseconds. date_nanos: epoch nanoseconds. */
  longAt(index: number): bigint
  /**
   * Floating point types: the value (a float as stored, widened). Integer types: the value as the nearest double. boolean: 0 or 1.
   * date: epoch milliseconds. geo_point: latitude.
   */
  doubleAt(index: number): number
  /** geo_point: longitude. */
  longitudeAt(index: number): number
  /** keyword, text, ip (canonical text), version. */
  stringAt(index: number): string
  /** binary. */
  bytesAt(index: number): Uint8Array
  /** dense_vector. */
  readonly vectors?: VectorReader
  /**
   * Numbers and booleans: reads the values of `docs[0, count)`, ascending, like `doubleAt`. Returns false if a value is
   * an integer beyond 2^53, which a double cannot represent.
   */
  readBlock?(docs: Int32Array, count: number, into: NumberBlock): boolean
  /**
   * Numbers and booleans, exact as doubles, of which each document has one: those of `count` documents from `from` on, in `scratch`
   * or in an array that must not be changed. Otherwise undefined.
   */
  readRange?(from: number, count: number, scratch: Float64Array): Float64Array | undefined
  /** Keywords: reads the ordinals of `docs[0, count)`, ascending. */
  readOrdinals?(docs: Int32Array, count: number, into: OrdinalBlock): void
  /** The text of an ordinal. */
  textOf?(ordinal: number): string
  readonly canReadBlocks?: boolean
  /** Every document of the segment has one value. */
  readonly isDense?: boolean
  /** Whole numbers and dates: the smallest and largest value of the segment. */
  readonly range?: { readonly min: number; readonly max: number } | undefined
  /** Numbers: the bounds of blocks of documents, if they are known. */
  readonly blockRanges?: BlockRanges | undefined
}

/** The vectors of a field in one segment. */
export interface VectorReader {
  readonly space: VectorSpace
  /** Undefined in a segment without vectors of the field. */
  readonly stored: StoredVectors | undefined
  /** The place of the current document's vector; -1 if it has none. */
  readonly slot: number
}

/** The smallest and largest value of every block of documents. */
export interface BlockRanges {
  /** The number of documents of a block. */
  readonly blockDocs: number
  /** The number of documents of the segment. The last block may be shorter. */
  readonly docCount: number
  /** The bounds of each block side by side. They are values of documents. */
  readonly bounds: Float64Array
}

/** The values of a block of documents. Those of document i are `values[offsets[i] .. offsets[i + 1])`. */
export interface NumberBlock {
  readonly offsets: Int32Array
  values: Float64Array
}

export interface OrdinalBlock {
  readonly offsets: Int32Array
  ordinals: Int32Array
}

/**
 * Doc values by field name. A reader is requested once per instance and field, when the script first reads the field.
 */
export interface DocAccess {
  /** `doc.containsKey('f')`: whether the field is mapped. */
  isMapped(field: string): boolean
  /** Throws the ApiError of the field (`No field found for [x] in mapping`, fielddata disabled, …). */
  reader(field: string): DocValuesReader
  /** The reader of `field('f')`; undefined for an unmapped field, which reads as an empty field. */
  fieldReader(field: string): DocValuesReader | undefined
}

/** Receives the values of emit() in the runtime field contexts. Only the method of the context's type is called. */
export interface EmitSink {
  /** long_field; date_field with epoch milliseconds. */
  emitLong?(value: bigint): void
  emitDouble?(value: number): void
  emitBoolean?(value: boolean): void
  /** keyword_field and ip_field. The sink checks ip syntax. */
  emitString?(value: string): void
  emitGeoPoint?(lat: number, lon: number): void
  /** composite_field: a Java value for one sub-field. Unknown names are ignored by the sink. */
  emitComposite?(name: string, value: unknown): void
}

/** The objects that a caller binds to a script. Members that a context does not use are ignored. */
export interface ScriptBindings {
  /** A plain JSON object or an already converted JMap. It is read-only for scripts at the top level. */
  params?: unknown
  doc?: DocAccess
  emit?: EmitSink
  /** Called by `executeBlock` before each document. Values emitted after the call belong to that document. */
  begin?: (doc: number) => void
  /** Where `executeBlock` stores emitted values of numbers, dates, booleans and keywords. */
  emitBlock?: EmitBlock
  /** `_score` of the current document. */
  score?: () => number
  /** `params._source` or `_source` of a document as plain JSON. Called at most once per document. */
  source?: (doc: number) => unknown
  /** date_field: parses a text with the field's format. */
  parseDate?: (text: string) => bigint
  /** score: seed of randomScore, and term statistics. */
  termStats?: unknown
  /** score: the document id of `randomScore(seed)` without a field. */
  docBase?: number
  /** Index and shard are part of randomScore's hash. */
  indexName?: string
  shardId?: number
}

/** One script bound to one caller. */
export interface ScriptInstance {
  /**
   * Runs the script. `doc` is the segment's document number for contexts with doc values, otherwise omitted. The result
   * is in the representation of the context's return type: boolean, number (double), string, undefined for void, a Java
   * value for Object. Throws ScriptException.
   */
  execute(doc?: number): unknown
  /**
   * Sets a variable of the context before `execute`: `ctx`, `state`, `states`, `values`, `_value`, `weight`, `query`,
   * `field`, `term`, `doc` (similarity), `interval`, `token`. Maps and lists are Java values (`toJava`). The context
   * defines its variables.
   */
  set(variable: string, value: unknown): void
  /**
   * Runs the script for `docs[0, count)`, ascending, like `execute` for each. `results` receives the results and is
   * omitted if the context returns nothing. Returns the number of documents that succeeded. It is less than `count` if
   * the next document failed, and `failure` then has the ScriptException.
   */
  executeBlock(docs: Int32Array, count: number, results?: BlockResults, scores?: Float32Array | Float64Array): number
  /**
   * Emits the result for each of `docs[0, count)`, ascending, if the script returns the result of arithmetic that cannot fail. Returns
   * false otherwise; then nothing was emitted.
   */
  emitResults?(docs: Int32Array, count: number): boolean
  /** Like `emitResults`, or what the script itself emits, for `count` documents from `from` on. */
  emitRange?(from: number, count: number): boolean
  /**
   * Whether the script cannot fail for `docs[0, count)` and every result is a number from 0 to `limit`. That is found out from the
   * bounds of the doc values, for few scripts.
   */
  isWithin?(limit: number, docs: Int32Array, count: number, scores?: Float32Array | Float64Array): boolean
  readonly failure: unknown
}

/** Numbers for contexts that return double. Booleans become 1 and 0. */
export type BlockResults = Float64Array | Uint8Array | unknown[]

/**
 * Receives the values that a block of documents emits, in arrays. Generated code writes the value and its document at
 * the same place of both arrays.
 */
export interface EmitBlock {
  /** The document of each value. */
  readonly docArray: Int32Array
  /** `long_field` only: 64-bit integers are expected from now on. */
  useLongs?(): void
  /** The values: of long_field numbers, or 64-bit integers after `useLongs`; of keyword_field the numbers of terms. */
  readonly valueArray: Float64Array | BigInt64Array | Int32Array
  /** The number of values of finished documents. */
  readonly kept: number
  /** Makes room for `count` values in all. The arrays may be replaced. */
  room(count: number): void
  /** A document has the values [from, to), several of them. */
  endValues(from: number, to: number): void
  /** The values of all finished documents are the first `count`. */
  keep(count: number): void
  /** After the values of finished documents there is one value of each of `docs[0, count)`. These are finished, too. */
  keepEach(docs: Int32Array, count: number): void
  /**
   * As `keepEach` for `count` documents from `from` on. `ranges` has the smallest and largest of the values of each block of
   * documents, as in `BlockRanges`; undefined if they are not known.
   */
  keepRange(from: number, count: number, ranges: Float64Array | undefined): void
  /** keyword_field: the number of a term. */
  termNumber?(text: string): number
  /** Fails because a document has this number of values, or of characters in them. */
  tooManyValues(count: number): never
  tooManyCharacters(count: number): never
}

/** Properties of a compiled script that allow a caller to cache, memoise or share its results. */
export interface ScriptTraits {
  /** Date fields of which only parts are read, and the parts, such as `hour` or `dayOfWeekEnum` (`SMALL_DATE_PARTS`). */
  readonly dateParts: ReadonlyMap<string, readonly string[]>
  /** Fields read with a constant name: `doc['f']`, `doc.f`, `field('f')`, `$('f', d)`. */
  readonly fields: readonly string[]
  /** A field name is computed at run time, or `doc` itself is passed to a function. */
  readonly readsUnknownFields: boolean
  /** Parameters read with a constant name: `params.p`, `params['p']`. */
  readonly params: readonly string[]
  readonly readsSource: boolean
  readonly readsScore: boolean
  /** The result depends on the fields and params only: no clock, no random numbers, no score, no `_source`. */
  readonly deterministic: boolean
}

export interface CompiledScript {
  readonly source: string
  readonly context: ContextName
  readonly traits: ScriptTraits
  newInstance(bindings?: ScriptBindings): ScriptInstance
  /**
   * Expressions only: resolves the variables to parameters and to fields of a mapping. Throws a ScriptException
   * (`link error`) if one is neither.
   */
  link?(params: Readonly<Record<string, unknown>>, field: (name: string) => LinkedField | undefined): void
}

/** A mapped field whose values can be read. The type is undefined if scripts have no values of that type. */
export interface LinkedField {
  readonly type: DocValuesType | undefined
}

/** `script.painless.regex.*` of the node. */
export interface RegexSettings {
  enabled: boolean | 'limited'
  limitFactor: number
}

export interface CompileRequest {
  source: string
  context: ContextName
  /**
   * The mapping type of a field; undefined if it is unmapped or unknown. Only a hint for speed: `doc['n'].value` on a
   * known type compiles to a typed read. If the reader of an instance has another type, the script runs without typed
   * reads.
   */
  fieldType?: (field: string) => DocValuesType | undefined
  /** The Java type of a parameter; undefined if it is unknown or no number. A hint for speed like `fieldType`. */
  paramType?: (name: string) => ParamType | undefined
  regex?: RegexSettings
}

export type ParamType = 'int' | 'long' | 'double' | 'boolean'
