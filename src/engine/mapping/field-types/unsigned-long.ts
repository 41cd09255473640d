/** `unsigned_long`: integers up to 2^64 - 1, shifted down by 2^63 so that signed doc values keep their order. */

import { ApiError } from '../../../base/api-error.ts'
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
    return {
      lower: lower && shifted(integerOf(lower.value, 1)! + (lower.inclusive ? 0n : 1n)),
      upper: upper && shifted(integerOf(upper.value, -1)! - (upper.inclusive ? 0n : 1n)),
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

/** An integer; a fraction is undefined, or rounded inwards if `direction` is given. */
function integerOf(value: unknown, direction?: 1 | -1): bigint | undefined {
  if (typeof value === 'bigint') return value
  const text = javaText(value)
  if (/^[+-]?\d+$/.test(text)) return BigInt(text.replace('+', ''))
  const number = Number(text)
  if (Number.isInteger(number)) return BigInt(number)
  if (direction === undefined || Number.isNaN(number)) return undefined
  return BigInt(direction === 1 ? Math.ceil(number) : Math.floor(number))
}

function shifted(value: bigint): number | bigint {
  if (value < 0n) return narrow(UNSIGNED_SHIFT)
  return narrow((value > UNSIGNED_LONG_MAX ? UNSIGNED_LONG_MAX : value) + UNSIGNED_SHIFT)
}
