/** Range types: a value is the interval between two bounds, stored as the bytes of both. */
import { ApiError, arithmeticFailure, illegalArgument, numberFormat, parseFailure } from '../../../base/api-error.ts'
import { documentParsing, textExpected } from '../../../base/errors/mapping-errors.ts'
import { END_OBJECT, NULL, START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { Double, Float, formatDouble, formatFloat } from '../../../base/json/json-writer.ts'
import { tokenName } from '../../../base/json/token-names.ts'
import { BINARY } from '../../document/parsed-document.ts'
import { parseDateMath } from '../../time/date-math.ts'
import { compileDateFormat, type DateFormat } from '../../time/format/date-format.ts'
import { formatIp, nextIp, parseCidr, previousIp, requireIp } from '../../values/ip.ts'
import { parseDouble } from '../../values/java-number.ts'
import { javaText } from '../../values/java-text.ts'
import { LONG_MAX, LONG_MIN, parseLong } from '../../values/long.ts'
import { encodeRange, type RangeKind } from '../../values/range-value.ts'
import { docValues, index, lenience, meta, store } from '../definition/parameter.ts'
import { tokenStart } from '../documents/document-place.ts'
import {
  type EntrySink,
  FieldPlan,
  OP_DECIMAL,
  OP_INTEGER,
  OP_LONG,
  OP_VALUE,
  type PlanOp,
} from '../documents/field-plan.ts'
import type { RangeTraits } from '../field-traits.ts'
import type { IndexValue } from '../field-type.ts'
import type { BuildSite, BuiltField, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { BaseFieldType } from './base-field-type.ts'
import { DEFAULT_DATE_FORMAT, formatParameters } from './date.ts'
import { decimalBound, decimalPart, finite, narrow, roundToBits } from './number.ts'
import { listedInteger } from './queried-integer.ts'

type Bound = number | bigint | Uint8Array

interface RangeSpec {
  readonly type: string
  readonly kind: RangeKind
  /** For number types: how a bound is parsed. */
  readonly op: PlanOp | undefined
  readonly bits: number
  readonly low: Bound
  readonly high: Bound
}

const IP_LOW = new Uint8Array(16)
const IP_HIGH = new Uint8Array(16).fill(0xff)
const INFINITY = Number.POSITIVE_INFINITY

const SPECS: readonly RangeSpec[] = [
  { type: 'integer_range', kind: 'number', op: OP_INTEGER, bits: 32, low: -2147483648, high: 2147483647 },
  { type: 'long_range', kind: 'long', op: OP_LONG, bits: 64, low: LONG_MIN, high: LONG_MAX },
  { type: 'float_range', kind: 'number', op: OP_DECIMAL, bits: 32, low: -INFINITY, high: INFINITY },
  { type: 'double_range', kind: 'number', op: OP_DECIMAL, bits: 64, low: -INFINITY, high: INFINITY },
  { type: 'date_range', kind: 'number', op: undefined, bits: 64, low: -(2 ** 63), high: 2 ** 63 },
  { type: 'ip_range', kind: 'ip', op: undefined, bits: 128, low: IP_LOW, high: IP_HIGH },
]

function rangeTraits({ kind, op, bits, low, high }: RangeSpec): RangeTraits {
  const step = op !== OP_DECIMAL ? 'whole' : bits === 32 ? 'float' : 'double'
  return op === OP_INTEGER ? { kind, step, limits: { low: low as number, high: high as number } } : { kind, step }
}

export const rangeTypes: readonly LeafDefinition[] = SPECS.map((spec) => ({
  type: spec.type,
  traits: { family: 'range', range: rangeTraits(spec) },
  mayHaveSubFields: true,
  parameters: [
    index(),
    docValues(),
    store(),
    lenience('coerce', true),
    ...formatParameters(DEFAULT_DATE_FORMAT),
    meta(),
  ],
  complete: (given) => {
    // Every range accepts a locale, but only dates use it.
    if (spec.type !== 'date_range') given.delete('locale')
  },
  check: checkFormat,
  build: (leaf, site) => buildRange(spec, leaf, site),
}))

function checkFormat(leaf: LeafMapper): void {
  if (leaf.type === 'date_range') boundFormat(leaf)
  else if (leaf.isGiven('format')) {
    throw illegalArgument(
      `field [${leaf.name}] of type [range] should not define a dateTimeFormatter unless it is a DATE type`,
    )
  }
}

const boundFormat = (leaf: LeafMapper) => compileDateFormat(leaf.text('format'), leaf.text('locale'))

function buildRange(spec: RangeSpec, leaf: LeafMapper, site: BuildSite): BuiltField {
  const indexed = leaf.flag('index')
  const hasDocValues = leaf.flag('doc_values')
  const format = spec.type === 'date_range' ? boundFormat(leaf) : undefined
  const coerce = leaf.isGiven('coerce') ? leaf.flag('coerce') : site.context.limits.coerce
  // Searches read the doc values, so an indexed range has them even without `doc_values`.
  const schema = site.schema({ docValues: indexed || hasDocValues ? 'binary' : 'none' })
  const boundPlan = new FieldPlan({
    path: site.path,
    type: spec.op === OP_INTEGER ? 'integer' : spec.op === OP_LONG ? 'long' : spec.bits === 32 ? 'float' : 'double',
    op: spec.op ?? OP_DECIMAL,
    schema: undefined,
    coerce,
    low: -2147483648,
    high: 2147483647,
    bits: spec.bits,
  })
  const reader = new BoundReader(spec, boundPlan, format)
  return {
    type: new RangeType(spec, leaf, site, schema, format),
    plan: new FieldPlan({
      path: site.path,
      type: spec.type,
      op: OP_VALUE,
      schema,
      stored: leaf.flag('store'),
      takesObjects: true,
      writeValue: (plan, sink) => reader.write(plan, sink),
    }),
  }
}

/** Parses `{gte, gt, lte, lt}`, or a network in CIDR notation. */
class BoundReader {
  readonly #spec: RangeSpec
  readonly #plan: FieldPlan
  readonly #format: DateFormat | undefined

  constructor(spec: RangeSpec, plan: FieldPlan, format: DateFormat | undefined) {
    this.#spec = spec
    this.#plan = plan
    this.#format = format
  }

  write(plan: FieldPlan, sink: EntrySink): void {
    const { reader } = sink
    if (reader.token === NULL) return
    let { low, high } = this.#spec
    if (this.#spec.kind === 'ip' && reader.token === STRING) ({ low, high } = parseCidr(reader.text()))
    else {
      if (reader.token !== START_OBJECT) {
        throw documentParsing(
          sink.places.ofToken(reader),
          `error parsing field [${plan.path}], expected an object but got ${reader.isItem ? 'null' : lastName(plan.path)}`,
        )
      }
      while (reader.next() !== END_OBJECT) {
        const name = reader.text()
        reader.next()
        if (name === 'gt' || name === 'gte')
          low = this.#bound(sink, name === 'gte', 1) ?? this.#open(low, name === 'gt', 1)
        else if (name === 'lt' || name === 'lte')
          high = this.#bound(sink, name === 'lte', -1) ?? this.#open(high, name === 'lt', -1)
        else {
          throw documentParsing(
            sink.places.ofToken(reader),
            `error parsing field [${plan.path}], with unknown parameter [${name}]`,
          )
        }
      }
    }
    if (isAbove(low, high)) {
      if (low instanceof Uint8Array) {
        throw illegalArgument('min value cannot be greater than max value for InetAddressRange field')
      }
      throw illegalArgument(`min value (${this.#shown(low)}) is greater than max value (${this.#shown(high)})`)
    }
    if (!plan.writes) return
    const bytes = encodeRange(this.#spec.kind, { low, high })
    const start = sink.put(bytes)
    sink.out.add(plan.schema!, BINARY, start, start + bytes.length, sink.doc)
  }

  #shown(bound: Bound): string {
    if (this.#spec.op !== OP_DECIMAL) return javaText(bound)
    return this.#spec.bits === 32 ? formatFloat(Number(bound)) : formatDouble(Number(bound))
  }

  /** The bound at the current token, moved inside if it is exclusive; undefined for null. */
  #bound(sink: EntrySink, inclusive: boolean, direction: 1 | -1): Bound | undefined {
    const { reader } = sink
    if (reader.token === NULL) return undefined
    const { kind, op, bits } = this.#spec
    if (op === undefined && (reader.token === START_OBJECT || reader.token === START_ARRAY)) {
      throw textExpected(sink.places.at(tokenStart(reader)), tokenName(reader.token))
    }
    if (kind === 'ip') {
      const address = requireIp(reader.text())
      return inclusive ? address : ((direction === 1 ? nextIp(address) : previousIp(address)) ?? noNeighbour(direction))
    }
    if (this.#format !== undefined) return this.#instant(reader.text(), inclusive, direction)
    if (reader.token === START_OBJECT) throw sink.places.notNumeric(reader)
    // An empty text is ignored as a field's value, but is not a bound.
    if (reader.token === STRING && reader.end === reader.start) {
      throw op === OP_LONG ? illegalArgument('For input string: ""') : numberFormat('empty String')
    }
    const value = sink.number(this.#plan)
    if (value === undefined) return undefined
    if (op === OP_DECIMAL) return decimalBound(bits, value as number, inclusive, direction)
    if (op === OP_LONG) return inclusive ? value : narrow(BigInt(value) + BigInt(direction))
    return inclusive ? value : (value as number) + direction
  }

  /** The bound of a side that is `null`: `gt` and `lt` exclude even the first and the last value there is. */
  #open(bound: Bound, isExclusive: boolean, direction: 1 | -1): Bound {
    const { low, high, op, bits } = this.#spec
    if (!isExclusive || bound !== (direction === 1 ? low : high)) return bound
    if (bound instanceof Uint8Array) return (direction === 1 ? nextIp(bound) : previousIp(bound))!
    if (op === OP_DECIMAL) return decimalBound(bits, bound as number, false, direction)
    return op === OP_LONG ? narrow(BigInt(bound) + BigInt(direction)) : (bound as number) + direction
  }

  /** A day without a time ends with its last millisecond: `lte` includes all of it, and `gt` starts after it. */
  #instant(text: string, inclusive: boolean, direction: 1 | -1): number {
    if (text.startsWith('now')) throw timelessBound()
    const roundUp = inclusive === (direction === -1)
    const { ms } = parseDateMath(text, { format: this.#format!, nowMs: 0, roundUp })
    return inclusive ? ms : ms + direction
  }
}

/** A document must have the same meaning whenever it is indexed, so `now` is rejected. */
function timelessBound(): ApiError {
  return parseFailure('could not read the current timestamp', illegalArgument('now is not used at indexing time'))
}

function noNeighbour(direction: 1 | -1): never {
  const reason =
    direction === 1
      ? 'Overflow: there is no greater InetAddress than ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'
      : 'Underflow: there is no smaller InetAddress than 0:0:0:0:0:0:0:0'
  throw arithmeticFailure(reason)
}

const lastName = (path: string) => path.slice(path.lastIndexOf('.') + 1)

function isAbove(low: Bound, high: Bound): boolean {
  if (low instanceof Uint8Array) return Buffer.compare(low, high as Uint8Array) > 0
  return low > (high as number | bigint)
}

class RangeType extends BaseFieldType {
  readonly spec: RangeSpec
  readonly dateFormat: DateFormat | undefined

  constructor(
    spec: RangeSpec,
    leaf: LeafMapper,
    site: BuildSite,
    schema: ReturnType<BuildSite['schema']>,
    format: DateFormat | undefined,
  ) {
    super({
      leaf,
      site,
      shape: 'range',
      schema,
      indexed: leaf.flag('index'),
      hasDocValues: leaf.flag('doc_values'),
      searchable: leaf.flag('index'),
    })
    this.spec = spec
    this.dateFormat = format
  }

  /** A single point: the range from it to it. */
  override termValue(value: unknown): IndexValue {
    const point = this.#point(value, false)
    return encodeRange(this.spec.kind, { low: point, high: point })
  }

  /** A pair of bounds has no doc value format. */
  override formatDocValue(): unknown {
    throw illegalArgument('Failed trying to format bytes as UTF8.  Possibly caused by a mapping mismatch')
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    // A network in CIDR notation is a range of addresses; no other range can be written as text.
    if (typeof value === 'string') return this.type === 'ip_range' ? value : undefined
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
    const bounds: Record<string, unknown> = {}
    for (const [name, bound] of Object.entries(value)) {
      if (bound === null) return undefined
      try {
        bounds[name] = this.#printed(this.#point(bound), format)
      } catch (error) {
        if (error instanceof ApiError) return undefined
        throw error
      }
    }
    return bounds
  }

  /** The indexed form of a single value; `coerce` truncates the decimals of integers. */
  #point(value: unknown, coerce = true): Bound {
    const { kind, op, bits } = this.spec
    if (kind === 'ip') return requireIp(javaText(value))
    if (this.dateFormat !== undefined) {
      return parseDateMath(javaText(value), { format: this.dateFormat, nowMs: Date.now() }).ms
    }
    if (op === OP_LONG) return narrow(parseLong(javaText(value), coerce))
    const number = typeof value === 'number' ? value : parseDouble(javaText(value))
    if (op === OP_DECIMAL) {
      const rounded = roundToBits(bits, number)
      return coerce ? rounded : finite(bits === 32 ? 'float' : 'double', rounded, value)
    }
    if (coerce) return Math.trunc(number)
    const whole = listedInteger(value, false)
    if (whole === undefined) throw decimalPart(javaText(value))
    return Number(whole)
  }

  #printed(point: Bound, format: string | undefined): unknown {
    if (point instanceof Uint8Array) return formatIp(point)
    if (this.dateFormat !== undefined) {
      const printer = format === undefined ? this.dateFormat : compileDateFormat(format, this.dateFormat.locale)
      return printer.format(point as number)
    }
    if (this.spec.op !== OP_DECIMAL) return point
    return this.spec.bits === 32 ? new Float(point as number) : new Double(point as number)
  }
}
