/**
 * The results of a script over documents, or over the values of a field, as a field: sorts and aggregations with a
 * script read it like doc values.
 */
import { ApiError } from '../../base/api-error.ts'
import { Double } from '../../base/json/json-writer.ts'
import {
  BigInteger,
  Boxed,
  type ContextName,
  type DocValuesReader,
  fromJava,
  JArray,
  JChar,
  JDouble,
  JIterable,
  JMap,
  javaClassOf,
  javaItems,
  javaString,
  toJava,
  ZonedDateTime,
} from '../painless/index.ts'
import type { ValueEvaluator } from '../runtime-fields/runtime-field.ts'
import type { AnyCollector, LongCollector, NumberCollector, TermCollector } from '../runtime-fields/value-collector.ts'
import { SegmentDoc } from '../scripts/doc-access.ts'
import { DocumentScript, type OpenScript } from '../scripts/document-script.ts'
import type { QueryScores } from '../scripts/query-scores.ts'
import type { Script } from '../scripts/script.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { requireIp } from '../values/ip.ts'
import type { Mapping } from './mapping-api.ts'
import { mappingLimits } from './mapping-context.ts'
import { type RuntimeFieldType, runtimeFieldType } from './runtime-field-type.ts'
import { dependencies, scriptFieldsOf } from './runtime-field-types.ts'

/** `keyword`, `double`, `long`, `date`, `boolean` or `ip`: how results are stored. */
export interface ScriptedFieldOptions {
  readonly script: Script
  readonly context: ContextName
  readonly type: string
  readonly mapping: Mapping
  /** The script sees the values of this field one by one, as `_value`. */
  readonly valuesOf?: string | undefined
  readonly format?: string | undefined
  /** The scores of the search's query, for scripts that read `_score`. */
  readonly queryScores?: QueryScores | undefined
}

const CONTEXT = {
  analysis: { analyzer: () => undefined, normalizer: () => undefined },
  limits: mappingLimits({}),
}

/** Throws script errors. */
export function scriptedFieldType(options: ScriptedFieldOptions): RuntimeFieldType {
  const { type, mapping, valuesOf, format } = options
  const fields = scriptFieldsOf(mapping)
  const script = new DocumentScript(options.script, options.context, fields)
  const scores = script.readsScore ? (options.queryScores ?? NO_SCORES) : undefined
  if (scores !== undefined) scores.isUsed = true
  // Not the name of the field that it reads, which may be a runtime field.
  const name = '_script'
  const definition = {
    type,
    script: { source: script.compiled.source, lang: options.script.lang, params: options.script.params },
    ...(format === undefined ? {} : { format }),
  }
  return runtimeFieldType(name, definition, CONTEXT, () => ({
    key: () => {
      const own = valuesOf === undefined ? '' : `${valuesOf}=${fields.field(valuesOf)?.schema?.name}`
      const search = scores === undefined ? '' : `search ${++scoredFields}`
      return `${options.context}\n${own}\n${dependencies(script.compiled, fields, name)}\n${search}`
    },
    open: (reader, into) => {
      const open = script.open(reader, valuesOf === undefined && into.kind === 'number' ? { emitBlock: into } : {})
      const own = scores?.of(reader)
      if (valuesOf !== undefined) {
        return new ValueScript(reader, fields, valuesOf, open, valueAdder(type, into), own)
      }
      const add = options.context === 'aggs' ? resultAdder(type, into) : sortValueAdder(into)
      return new ResultScript(open, into, add, own)
    },
    ofOneSearch: scores !== undefined,
  }))
}

/** Gives fields whose values depend on a query different names. */
let scoredFields = 0

const NO_SCORES: QueryScores = { isUsed: false, of: ({ docCount }) => new Float32Array(docCount) }

type Add = (doc: number, result: unknown) => void

/** The results of the script are the values. */
class ResultScript implements ValueEvaluator {
  readonly #open: OpenScript
  readonly #into: AnyCollector
  readonly #add: Add
  readonly #results: unknown[] = []
  readonly #scores: Float32Array | undefined
  #blockScores = new Float32Array(0)
  #hasObjects = false
  failure: unknown

  /** `scores` has the score of each document of the segment. */
  constructor(open: OpenScript, into: AnyCollector, add: Add, scores: Float32Array | undefined) {
    this.#scores = scores
    this.#open = open
    this.#into = into
    this.#add = add
  }

  evaluate(doc: number): void {
    this.#add(doc, this.#open.run(doc, this.#scores?.[doc]))
  }

  /**
   * Blocks are for results that are numbers, texts and booleans. An object may be the doc values of a field, which
   * change with the document: the script then runs for one document at a time.
   */
  evaluateBlock(docs: Int32Array, count: number): number {
    if (this.#open.emitResults(docs, count)) return count
    const results = this.#results
    const done = this.#hasObjects ? 0 : this.#open.tryBlock(docs, count, results, this.#scoresOf(docs, count))
    for (let i = 0; i < count; i++) {
      const isKnown = i < done && !this.#hasObjects
      if (!isKnown && !this.#hasObjects && i === done) {
        this.failure = this.#open.failure
        return i
      }
      try {
        if (isKnown && !isObject(results[i])) this.#add(docs[i]!, results[i])
        else {
          this.#hasObjects = true
          this.evaluate(docs[i]!)
        }
      } catch (error) {
        this.failure = error
        return i
      }
      this.#into.endDocument()
    }
    return count
  }

  evaluateRange(from: number, count: number): boolean {
    return this.#open.emitRange(from, count)
  }

  #scoresOf(docs: Int32Array, count: number): Float32Array | undefined {
    const scores = this.#scores
    if (scores === undefined) return undefined
    if (this.#blockScores.length < count) this.#blockScores = new Float32Array(count)
    for (let i = 0; i < count; i++) this.#blockScores[i] = scores[docs[i]!]!
    return this.#blockScores
  }
}

const isObject = (result: unknown) => typeof result === 'object' && result !== null && !(result instanceof JDouble)

/** Runs the script once for each value of a field. */
class ValueScript implements ValueEvaluator {
  readonly #read: (doc: number) => unknown[]
  readonly #open: OpenScript
  readonly #add: Add
  readonly #scores: Float32Array | undefined

