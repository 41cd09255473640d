/** `ip`: IPv4 and IPv6 addresses as 16-byte terms in address order. */
import { ApiError } from '../../../base/api-error.ts'
import { nullValueUnparsable } from '../../../base/errors/mapping-errors.ts'
import { TERM } from '../../document/parsed-document.ts'
import { formatIp, IP_BYTES, nextIp, parseIp, previousIp, requireIp } from '../../values/ip.ts'
import { javaText } from '../../values/java-text.ts'
import {
  docValues,
  dropDefaultLenience,
  index,
  meta,
  ownLenience,
  script,
  store,
  text,
  timeSeriesDimension,
} from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_STRING } from '../documents/field-plan.ts'
import type { IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { BuildSite, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { BaseFieldType, commonPlan } from './base-field-type.ts'

export const ipType: LeafDefinition = {
  type: 'ip',
  traits: { family: 'ip' },
  mayHaveSubFields: true,
  parameters: [
    index(),
    docValues(),
    store(),
    ownLenience(),
    text('null_value', null, { acceptsNull: true }),
    ...script(),
    meta(),
    timeSeriesDimension(),
  ],
  complete: dropDefaultLenience,
  check(leaf) {
    const nullValue = leaf.textOrNull('null_value')
    if (nullValue === null) return
    try {
      requireIp(nullValue)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw nullValueUnparsable(leaf.name, error)
    }
  },
  build(leaf, site) {
    const schema = site.schema({
      inverted: leaf.flag('index') ? 'docs' : 'none',
      docValues: leaf.flag('doc_values') ? 'term' : 'none',
    })
    return {
      type: new IpType(leaf, site, schema),
      plan: new FieldPlan({
        ...commonPlan(leaf, site, schema),
        op: OP_STRING,
        writeText: writeAddress,
      }),
    }
  },
}

function writeAddress(plan: FieldPlan, written: string, sink: EntrySink): void {
  const address = requireIp(written)
  if (!plan.writes) return
  const start = sink.put(address)
  sink.out.add(plan.schema!, TERM, start, start + IP_BYTES, sink.doc)
  if (plan.inFieldNames) sink.name(plan)
}

class IpType extends BaseFieldType {
  readonly #nullValue: string | null

  constructor(leaf: LeafMapper, site: BuildSite, schema: ReturnType<BuildSite['schema']>) {
    super({
      leaf,
      site,
      shape: 'term',
      schema,
    })
    this.#nullValue = leaf.textOrNull('null_value')
  }

  override termValue(value: unknown): IndexValue {
    return requireIp(javaText(value))
  }

  parseDocValue(printed: unknown): Uint8Array {
    return requireIp(javaText(printed))
  }

  override rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, _: RangeOptions): RangeValues {
    const low = lower && requireIp(javaText(lower.value))
    const high = upper && requireIp(javaText(upper.value))
    // Beyond either end of the address space nothing matches: crossed bounds.
    const nothing: RangeValues = { lower: new Uint8Array(IP_BYTES).fill(0xff), upper: new Uint8Array(IP_BYTES) }
    const from = low === undefined || lower!.inclusive ? low : nextIp(low)
    const to = high === undefined || upper!.inclusive ? high : previousIp(high)
    if ((low !== undefined && from === undefined) || (high !== undefined && to === undefined)) return nothing
    return { lower: from, upper: to }
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    this.refuseFormat(format)
    return formatIp(value as Uint8Array)
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    const given = value === null ? this.#nullValue : value
    if (given === null) return undefined
    const address = parseIp(javaText(given))
    return address === undefined ? undefined : formatIp(address)
  }
}
