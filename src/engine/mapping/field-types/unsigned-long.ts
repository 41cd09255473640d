/** `unsigned_long`: integers up to 2^64 - 1, shifted down by 2^63 so that signed doc values keep their order. */

import { ApiError, numberFormat } from '../../../base/api-error.ts'
import { NUMBER } from '../../document/parsed-document.ts'
import { javaText } from '../../values/java-text.ts'
import { parseUnsignedLong, UNSIGNED_LONG_MAX, UNSIGNED_SHIFT } from '../../values/long.ts'
import {
  docValues,
  index,
  lenience,
  meta,
  parameter,
  store,
  timeSeriesDimension,
  timeSeriesMetric,
} from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_STRING } from '../documents/field-plan.ts'
import { LONG } from '../field-traits.ts'
import type { IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { BuildSite, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { BaseFieldType, commonPlan } from './base-field-type.ts'
import { narrow } from './number.ts'

export const unsignedLong: LeafDefinition = {
  type: 'unsigned_long',
  traits: { family: 'number', number: { ...LONG, storedAs: 'shifted' } },
  mayHaveSubFields: true,
  parameters: [
    index(),
    docValues(),
    store(),
    lenience('ignore_malformed', false),
    parameter('null_value', null, (value) => parseUnsignedLong(javaText(value), false).toString(), {
      acceptsNull: true,
    }),
    meta(),
    timeSeriesDimension(),
    timeSeriesMetric(['gauge', 'counter']),
  ],
  build(leaf, site) {
    const schema = site.schema({
      docValues: leaf.flag('doc_values') ? 'long' : 'none',
      ordered: leaf.flag('index'),
    })
    return {
      type: new UnsignedLongType(leaf, site, schema),
      plan: new FieldPlan({
        ...commonPlan(leaf, site, schema),
        op: OP_STRING,
        writeText: writeUnsigned,
      }),
    }
  },
}

function writeUnsigned(plan: FieldPlan, text: string, sink: EntrySink): void {
  const value = narrow(parseUnsignedLong(text, true) + UNSIGNED_SHIFT)
  if (!plan.writes) return
  if (typeof value === 'number') sink.out.add(plan.schema!, NUMBER, value, 0, sink.doc)
  else sink.out.addLong(plan.schema!, value, sink.doc)
  if (plan.inFieldNames) sink.name(plan)
}

class UnsignedLongType extends BaseFieldType {
  readonly #nullValue: string | null

  constructor(leaf: LeafMapper, site: BuildSite, schema: ReturnType<BuildSite['schema']>) {
    super({
      leaf,
      site,
      shape: 'long',
      schema,
    })
    this.#nullValue = leaf.textOrNull('null_value')
  }

  override termValue(value: unknown): IndexValue {
    const exact = integerOf(value)
    return exact === undefined || exact < 0n || exact > UNSIGNED_LONG_MAX ? Number.NaN : narrow(exact + UNSIGNED_SHIFT)
  }

  override rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, _: RangeOptions): RangeValues {
    const low = lower === undefined ? undefined : boundOf(lower, 1)
    const high = upper === undefined ? undefined : boundOf(upper, -1)
    // Beyond either end nothing matches: crossed bounds.
    if ((low ?? 0n) > UNSIGNED_LONG_MAX || (high ?? 0n) < 0n)
      return { lower: shifted(UNSIGNED_LONG_MAX), upper: shifted(0n) }
    return {
      lower: low === undefined ? undefined : shifted(low),
      upper: high === undefined ? undefined : shifted(high),
    }
  }

  /** Unlike other numbers these print in one form, whatever the format. */
  override formatDocValue(value: IndexValue, _format: string | undefined): unknown {
    return narrow(BigInt(value as number | bigint) - UNSIGNED_SHIFT)
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    const given = value === null || value === '' ? this.#nullValue : value
    if (given === null || typeof given === 'object' || typeof given === 'boolean') return undefined
    try {
      return narrow(parseUnsignedLong(javaText(given), true))
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
  }
}

/** An integer; undefined for a fraction. Throws Java's error for what is no number. */
function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  const text = javaText(value)
  if (INTEGER.test(text)) return BigInt(text.replace('+', ''))
  const number = decimalOf(text)
  return Number.isInteger(number) ? BigInt(number) : undefined
}

/** The first integer inside a bound. */
function boundOf({ value, inclusive }: RangeBound, direction: 1 | -1): bigint {
  const exact = integerOf(value)
  if (exact !== undefined) return inclusive ? exact : exact + BigInt(direction)
  const number = decimalOf(javaText(value))
  if (!Number.isFinite(number)) return number > 0 ? UNSIGNED_LONG_MAX + 1n : -1n
  return BigInt(direction === 1 ? Math.ceil(number) : Math.floor(number))
}

const INTEGER = /^[+-]?\d+$/
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

function decimalOf(text: string): number {
  if (DECIMAL.test(text)) return Number(text)
  const wrong = /[^\d.eE+-]/.exec(text)?.[0] ?? text.at(-1) ?? ''
  throw numberFormat(
    `Character ${wrong} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`,
  )
}

function shifted(value: bigint): number | bigint {
  if (value < 0n) return narrow(UNSIGNED_SHIFT)
  return narrow((value > UNSIGNED_LONG_MAX ? UNSIGNED_LONG_MAX : value) + UNSIGNED_SHIFT)
}
