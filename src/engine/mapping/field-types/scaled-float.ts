/** `scaled_float`: a decimal number stored as an integer, multiplied by a fixed factor. */

import { illegalArgument } from '../../../base/api-error.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { NUMBER } from '../../document/parsed-document.ts'
import { decimalFormat } from '../../values/decimal-format.ts'
import { parseDouble } from '../../values/java-number.ts'
import { javaText } from '../../values/java-text.ts'
import { docValues, index, lenience, meta, parameter, store, timeSeriesMetric } from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_DECIMAL, OP_VALUE } from '../documents/field-plan.ts'
import { DOUBLE } from '../field-traits.ts'
import type { IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { BuildSite, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { BaseFieldType } from './base-field-type.ts'

export const scaledFloat: LeafDefinition = {
  type: 'scaled_float',
  traits: { family: 'number', number: { ...DOUBLE, storedAs: 'scaled' } },
  mayHaveSubFields: true,
  parameters: [
    index(),
    docValues(),
    store(),
    lenience('ignore_malformed', false),
    parameter('scaling_factor', null, readFactor),
    lenience('coerce', true),
    parameter('null_value', null, (value) => decimalOf(value), { acceptsNull: true }),
    meta(),
    timeSeriesMetric(['gauge', 'counter']),
  ],
  check(leaf) {
    if (leaf.value('scaling_factor') === null) throw illegalArgument('Field [scaling_factor] is required')
  },
  build(leaf, site) {
    const factor = leaf.number('scaling_factor')
    const { limits } = site.context
    const schema = site.schema({
      docValues: leaf.flag('doc_values') ? 'number' : 'none',
      ordered: leaf.flag('index'),
    })
    const decimal = new FieldPlan({
      path: site.path,
      type: 'scaled_float',
      op: OP_DECIMAL,
      schema: undefined,
      coerce: leaf.isGiven('coerce') ? leaf.flag('coerce') : limits.coerce,
      nullValue: leaf.value('null_value'),
    })
    return {
      type: new ScaledFloatType(leaf, site, schema, factor),
      plan: new FieldPlan({
        path: site.path,
        type: 'scaled_float',
        op: OP_VALUE,
        schema,
        stored: leaf.flag('store'),
        ignoreMalformed: leaf.isGiven('ignore_malformed') ? leaf.flag('ignore_malformed') : limits.ignoreMalformed,
        writeValue: (plan, sink) => writeScaled(plan, decimal, factor, sink),
      }),
    }
  },
}

function readFactor(value: unknown): number {
  const factor = decimalOf(value)
  if (factor <= 0) throw illegalArgument(`[scaling_factor] must be a positive number, got [${javaText(value)}]`)
  return factor
}

const decimalOf = (value: unknown) => (typeof value === 'number' ? value : parseDouble(javaText(value)))

/** Java's Math.round: halves round up. */
const scale = (value: number, factor: number) => Math.floor(value * factor + 0.5)

/**
 * The product of the decimal numbers that the values print as. Queries use it, so that `gte: 1.1` includes 1.1 with a factor of 100:
 * the product of the doubles is 110.00000000000001.
 */
function decimalProduct(value: number, factor: number): number {
  if (!Number.isFinite(value)) return value
  const [[digitsA, exponentA], [digitsB, exponentB]] = [decimalParts(value), decimalParts(factor)]
  return Number(`${digitsA * digitsB}e${exponentA + exponentB}`)
}

/** The digits of a number as a whole number, and the power of ten it is multiplied by. */
function decimalParts(value: number): [bigint, number] {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  const [head, fraction = ''] = mantissa.split('.') as [string, string?]
  return [BigInt(head + fraction), Number(exponent) - fraction.length]
}

function writeScaled(plan: FieldPlan, decimal: FieldPlan, factor: number, sink: EntrySink): void {
  const value = sink.number(decimal) as number | undefined
  if (value === undefined || !plan.writes) return
  sink.out.add(plan.schema!, NUMBER, scale(value, factor), 0, sink.doc)
  if (plan.inFieldNames) sink.name(plan)
}

class ScaledFloatType extends BaseFieldType {
  readonly #factor: number
  readonly #nullValue: number | null

  constructor(leaf: LeafMapper, site: BuildSite, schema: ReturnType<BuildSite['schema']>, factor: number) {
    super({
      leaf,
      site,
      shape: 'number',
      schema,
    })
    this.#factor = factor
    this.#nullValue = leaf.value('null_value') === null ? null : leaf.number('null_value')
  }

  override termValue(value: unknown): IndexValue {
    return Math.floor(decimalProduct(decimalOf(value), this.#factor) + 0.5)
  }

  override rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, _: RangeOptions): RangeValues {
    const low = lower && decimalProduct(decimalOf(lower.value), this.#factor)
    const high = upper && decimalProduct(decimalOf(upper.value), this.#factor)
    return {
      lower: low === undefined ? undefined : lower!.inclusive ? Math.ceil(low) : Math.floor(low) + 1,
      upper: high === undefined ? undefined : upper!.inclusive ? Math.floor(high) : Math.ceil(high) - 1,
    }
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    const number = this.decodeNumber(value as number)
    return format === undefined ? new Double(number) : decimalFormat(format).format(number)
  }

  decodeNumber(stored: number): number {
    return stored / this.#factor
  }

  encodeNumber(shown: number): number {
    if (!Number.isFinite(shown)) return shown
    const nearest = scale(shown, this.#factor)
    const decoded = this.decodeNumber(nearest)
    return decoded === shown ? nearest : nearest + (decoded < shown ? 0.5 : -0.5)
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    const given = value === null || value === '' ? this.#nullValue : value
    if (given === null || typeof given === 'object' || typeof given === 'boolean') return undefined
    return new Double(scale(decimalOf(given), this.#factor) / this.#factor)
  }
}
