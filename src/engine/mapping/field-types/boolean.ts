/** `boolean`: stored as the numbers 0 and 1. */

import { illegalArgument } from '../../../base/api-error.ts'
import { javaText } from '../../values/java-text.ts'
import {
  docValues,
  index,
  lenience,
  meta,
  parameter,
  readBoolean,
  script,
  store,
  timeSeriesDimension,
} from '../definition/parameter.ts'
import { FieldPlan, OP_BOOLEAN } from '../documents/field-plan.ts'
import { LONG } from '../field-traits.ts'
import type { IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { BuildSite, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { BaseFieldType, commonPlan } from './base-field-type.ts'

export const booleanType: LeafDefinition = {
  type: 'boolean',
  traits: { family: 'boolean', number: LONG },
  mayHaveSubFields: true,
  parameters: [
    meta(),
    docValues(),
    index(),
    parameter('null_value', null, (value) => readBoolean(value), { acceptsNull: true }),
    store(),
    ...script(),
    lenience('ignore_malformed', false),
    timeSeriesDimension(),
  ],
  build(leaf, site) {
    const schema = site.schema({
      docValues: leaf.flag('doc_values') ? 'number' : 'none',
      ordered: leaf.flag('index'),
    })
    return {
      type: new BooleanType(leaf, site, schema),
      plan: new FieldPlan({
        ...commonPlan(leaf, site, schema),
        op: OP_BOOLEAN,
      }),
    }
  },
}

class BooleanType extends BaseFieldType {
  readonly #nullValue: boolean | null

  constructor(leaf: LeafMapper, site: BuildSite, schema: ReturnType<BuildSite['schema']>) {
    super({
      leaf,
      site,
      shape: 'number',
      schema,
    })
    this.#nullValue = leaf.value('null_value') === null ? null : leaf.flag('null_value')
  }

  override termValue(value: unknown): IndexValue {
    const text = value === null ? 'false' : javaText(value)
    if (text === 'true') return 1
    if (text === 'false') return 0
    throw illegalArgument(`Can't parse boolean value [${text}], expected [true] or [false]`)
  }

  override rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, _: RangeOptions): RangeValues {
    const low = lower && (this.termValue(lower.value) as number) + (lower.inclusive ? 0 : 1)
    const high = upper && (this.termValue(upper.value) as number)
    if (upper === undefined || upper.inclusive) return { lower: low, upper: high }
    // A quirk of Elasticsearch for fields with only doc values: a missing upper bound lowers the lower bound.
    if (this.schema?.ordered === false) return { lower: Math.min(0, (low ?? 0) - 1), upper: high }
    return { lower: low, upper: high! - 1 }
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    this.refuseFormat(format)
    return value === 1
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    if (value === null) return this.#nullValue ?? undefined
    if (value === '') return false
    if (value === true || value === 'true') return true
    if (value === false || value === 'false') return false
    return undefined
  }
}
