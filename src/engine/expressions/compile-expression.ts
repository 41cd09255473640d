/** Lucene expressions (`lang: expression`): arithmetic on the numbers of documents, compiled to a loop over columns. */
import { illegalArgument } from '../../base/api-error.ts'
import { Double, Float } from '../../base/json/json-writer.ts'
import {
  type BlockResults,
  type CompiledScript,
  type ContextName,
  type DocValuesType,
  fromJava,
  JDouble,
  type LinkedField,
  type ScriptBindings,
  type ScriptInstance,
  type ScriptTraits,
} from '../painless/index.ts'
import { expressionError } from './expression-error.ts'
import { type FillColumn, fieldColumn } from './field-columns.ts'
import { type GeneratedExpression, generate } from './generate.ts'
import { parseExpression } from './parser.ts'
import { ExpressionSyntaxError } from './syntax-error.ts'
import { type FieldGroup, fieldNumber, fieldOf } from './variables.ts'

/** The contexts in which expressions can be used. */
export const EXPRESSION_CONTEXTS: readonly ContextName[] = [
  'aggregation_selector',
  'aggs',
  'bucket_aggregation',
  'field',
  'filter',
  'number_sort',
  'score',
  'terms_set',
]

/** Contexts in which `_score` is known. */
const SCORED: ReadonlySet<ContextName> = new Set(['aggs', 'number_sort', 'score'])

/** Throws a script_exception if the source is no expression. */
export function compileExpression(source: string, context: ContextName): CompiledScript {
  let generated: GeneratedExpression
  try {
    generated = generate(parseExpression(source))
  } catch (error) {
    throw expressionError('compile error', source, source, error)
  }
  return new ExpressionScript(source, context, generated)
}

class ExpressionScript implements CompiledScript {
  readonly source: string
  readonly context: ContextName
  readonly traits: ScriptTraits
  readonly generated: GeneratedExpression

  constructor(source: string, context: ContextName, generated: GeneratedExpression) {
    this.source = source
    this.context = context
    this.generated = generated
    const { variables } = generated
    const fields = variables.map(fieldOf).filter((field) => field !== undefined)
    this.traits = {
      fields: [...new Set(fields)],
      params: [],
      dateParts: new Map(),
      readsUnknownFields: false,
      readsSource: false,
      readsScore: SCORED.has(context) && variables.includes('_score'),
      deterministic: true,
    }
  }

  link(params: Readonly<Record<string, unknown>>, field: (name: string) => LinkedField | undefined): void {
    for (const variable of this.generated.variables) {
      this.linked(variable, () => {
        if (this.isSpecial(variable)) return
        if (Object.hasOwn(params, variable)) paramNumber(params, variable)
        else fieldNumber(variable, (name) => groupOf(name, field(name)))
      })
    }
  }

  /** `_score`, and in aggregations `_value`. */
  isSpecial(variable: string): boolean {
    if (variable === '_score') return SCORED.has(this.context)
    return variable === '_value' && this.context === 'aggs'
  }

  linked<T>(variable: string, link: () => T): T {
    try {
      return link()
    } catch (error) {
      throw expressionError('link error', this.source, variable, error)
    }
  }

  newInstance(bindings: ScriptBindings = {}): ScriptInstance {
    return new ExpressionInstance(this, bindings)
  }
}

const isNumber = (value: unknown) =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Float

const toNumber = (value: unknown) =>
  value instanceof Double || value instanceof Float ? value.value : Number(value as number | bigint)

function paramNumber(params: Readonly<Record<string, unknown>>, name: string): number {
  const value = params[name]
  if (!isNumber(value)) throw new ExpressionSyntaxError(`Parameter [${name}] must be a numeric type`, 0)
  return toNumber(value)
}

function groupOf(name: string, field: LinkedField | undefined): FieldGroup {
  if (field === undefined) throw new ExpressionSyntaxError(`Field [${name}] does not exist in mappings`, 5)
  const group = field.type === undefined ? undefined : GROUPS[field.type]
  if (group === undefined) throw new ExpressionSyntaxError(`Field [${name}] must be numeric, date, or geopoint`, 5)
  return group
}

const GROUPS: Readonly<Partial<Record<DocValuesType, FieldGroup>>> = {
  byte: 'number',
  short: 'number',
  integer: 'number',
  long: 'number',
  unsigned_long: 'number',
  half_float: 'number',
  float: 'number',
  scaled_float: 'number',
  double: 'number',
  boolean: 'number',
  date: 'date',
  date_nanos: 'date',
  geo_point: 'geo',
}