  constructor(
    reader: SegmentReader,
    fields: ConstructorParameters<typeof SegmentDoc>[1],
    field: string,
    open: OpenScript,
    add: Add,
    scores: Float32Array | undefined,
  ) {
    this.#scores = scores
    const values = new SegmentDoc(reader, fields).fieldReader(field)
    this.#open = open
    this.#add = add
    this.#read = (doc) => {
      const count = values === undefined ? 0 : values.advance(doc)
      return Array.from({ length: count }, (_, i) => scriptedValue(values!, i))
    }
  }

  evaluate(doc: number): void {
    for (const value of this.#read(doc)) {
      this.#open.set('_value', value)
      this.#add(doc, this.#open.run(doc, this.#scores?.[doc]))
    }
  }
}

/** Texts are texts; all other values are doubles, dates in milliseconds, so that `_value / 2` is a fraction. */
function scriptedValue(values: DocValuesReader, index: number): unknown {
  switch (values.type) {
    case 'keyword':
    case 'text':
    case 'ip':
    case 'version':
      return values.stringAt(index)
    case 'date_nanos':
      return toJava(new Double(Math.floor(Number(values.longAt(index)) / 1_000_000)))
    default:
      return toJava(new Double(values.doubleAt(index)))
  }
}

/** The result for a value of a field is one value: a number, or the text of anything. */
function valueAdder(type: string, into: AnyCollector): Add {
  if (into.kind === 'term') {
    const add = oneAdder(type, into)
    return (doc, result) => {
      if (result === null || result === undefined) throw noResult('Object.toString()', '"run"')
      add(doc, javaString(result))
    }
  }
  const numbers = into as NumberCollector
  return (doc, result) => {
    if (result instanceof JDouble) numbers.add(doc, result.value)
    else if (result === null || result === undefined) {
      throw noResult(
        'java.lang.Number.doubleValue()',
        'the return value of "org.elasticsearch.script.AggregationScript.execute()"',
      )
    } else if (typeof result === 'number' || typeof result === 'bigint') numbers.add(doc, Number(result))
    else if (result instanceof BigInteger || (result instanceof Boxed && !(result instanceof JChar))) {
      numbers.add(doc, numberOf(result))
    } else throw noNumber(javaClassOf(result))
  }
}

function noNumber(javaClass: string): ApiError {
  const [from, to] = [javaClass, 'java.lang.Number']
  const where = from.startsWith('java.')
    ? `${from} and ${to} are in module java.base of loader 'bootstrap'`
    : `${from} is in module org.elasticsearch.server of loader 'app'; ${to} is in module java.base of loader 'bootstrap'`
  return new ApiError(400, 'class_cast_exception', `class ${from} cannot be cast to class ${to} (${where})`)
}

const noResult = (call: string, what: string) =>
  new ApiError(400, 'null_pointer_exception', `Cannot invoke "${call}" because ${what} is null`)

/** Collections and arrays are several values, null is none. */
function resultAdder(type: string, into: AnyCollector): Add {
  const addOne = oneAdder(type, into)
  const numbers = into.kind === 'number' ? (into as NumberCollector) : undefined
  return (doc, result) => {
    if (numbers !== undefined && result instanceof JDouble) {
      numbers.add(doc, result.value)
      return
    }
    if (result === null || result === undefined) return
    if (result instanceof JArray || result instanceof JIterable) {
      for (const value of javaItems(result)) addOne(doc, value)
    } else addOne(doc, result)
  }
}

/** The value of a sort is the result as it is: a number, or its text. */
function sortValueAdder(into: AnyCollector): Add {
  return (doc, result) => {
    if (result === null || result === undefined) return
    if (into.kind === 'term') (into as TermCollector).add(doc, javaString(result))
    else (into as NumberCollector).add(doc, result as number)
  }
}

function oneAdder(type: string, into: AnyCollector): Add {
  switch (type) {
    case 'keyword':
      return (doc, value) => (into as TermCollector).add(doc, textOf(value))
    case 'ip':
      return (doc, value) => (into as TermCollector).add(doc, Buffer.from(requireIp(textOf(value))).toString('latin1'))
    case 'long':
      return (doc, value) => (into as LongCollector).add(doc, wholeOf(value))
    default:
      return (doc, value) => (into as NumberCollector).add(doc, numberOf(value))
  }
}

/** A null among several values is an empty text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof JMap || value instanceof JIterable) fromJava(value, 'ScriptBytesValues value')
  return value === null ? '' : javaString(value)
}

function wholeOf(value: unknown): number | bigint {
  return typeof value === 'bigint' ? value : Math.trunc(numberOf(value))
}

function numberOf(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (value instanceof Boxed && !(value instanceof JChar)) return value.value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof ZonedDateTime) return Number(value.toInstant_0().toEpochMilli_0())
  const big = value instanceof BigInteger ? value.doubleValue_0() : undefined
  if (big !== undefined) return big
  throw new ApiError(
    400,
    'illegal_argument_exception',
    `Unsupported script value [${javaString(value)}], expected a number, date, or boolean`,
  )
}
