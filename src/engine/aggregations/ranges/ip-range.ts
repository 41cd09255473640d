/** `ip_range`: ranges of addresses, from inclusive, to exclusive, or by network. */

import { type JsonToken, NULL, START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { newMembers } from '../../../base/json/members.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_STRING, type RequestReader } from '../../request/request-reader.ts'
import { newOrdinalBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SortedSetDocValues, ValueBlock } from '../../segment/segment-reader-api.ts'
import { formatIp, nextIp, parseCidr, requireIp } from '../../values/ip.ts'
import type { AggregationParts } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { compareTerms } from '../values/global-ordinals.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  sourceMembers,
} from '../values/value-source.ts'
import { requireRanges } from './number-range.ts'
import { type BoundRanges, type RangeLabel, RangesAggregation, type SegmentRanges } from './range-buckets.ts'

const KIND = 'ip_range'

interface IpRange {
  readonly key: string | undefined
  readonly from: Uint8Array | undefined
  readonly to: Uint8Array | undefined
}

interface Options {
  readonly source: SourceSettings
  keyed: boolean
  ranges: IpRange[]
}

class IpRanges extends RangesAggregation {
  readonly kind = KIND
  protected readonly keyed: boolean
  readonly #source: SourceSettings
  readonly #ranges: readonly IpRange[]

  constructor(parts: AggregationParts, { source, keyed, ranges }: Options) {
    super(parts)
    this.keyed = keyed
    this.#source = source
    this.#ranges = ranges.sort((a, b) => compareOpen(a.from, b.from, -1) || compareOpen(a.to, b.to, 1))
  }

  protected override bind({ shard }: AggregationContext): BoundRanges {
    const { field, missing } = bindSource(shard, this.#source, KIND, ['ip'], 'ip')
    requireRanges(this.#ranges, this.name)
    const absent = missing === undefined ? undefined : requireIp(String(missing))
    return {
      labels: this.#ranges.map(rangeLabel),
      segment: ({ reader }) => {
        const docValues = field === undefined ? undefined : reader.sortedSetDocValues(storageName(field))
        if (docValues === undefined && absent === undefined) return undefined
        return ordinalRanges(docValues, this.#ranges, absent)
      },
    }
  }
}

function rangeLabel({ key, from, to }: IpRange): RangeLabel {
  const members: Record<string, unknown> = newMembers()
  if (from !== undefined) members['from'] = formatIp(from)
  if (to !== undefined) members['to'] = formatIp(to)
  return { key: key ?? `${members['from'] ?? '*'}-${members['to'] ?? '*'}`, members }
}

/** An open end comes before (-1) or after (1) all addresses. */
function compareOpen(a: Uint8Array | undefined, b: Uint8Array | undefined, open: -1 | 1): number {
  if (a === undefined) return b === undefined ? 0 : open
  if (b === undefined) return -open
  return compareTerms(a, b)
}

/** Addresses as positions in the segment's sorted terms; an address without a term is between two positions. */
function ordinalRanges(
  docValues: SortedSetDocValues | undefined,
  ranges: readonly IpRange[],
  absent: Uint8Array | undefined,
): SegmentRanges {
  const place = (address: Uint8Array) => {
    const found = docValues === undefined ? -1 : docValues.find(address)
    return found >= 0 ? found : -found - 1.5
  }
  const block = newOrdinalBlock()
  const standIn = absent === undefined ? undefined : place(absent)
  return {
    from: Float64Array.from(ranges, ({ from }) => lowerPlace(from, absent, place, Number.NEGATIVE_INFINITY)),
    to: Float64Array.from(ranges, ({ to }) => lowerPlace(to, absent, place, Number.POSITIVE_INFINITY)),
    readBlock: (docs, count, into) => {
      if (docValues === undefined) block.offsets.fill(0, 0, count + 1)
      else docValues.readBlock(docs, count, block)
      fill(block.offsets, block.ordinals, count, standIn, into)
    },
  }
}

/**
 * The first position of addresses from this one on. The `missing` address counts as one of them if it is not before the
 * bound.
 */
function lowerPlace(
  bound: Uint8Array | undefined,
  absent: Uint8Array | undefined,
  place: (address: Uint8Array) => number,
  open: number,
): number {
  if (bound === undefined) return open
  const at = place(bound)
  if (absent === undefined || at !== place(absent) || Number.isInteger(at)) return at
  return compareTerms(absent, bound) >= 0 ? at : at + 0.25
}

function fill(
  offsets: Int32Array,
  ordinals: Int32Array,
  count: number,
  standIn: number | undefined,
  into: ValueBlock,
): void {
  const most = offsets[count]! + (standIn === undefined ? 0 : count)
  if (into.values.length < most) into.values = new Float64Array(most * 2)
  let at = 0
  for (let i = 0; i < count; i++) {
    into.offsets[i] = at
    const end = offsets[i + 1]!
    for (let slot = offsets[i]!; slot < end; slot++) into.values[at++] = ordinals[slot]!
    if (at === into.offsets[i] && standIn !== undefined) into.values[at++] = standIn
  }
  into.offsets[count] = at
}

const ACCEPTS_ADDRESS: readonly JsonToken[] = [STRING, NULL]

function readRange(reader: RequestReader): IpRange {
  let key: string | undefined
  let from: string | undefined
  let to: string | undefined
  let mask: string | undefined
  if (!reader.is(START_OBJECT)) {
    throw reader.parsingError(`[ranges] must contain objects, but hit a ${reader.tokenName}`)
  }
  reader.parseObject(KIND, {
    key: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        key = reader.text()
      },
    },
    from: {
      accepts: ACCEPTS_ADDRESS,
      parse: () => {
        from = textOrNone(reader)
      },
    },
    to: {
      accepts: ACCEPTS_ADDRESS,
      parse: () => {
        to = textOrNone(reader)
      },
    },
    mask: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        mask = reader.text()
      },
    },
  })
  if (mask === undefined) return { key, from: address(from), to: address(to) }
  const { low, high } = parseCidr(mask)
  return { key: key ?? mask, from: isFirst(low) ? undefined : low, to: nextIp(high) }
}

const isFirst = (address: Uint8Array) => address.every((byte) => byte === 0)

const textOrNone = (reader: RequestReader) => (reader.token === NULL ? undefined : reader.text())

const address = (text: string | undefined) => (text === undefined ? undefined : requireIp(text))

export const ipRangeKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader) {
    const options: Options = { source: newSourceSettings(), keyed: false, ranges: [] }
    reader.parseObject(KIND, [
      sourceMembers(reader, options.source, { format: false, script: false }),
      {
        keyed: {
          accepts: ACCEPTS_BOOLEAN,
          parse: () => {
            options.keyed = reader.boolean()
          },
        },
        ranges: {
          accepts: [START_ARRAY],
          parse: () => reader.items(() => options.ranges.push(readRange(reader))),
        },
      },
    ])
    requireField(options.source, false)
    return (parts) => new IpRanges(parts, options)
  },
}
