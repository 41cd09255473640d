/**
 * The results of a script over documents, or over the values of a field, as a field: sorts and aggregations with a
 * script read it like doc values.
 */
import { ApiError } from '../../base/api-error.ts'
import { Double, Float, formatDouble, formatFloat } from '../../base/json/json-writer.ts'
import { type ContextName, fromJava, JDouble, toJava } from '../painless/index.ts'
import type { ValueEvaluator } from '../runtime-fields/runtime-field.ts'
import type { AnyCollector, LongCollector, NumberCollector, TermCollector } from '../runtime-fields/value-collector.ts'
import { SegmentDoc } from '../scripts/doc-access.ts'
import { DocumentScript, type OpenScript } from '../scripts/document-script.ts'
import type { Script } from '../scripts/script.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { requireIp } from '../values/ip.ts'
import { javaText } from '../values/java-text.ts'
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
  readonly scoresOf?: ((reader: SegmentReader) => Float32Array) | undefined
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
  const scoresOf = script.readsScore ? (options.scoresOf ?? noScores) : undefined
  const name = valuesOf ?? '_script'
  const definition = {
    type,
    script: { source: script.compiled.source, lang: options.script.lang, params: options.script.params },
    ...(format === undefined ? {} : { format }),
  }
  return runtimeFieldType(name, definition, CONTEXT, () => ({
    key: () => {
      const own = valuesOf === undefined ? '' : `${valuesOf}=${fields.field(valuesOf)?.schema?.name}`
      const search = scoresOf === undefined ? '' : `search ${++scoredFields}`
      return `${options.context}\n${own}\n${dependencies(script.compiled, fields, name)}\n${search}`
    },
    open: (reader, into) => {
      const open = script.open(reader)
      const add = resultAdder(type, into)
      const scores = scoresOf?.(reader)
      return valuesOf === undefined
        ? new ResultScript(open, into, add, scores)
        : new ValueScript(reader, fields, valuesOf, open, add, scores)
    },
    ofOneSearch: scoresOf !== undefined,
  }))
}

/** Gives fields whose values depend on a query different names. */
let scoredFields = 0

const noScores = ({ docCount }: SegmentReader) => new Float32Array(docCount)

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
      return Array.from({ length: count }, (_, i) => {
        switch (values!.type) {
          case 'keyword':
          case 'text':
          case 'ip':
          case 'version':
            return values!.stringAt(i)
          case 'half_float':
          case 'float':
          case 'double':
          case 'scaled_float':
            return toJava(new Double(values!.doubleAt(i)))
          case 'boolean':
            return values!.doubleAt(i) === 1
          default:
            return values!.longAt(i)
        }
      })
    }
  }

  evaluate(doc: number): void {
    for (const value of this.#read(doc)) {
      this.#open.set('_value', value)
      this.#add(doc, this.#open.run(doc, this.#scores?.[doc]))
    }
  }
}

/** A list is several values, null is none. */
function resultAdder(type: string, into: AnyCollector): Add {
  const addOne = oneAdder(type, into)
  const numbers = into.kind === 'number' ? (into as NumberCollector) : undefined
  return (doc, result) => {
    if (numbers !== undefined && result instanceof JDouble) {
      numbers.add(doc, result.value)
      return
    }
    const plain = fromJava(result, 'ScriptBytesValues value')
    if (Array.isArray(plain)) {
      for (const value of plain) if (value !== null) addOne(doc, value)
    } else if (plain !== null && plain !== undefined) addOne(doc, plain)
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

function textOf(value: unknown): string {
  if (value instanceof Double) return formatDouble(value.value)
  return value instanceof Float ? formatFloat(value.value) : javaText(value)
}

function wholeOf(value: unknown): number | bigint {
  return typeof value === 'bigint' ? value : Math.trunc(numberOf(value))
}

function numberOf(value: unknown): number {
  if (value instanceof Double || value instanceof Float) return value.value
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  // Dates are given as text.
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time) && /^[+-]?\d{4,}-\d\d-\d\dT/.test(value as string)) return time
  throw new ApiError(
    400,
    'illegal_argument_exception',
    `Unsupported script value [${textOf(value)}], expected a number, date, or boolean`,
  )
}
