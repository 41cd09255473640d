/** `ip_prefix`: groups addresses by network. */
import { illegalArgument } from '../../../base/api-error.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_NUMBER } from '../../request/request-reader.ts'
import { newOrdinalBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView, SortedSetDocValues } from '../../segment/segment-reader-api.ts'
import { formatIp, IP_BYTES, requireIp } from '../../values/ip.ts'
import {
  type Aggregation,
  type AggregationParts,
  type Bucket,
  BucketsAggregation,
  type SegmentCollector,
  type ShardAggregator,
} from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { reduceResults, ShardTree } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { BucketInts } from '../state/bucket-arrays.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { BucketTable } from '../state/bucket-table.ts'
import { weighed } from '../values/document-weights.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  sourceMembers,
} from '../values/value-source.ts'

const KIND = 'ip_prefix'
/** Offset of an IPv4 address within the sixteen bytes. */
const IPV4_START = 12

interface Options {
  readonly source: SourceSettings
  prefixLength: number
  isIpv6: boolean
  appendLength: boolean
  keyed: boolean
  minDocCount: number
}

interface PrefixBucket extends Bucket {
  /** The network address, one character per byte. */
  readonly network: string
}

interface PrefixResult {
  buckets: readonly PrefixBucket[]
}

class IpPrefix extends BucketsAggregation<PrefixResult> {
  readonly kind = KIND
  readonly #options: Options

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.#options = options
  }

  override plan(context: AggregationContext): ShardAggregator<PrefixResult> {
    const { source, prefixLength, isIpv6 } = this.#options
    const longest = isIpv6 ? 128 : 32
    const { field, missing } = bindSource(context.shard, source, KIND, ['ip'], 'ip')
    if (prefixLength < 0 || prefixLength > longest) throw lengthOutOfRange(this.#options)
    const mask = prefixMask(prefixLength, isIpv6)
    const standIn = missing === undefined ? undefined : requireIp(String(missing))
    return new PrefixAggregator(context, this, storageName(field), mask, standIn)
  }

  override reduce(results: readonly PrefixResult[], reduction: Reduction): PrefixResult {
    const parts = new Map<string, PrefixBucket[]>()
    for (const { buckets } of results) {
      for (const bucket of buckets) parts.set(bucket.network, [...(parts.get(bucket.network) ?? []), bucket])
    }
    const merged = [...parts].map(([network, same]) => ({
      network,
      docCount: same.reduce((sum, { docCount }) => sum + docCount, 0),
      results: reduceResults(this.children, same, reduction),
    }))
    const buckets = merged.filter(({ docCount }) => docCount >= this.#options.minDocCount)
    buckets.sort((a, b) => (a.network < b.network ? -1 : 1))
    reduction.addBuckets(buckets.length)
    return { buckets }
  }

  override empty(): PrefixResult {
    return { buckets: [] }
  }

  override print({ buckets }: PrefixResult, printer: Printer): Record<string, unknown> {
    const { keyed, isIpv6, prefixLength } = this.#options
    const printed = buckets.map(({ network, docCount, results }) => ({
      key: keyed ? undefined : this.#text(network),
      netmask: isIpv6 ? undefined : addressText(maskOf(prefixLength), false),
      doc_count: docCount,
      is_ipv6: isIpv6,
      prefix_length: prefixLength,
      ...printer.results(this.children, results),
    }))
    if (!keyed) return { buckets: printed }
    return { buckets: Object.fromEntries(printed.map((bucket, i) => [this.#text(buckets[i]!.network), bucket])) }
  }

  #text(network: string): string {
    const { appendLength, prefixLength } = this.#options
    const text = this.#address(network)
    return appendLength ? `${text}/${prefixLength}` : text
  }

  #address(network: string): string {
    return addressText(Buffer.from(network, 'latin1'), this.#options.isIpv6)
  }

  /** Pipelines identify a bucket by its address alone. */
  override keyText({ buckets }: PrefixResult, index: number): string {
    return this.#address(buckets[index]!.network)
  }
}

/** The significant bits of an address; for IPv4 only its own four bytes count. */
function prefixMask(length: number, isIpv6: boolean): Uint8Array {
  const first = isIpv6 ? 0 : IPV4_START * 8
  const mask = new Uint8Array(IP_BYTES)
  for (let bit = first; bit < first + length; bit++) mask[bit >> 3]! |= 0x80 >> (bit & 7)
  return mask
}

const maskOf = (length: number) => prefixMask(length, false)

function addressText(address: Uint8Array, isIpv6: boolean): string {
  return isIpv6 ? formatIp(address) : address.subarray(IPV4_START).join('.')
}

class PrefixAggregator implements ShardAggregator<PrefixResult> {
  readonly needsScores: boolean
  readonly #field: string | undefined
  readonly #mask: Uint8Array
  /** The network of documents without an address; undefined omits them. */
  readonly #missing: number | undefined
  readonly #children: ShardTree
  readonly #table: BucketTable
  readonly #counts: BucketInts
  readonly #networks: string[] = []
  readonly #numbers = new Map<string, number>()

  constructor(
    context: AggregationContext,
    aggregation: Aggregation,
    field: string | undefined,
    mask: Uint8Array,
    missing: Uint8Array | undefined,
  ) {
    this.#field = field
    this.#mask = mask
    this.#missing = missing === undefined ? undefined : this.#networkOf(missing)
    this.#children = new ShardTree(aggregation.children, within(context, aggregation, { manyBuckets: true }))
    this.needsScores = this.#children.needsScores
    this.#table = new BucketTable(context.memory)
    this.#counts = new BucketInts(context.memory)
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const docValues = this.#field === undefined ? undefined : view.reader.sortedSetDocValues(this.#field)
    if (docValues === undefined && this.#missing === undefined) return undefined
    const child = weighed(view, this.#counts, this.#children.segment(view))
    const expansion = child === undefined ? undefined : new BucketExpansion(child)
    const networkOf = docValues === undefined ? new Int32Array(0) : this.#networksOf(docValues)
    const block = newOrdinalBlock()
    return {
      collect: (docs, buckets, count) => {
        if (docValues === undefined) block.offsets.fill(0, 0, count + 1)
        else docValues.readBlock(docs, count, block)
        for (let i = 0; i < count; i++) {
          if (block.offsets[i] === block.offsets[i + 1] && this.#missing !== undefined) {
            this.#add(docs[i]!, buckets[i]!, this.#missing, expansion)
          }
          let previous = -1
          for (let slot = block.offsets[i]!; slot < block.offsets[i + 1]!; slot++) {
            // The addresses of a document ascend, and so do their networks, so duplicates are adjacent.
            const network = networkOf[block.ordinals[slot]!]!
            if (network === previous) continue
            previous = network
            this.#add(docs[i]!, buckets[i]!, network, expansion)
          }
        }
        expansion?.flush()
      },
      end: () => expansion?.end(),
    }
  }

  #add(doc: number, parent: number, network: number, expansion: BucketExpansion | undefined): void {
    const bucket = this.#table.add(parent, network)
    const counts = this.#counts.reserve(bucket + 1)
    counts[bucket] = counts[bucket]! + 1
    expansion?.add(doc, bucket)
  }

  /** The network of each address of the segment, by ordinal. */
  #networksOf(docValues: SortedSetDocValues): Int32Array {
    const networks = new Int32Array(docValues.termCount)
    for (let ordinal = 0; ordinal < docValues.termCount; ordinal++) {
      networks[ordinal] = this.#networkOf(docValues.term(ordinal))
    }
    return networks
  }

  #networkOf(address: Uint8Array): number {
    const network = Buffer.from(address.map((byte, i) => byte & this.#mask[i]!)).toString('latin1')
    let number = this.#numbers.get(network)
    if (number === undefined) {
      number = this.#networks.push(network) - 1
      this.#numbers.set(network, number)
    }
    return number
  }

  finish(): void {
    this.#children.finish()
  }

  result(parent: number): PrefixResult {
    return {
      buckets: Array.from(this.#table.ofParent(parent), (bucket) => ({
        network: this.#networks[this.#table.keys[bucket]!]!,
        docCount: this.#counts.get(bucket),
        results: this.#children.results(bucket),
      })),
    }
  }
}

const lengthOutOfRange = ({ prefixLength, isIpv6 }: Options) =>
  illegalArgument(`[prefix_length] must be in range [0, ${isIpv6 ? 128 : 32}] while value is [${prefixLength}]`)

export const ipPrefixKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = {
      source: newSourceSettings(),
      prefixLength: -1,
      isIpv6: false,
      appendLength: false,
      keyed: false,
      minDocCount: 1,
    }
    const flag = (member: 'isIpv6' | 'appendLength' | 'keyed') => ({
      accepts: ACCEPTS_BOOLEAN,
      parse: () => {
        options[member] = reader.boolean()
      },
    })
    reader.parseObject(KIND, [
      sourceMembers(reader, options.source, { format: false, script: false }),
      {
        prefix_length: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            options.prefixLength = reader.integer()
            if (options.prefixLength < 0) throw lengthOutOfRange(options)
          },
        },
        is_ipv6: flag('isIpv6'),
        append_prefix_length: flag('appendLength'),
        keyed: flag('keyed'),
        min_doc_count: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            options.minDocCount = reader.long()
            if (options.minDocCount >= 1) return
            throw illegalArgument(
              `[min_doc_count] must be greater than or equal to 1: [${options.minDocCount}] in [${name}]`,
            )
          },
        },
      },
    ])
    requireField(options.source, false)
    return (parts) => new IpPrefix(parts, options)
  },
}
