/**
 * What the rest of the engine and Painless agree on.
 *
 * A script is compiled once per source, context and set of field types; the result is cached by the caller. An instance binds the
 * compiled script to one caller: its parameters, its doc values readers, its emit sink. An instance belongs to one thread and is
 * not re-entrant. Executing an instance for a document allocates nothing beyond what the script itself creates.
 *
 * Values that enter and leave scripts are Java values, see `host/host-values.ts`: `toJava` and `fromJava` convert JSON.
 */
import type { ContextName } from './contexts/context.ts'

/** The mapping type a doc values reader stands for. It decides the Java type a script sees. */
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

/**
 * The doc values of one field in one segment (or of one runtime field). Values are sorted as doc values are. Only the accessors of
 * the field's type are called; the others may throw.
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
  /**
   * Numbers and booleans: reads the values of `docs[0, count)`, ascending, as `doubleAt` gives them. False where some value is an
   * integer beyond 2^53, which a double cannot hold.
   */
  readBlock?(docs: Int32Array, count: number, into: NumberBlock): boolean
  readonly canReadBlocks?: boolean
  /** keyword: ordinal of the value in the segment, when the reader has ordinals. */
  ordinalAt?(index: number): number
  /** keyword: number of ordinals, when the reader has ordinals. */
  readonly ordinalCount?: number
}

/** Values of a block of documents: those of document i are `values[offsets[i] .. offsets[i + 1])`. */
export interface NumberBlock {
  readonly offsets: Int32Array
  values: Float64Array
}

/** Doc values by field name. Readers are asked for once per instance and field, when the script first touches the field. */
export interface DocAccess {
  /** `doc.containsKey('f')`: whether the field is mapped. */
  isMapped(field: string): boolean
  /** Throws the ApiError that belongs to the field (`No field found for [x] in mapping`, fielddata disabled, …). */
  reader(field: string): DocValuesReader
  /** For `field('f')`: undefined when the field is not mapped, which is an empty field and no error. */
  fieldReader(field: string): DocValuesReader | undefined
}

/** Where emit() of the runtime field contexts goes. Only the method of the context's type is called. */
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

/** What a caller gives a script to work with. Members a context has no use for are ignored. */
export interface ScriptBindings {
  /** A plain JSON object or an already converted JMap. Scripts see it read-only at the top level. */
  params?: unknown
  doc?: DocAccess
  emit?: EmitSink
  /** Called by `executeBlock` before each document: what the script emits from then on belongs to it. */
  begin?: (doc: number) => void
  /** `_score` of the current document. */
  score?: () => number
  /** `params._source` / `_source` of the current document as plain JSON; asked for at most once per document. */
  source?: () => unknown
  /** date_field: reads a text with the field's format. */
  parseDate?: (text: string) => bigint
  /** score: seed material for randomScore, and term statistics. */
  termStats?: unknown
  /** score: the document id of `randomScore(seed)` without a field. */
  docBase?: number
  /** Index and shard are part of randomScore's hash. */
  indexName?: string
  shardId?: number
  /** Fields for `cosineSimilarity` and its siblings: the vector of the current document. */
  vector?: (field: string) => Float32Array | undefined
}

/** One script bound to one caller. */
export interface ScriptInstance {
  /**
   * Runs the script. `doc` is the segment's document number for contexts with doc values, otherwise left out. The result is in the
   * representation of the context's return type: boolean, number (double), string, undefined for void, a Java value for Object.
   * Throws ScriptException.
   */
  execute(doc?: number): unknown
  /**
   * Sets a variable of the context before `execute`: `ctx`, `state`, `states`, `values`, `_value`, `weight`, `query`, `field`, `term`,
   * `doc` (similarity), `interval`, `token`. Maps and lists are Java values (`toJava`); see the context for its variables.
   */
  set(variable: string, value: unknown): void
  /**
   * Runs the script for `docs[0, count)`, ascending, as `execute` does for one. `results` takes what it returns, and is left out where
   * the context returns nothing. Gives the number of documents the script ran for: less than `count` where it failed for the one
   * after them, and `failure` then has the ScriptException.
   */
  executeBlock(docs: Int32Array, count: number, results?: BlockResults, scores?: Float32Array | Float64Array): number
  readonly failure: unknown
}

/** Numbers for contexts that return double; true and false become 1 and 0. */
export type BlockResults = Float64Array | Uint8Array | unknown[]

/** What a caller may know about a compiled script, to cache, memoise or share its work. */
export interface ScriptTraits {
  /** Fields read with a constant name: `doc['f']`, `doc.f`, `field('f')`, `$('f', d)`. */
  readonly fields: readonly string[]
  /** A field name is computed at run time, or `doc` itself is passed around. */
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
   * Mapping type of a field, undefined where it is unmapped or unknown. Only a hint for speed: `doc['n'].value` on a known type
   * compiles to a typed read. The instance's readers must then have that type; a reader of another type falls back to dispatch.
   */
  fieldType?: (field: string) => DocValuesType | undefined
  /** Java type of a parameter, undefined where it is unknown or no number: a hint for speed like `fieldType`. */
  paramType?: (name: string) => ParamType | undefined
  regex?: RegexSettings
}

export type ParamType = 'int' | 'long' | 'double' | 'boolean'
