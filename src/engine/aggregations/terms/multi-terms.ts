/** `multi_terms`: a bucket per combination of the values of several fields. */

import { illegalArgument } from '../../../base/api-error.ts'
import { fieldOrScript } from '../../../base/errors/aggregation-errors.ts'
import { START_ARRAY } from '../../../base/json/json-reader.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { ACCEPTS_NUMBER, type MemberParser, type RequestReader } from '../../request/request-reader.ts'
import { newOrdinalBlock, newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { formatIp, requireIp } from '../../values/ip.ts'
import {
  type Aggregation,
  type AggregationParts,
  BucketsAggregation,
  type SegmentCollector,
  type ShardAggregator,
} from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { BucketTable } from '../state/bucket-table.ts'
import { compareTerms } from '../values/global-ordinals.ts'
import { numberValues } from '../values/number-values.ts'
import { RAW_FORMAT } from '../values/value-format.ts'
import {
  bindSource,
  newSourceSettings,
  type SourceSettings,
  sourceMembers,
  type ValueSource,
} from '../values/value-source.ts'
import { isFractional } from './bind-terms.ts'
import { decodeKey, encodeKey, type KeyPart } from './compound-key.ts'
import { type CollectMode, TermsAggregator } from './terms-aggregator.ts'
import {
  type CountOptions,
  countMembers,
  type ListOptions,
  listMembers,
  newCountOptions,
  newListOptions,
  positive,
} from './terms-grammar.ts'
import {
  NO_TERMS,
  reduceTerms,
  type TermBucket,
  type TermKey,
  type TermsResult,
  type TermsSettings,
  termPrinter,
} from './terms-result.ts'

const KIND = 'multi_terms'
const SOURCES = ['keyword', 'ip', 'number', 'date', 'boolean'] as const

interface Options extends CountOptions, ListOptions {
  readonly sources: SourceSettings[]
}

class MultiTerms extends BucketsAggregation<TermsResult> {
  readonly kind = KIND
  readonly #options: Options
  readonly #settings: TermsSettings
  /** How the parts of keys print, by position; known once the fields are bound. */
  readonly #printers: PositionPrinters[]

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.#options = options
    this.#printers = options.sources.map(() => ({}))
    const { size, shardSize, minDocCount, shardMinDocCount, orders, showErrors } = options
    this.#settings = {
      size,
      shardSize: Math.max(size, shardSize ?? Math.trunc(size * 1.5 + 10)),
      minDocCount,
      shardMinDocCount,
      orders,
      showErrors,
    }
  }

  override plan(context: AggregationContext): ShardAggregator<TermsResult> {
    const sources = this.#options.sources.map((settings) =>
      bindSource(context.shard, settings, KIND, SOURCES, 'keyword'),
    )
    for (const [at, source] of sources.entries()) keepPrinter(this.#printers[at]!, source)
    return new MultiTermsAggregator(context, this, sources, this.#settings, this.#options.mode)
  }

  override reduce(results: readonly TermsResult[], reduction: Reduction): TermsResult {
    return reduceTerms(results, this.#settings, this.children, reduction)
  }

  override empty(): TermsResult {
    return NO_TERMS
  }

  override print(result: TermsResult, printer: Printer): Record<string, unknown> {
    return {
      doc_count_error_upper_bound: result.error,
      sum_other_doc_count: result.otherDocCount,
      buckets: result.buckets.map((bucket, i) => ({
        key: decodeKey(bucket.key as Uint8Array).map((part, at) => printerOf(this.#printers[at]!, part).value(part)),
        key_as_string: this.keyText(result, i),
        doc_count: bucket.docCount,
        doc_count_error_upper_bound: this.#settings.showErrors ? bucket.error : undefined,
        ...printer.results(this.children, bucket.results),
      })),
    }
  }

  override keyText({ buckets }: TermsResult, index: number): string {
    const parts = decodeKey(buckets[index]!.key as Uint8Array)
    return parts.map((part, at) => printerOf(this.#printers[at]!, part).text(part)).join('|')
  }
}

interface PartPrinter {
  value(part: KeyPart): unknown
  text(part: KeyPart): string
}

/**
 * The printers of the parts at one position. The field may be a keyword in one index and a number in another, or be
 * unmapped there and have the value of `missing`, so terms and numbers have separate printers.
 */
interface PositionPrinters {
  terms?: { readonly printer: PartPrinter; readonly rank: number } | undefined
  numbers?: { readonly printer: PartPrinter; readonly rank: number } | undefined
}

function printerOf({ terms, numbers }: PositionPrinters, part: KeyPart): PartPrinter {
  return (part instanceof Uint8Array ? terms : numbers)!.printer
}

/** Fields of several indices: mapped ones take precedence over unmapped ones, and fractions over integers. */
function keepPrinter(known: PositionPrinters, source: ValueSource): void {
  const kind = hasTerms(source) ? 'terms' : 'numbers'
  const isMapped = source.field !== undefined || source.ofDocument !== undefined
  const rank = !isMapped ? 0 : kind === 'numbers' && isFractional(source) ? 2 : 1
  if (known[kind] === undefined || known[kind].rank <= rank) known[kind] = { printer: partPrinter(source), rank }
}

const hasTerms = ({ type }: ValueSource) => type === 'keyword' || type === 'ip'

function partPrinter(source: ValueSource): PartPrinter {
  const { type, format } = source
  if (hasTerms(source)) {
    const print = type === 'ip' ? formatIp : termPrinter(source.field)
    const text = (part: KeyPart) => print(part as Uint8Array)
    return { text, value: text }
  }
  if (type === 'boolean') return { text: (part) => String(part === 1), value: (part) => part === 1 }
  if (!format.isRaw) {
    const text = (part: KeyPart) => format.text(part as number)
    return { text, value: text }
  }
  if (!isFractional(source)) return { text: String, value: (part) => part }
  return { text: (part) => formatDouble(part as number), value: (part) => new Double(part as number) }
}

/** The values of one field on a segment: entry i has those at [offsets[i], offsets[i + 1]). */
interface PartReader {
  read(docs: Int32Array, count: number): { readonly offsets: Int32Array; part(slot: number): KeyPart }
}

function partReader(source: ValueSource, view: SegmentView): PartReader | undefined {
  const { type, field, missing } = source
  if (!hasTerms(source)) {
    const values = numberValues(source, view)
    const block = newValueBlock()
    return (
      values && {
        read(docs, count) {
          values.readBlock(docs, count, block)
          return { offsets: block.offsets, part: (slot) => block.values[slot]! }
        },
      }
    )
  }
  const docValues = field === undefined ? undefined : view.reader.sortedSetDocValues(storageName(field))
  const text = missing as string | undefined
  const standIn = text === undefined ? undefined : type === 'ip' ? requireIp(text) : Buffer.from(text)
  if (docValues === undefined && standIn === undefined) return undefined
  const block = newOrdinalBlock()
  return {
    read(docs, count) {
      if (docValues === undefined) block.offsets.fill(0, 0, count + 1)
      else docValues.readBlock(docs, count, block)
      if (standIn === undefined)
        return { offsets: block.offsets, part: (slot) => docValues!.term(block.ordinals[slot]!) }
      const parts: KeyPart[] = []
      const offsets = new Int32Array(count + 1)
      for (let i = 0; i < count; i++) {
        offsets[i] = parts.length
        const end = block.offsets[i + 1]!
        if (block.offsets[i] === end) parts.push(standIn)
        for (let slot = block.offsets[i]!; slot < end; slot++) parts.push(docValues!.term(block.ordinals[slot]!))
      }
      offsets[count] = parts.length
      return { offsets, part: (slot) => parts[slot]! }
    },
  }
}

class MultiTermsAggregator extends TermsAggregator {
  readonly #sources: readonly ValueSource[]
  readonly #table: BucketTable
  readonly #numbers = new Map<string, number>()
  readonly #keys: Uint8Array[] = []

  constructor(
    context: AggregationContext,
    aggregation: Aggregation,
    sources: readonly ValueSource[],
    settings: TermsSettings,
    mode: CollectMode | undefined,
  ) {
    super(context, aggregation, settings, mode, Number.POSITIVE_INFINITY)
    this.#sources = sources
    this.#table = new BucketTable(context.memory)
  }

  override segment(view: SegmentView): SegmentCollector | undefined {
    const readers: PartReader[] = []
    for (const source of this.#sources) {
      const reader = partReader(source, view)
      if (reader === undefined) return undefined
      readers.push(reader)
    }
    const child = this.childSegment(view)
    const expansion = child === undefined ? undefined : new BucketExpansion(child)
    const key: KeyPart[] = new Array(readers.length).fill(0)
    return {
      collect: (docs, buckets, count) => {
        const parts = readers.map((reader) => reader.read(docs, count))
        const combine = (i: number, at: number): void => {
          if (at === parts.length) {
            this.#add(docs[i]!, buckets[i]!, encodeKey(key), expansion)
            return
          }
          const { offsets, part } = parts[at]!
          for (let slot = offsets[i]!; slot < offsets[i + 1]!; slot++) {
            key[at] = part(slot)
            combine(i, at + 1)
          }
        }
        for (let i = 0; i < count; i++) combine(i, 0)
        expansion?.flush()
      },
      end: () => expansion?.end(),
    }
  }

  #add(doc: number, parent: number, key: Uint8Array, expansion: BucketExpansion | undefined): void {
    const name = Buffer.from(key).toString('latin1')
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.#keys.push(key) - 1
      this.#numbers.set(name, number)
    }
    const bucket = this.#table.add(parent, number)
    const counts = this.counts.reserve(bucket + 1)
    counts[bucket] = counts[bucket]! + 1
    expansion?.add(doc, bucket)
  }

  protected override bucketsOf(parent: number): Int32Array {
    return this.#table.ofParent(parent)
  }

  protected override parents(): Iterable<number> {
    return new Set(this.#table.parents.subarray(0, this.#table.size))
  }

  protected override bucketCount(): number {
    return this.#table.size
  }

  protected override compareKeys(a: number, b: number): number {
    return compareTerms(this.keyOf(a) as Uint8Array, this.keyOf(b) as Uint8Array)
  }

  protected override keyOf(bucket: number): TermKey {
    return this.#keys[this.#table.keys[bucket]!]!
  }

  protected override wrap(buckets: TermBucket[], otherDocCount: number): TermsResult {
    return { type: 'string', buckets, otherDocCount, error: 0, format: RAW_FORMAT, text: () => '' }
  }
}

export const multiTermsKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = { sources: [], ...newCountOptions(1), ...newListOptions() }
    reader.parseObject(KIND, members(reader, name, options))
    if (options.sources.length === 0) throw illegalArgument('Required [terms]')
    return (parts) => new MultiTerms(parts, options)
  },
}

function members(reader: RequestReader, name: string, options: Options): Record<string, MemberParser> {
  return {
    terms: {
      accepts: [START_ARRAY],
      parse: () => {
        reader.each(() => options.sources.push(readSource(reader)))
        checkCount(options.sources.length, name)
      },
    },
    ...listMembers(reader, options),
    ...countMembers(reader, name, options),
    // Combinations without documents are not listed, so 0 is not allowed.
    min_doc_count: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        options.minDocCount = positive(reader.long(), 'minDocCount', name)
      },
    },
  }
}

function checkCount(count: number, name: string): void {
  if (count >= 2) return
  throw illegalArgument(
    `The [terms] parameter in the aggregation [${name}] must be present and have at least 2 fields or scripts.` +
      (count === 1 ? ' For a single field user terms aggregation.' : ''),
  )
}

function readSource(reader: RequestReader): SourceSettings {
  const settings = newSourceSettings()
  reader.parseObject('field_config', sourceMembers(reader, settings, { timeZone: true }))
  if (settings.field === undefined && settings.script === undefined) {
    throw fieldOrScript()
  }
  return settings
}