const ONE_DOC = 1

class ExpressionInstance implements ScriptInstance {
  failure: unknown
  readonly #script: ExpressionScript
  readonly #bindings: ScriptBindings
  #columns: Float64Array[]
  readonly #fills: (FillColumn | undefined)[]
  readonly #constants: (number | undefined)[]
  readonly #score: number
  readonly #value: number
  #capacity = 0
  #results = new Float64Array(0)
  readonly #doc = new Int32Array(1)
  #given = 0

  constructor(script: ExpressionScript, bindings: ScriptBindings) {
    const { variables } = script.generated
    const params = (bindings.params ?? {}) as Readonly<Record<string, unknown>>
    this.#script = script
    this.#bindings = bindings
    this.#score = script.isSpecial('_score') ? variables.indexOf('_score') : -1
    this.#value = script.isSpecial('_value') ? variables.indexOf('_value') : -1
    if (bindings.doc === undefined) checkBucketParams(script, params)
    this.#constants = variables.map((name) => (Object.hasOwn(params, name) ? toNumber(params[name]) : undefined))
    this.#fills = variables.map((name, i) => this.#fill(name, this.#constants[i]))
    this.#columns = variables.map(() => new Float64Array(0))
  }

  #fill(variable: string, constant: number | undefined): FillColumn | undefined {
    const { doc } = this.#bindings
    if (constant !== undefined || doc === undefined || this.#script.isSpecial(variable)) return undefined
    return this.#script.linked(variable, () => {
      const reads = fieldNumber(variable, (name) => {
        return groupOf(name, doc.isMapped(name) ? { type: doc.reader(name).type } : undefined)
      })
      return fieldColumn(doc.reader(reads.field), reads)
    })
  }

  set(variable: string, value: unknown): void {
    if (variable !== '_value' || this.#value < 0) return
    const given = fromJava(value)
    if (!isNumber(given)) {
      throw illegalArgument(`Cannot use expression with text variable using ${this.#script.source}`)
    }
    this.#given = toNumber(given)
  }

  execute(doc?: number): unknown {
    const { context } = this.#script
    this.#reserve(ONE_DOC)
    if (doc !== undefined) this.#doc[0] = doc
    if (this.#score >= 0) this.#columns[this.#score]![0] = this.#bindings.score?.() ?? 0
    this.#run(this.#doc, ONE_DOC)
    const result = this.#results[0]!
    switch (context) {
      case 'filter':
        return result !== 0
      case 'aggregation_selector':
        return result === 1
      case 'number_sort':
      case 'score':
        return result
      default:
        return new JDouble(result)
    }
  }

  executeBlock(docs: Int32Array, count: number, results?: BlockResults, scores?: Float32Array | Float64Array): number {
    this.failure = undefined
    this.#reserve(count)
    if (this.#score >= 0 && scores !== undefined) {
      const column = this.#columns[this.#score]!
      for (let i = 0; i < count; i++) column[i] = scores[i]!
    }
    try {
      this.#run(docs, count)
    } catch (error) {
      this.failure = error
      return 0
    }
    const own = this.#results
    if (results instanceof Float64Array) results.set(own.subarray(0, count))
    else if (results instanceof Uint8Array) for (let i = 0; i < count; i++) results[i] = own[i] === 0 ? 0 : 1
    else if (results !== undefined) for (let i = 0; i < count; i++) results[i] = new JDouble(own[i]!)
    return count
  }

  #run(docs: Int32Array, count: number): void {
    const columns = this.#columns
    for (let i = 0; i < columns.length; i++) this.#fills[i]?.(docs, count, columns[i]!)
    if (this.#value >= 0) columns[this.#value]!.fill(this.#given, 0, count)
    this.#script.generated.run(columns, count, this.#results)
  }

  #reserve(count: number): void {
    if (this.#capacity >= count) return
    this.#capacity = count
    this.#results = new Float64Array(count)
    this.#columns = this.#constants.map((constant) => new Float64Array(count).fill(constant ?? 0))
  }
}

/** Checks the parameters of a script over buckets: each must be a variable of the expression, and a number. */
function checkBucketParams({ source, generated }: ExpressionScript, params: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (!generated.variables.includes(name)) {
      throw illegalArgument(
        `Error using ${source}. The variable [${name}] does not exist in the executable expressions script.`,
      )
    }
    if (!isNumber(value)) {
      throw illegalArgument(
        `Error using ${source}. Executable expressions scripts can only process numbers.  The variable [${name}] is not a number.`,
      )
    }
  }
}
