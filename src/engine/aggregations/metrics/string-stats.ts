/** `string_stats`: lengths of the values of a field, and the entropy of its characters. */
import { Double } from '../../../base/json/json-writer.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { ACCEPTS_BOOLEAN } from '../../request/request-reader.ts'
import { newOrdinalBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import { bindSource, type SourceSettings, type ValueSource } from '../values/value-source.ts'
import { commonFormat, readSource } from './number-metric.ts'

const KIND = 'string_stats'

interface Result {
  readonly count: number
  readonly totalLength: number
  readonly minLength: number
  readonly maxLength: number
  /** How often each character occurs. */
  readonly characters: ReadonlyMap<string, number>
  readonly format: ValueFormat
}

const EMPTY: Result = {
  count: 0,
  totalLength: 0,
  minLength: Number.POSITIVE_INFINITY,
  maxLength: 0,
  characters: new Map(),
  format: RAW_FORMAT,
}

class StringStats extends Aggregation<Result> {
  readonly kind = KIND
  readonly #source: SourceSettings
  readonly #showDistribution: boolean

  constructor(parts: AggregationParts, source: SourceSettings, showDistribution: boolean) {
    super(parts)
    this.#source = source
    this.#showDistribution = showDistribution
  }

  override plan(context: AggregationContext): ShardAggregator<Result> {
    return new StringStatsAggregator(bindSource(context.shard, this.#source, KIND, ['keyword'], 'keyword'))
  }

  override reduce(results: readonly Result[]): Result {
    const characters = new Map<string, number>()
    for (const result of results) {
      for (const [character, count] of result.characters) {
        characters.set(character, (characters.get(character) ?? 0) + count)
      }
    }
    return {
      count: results.reduce((sum, { count }) => sum + count, 0),
      totalLength: results.reduce((sum, { totalLength }) => sum + totalLength, 0),
      minLength: Math.min(...results.map(({ minLength }) => minLength)),
      maxLength: Math.max(...results.map(({ maxLength }) => maxLength)),
      characters,
      format: commonFormat(results),
    }
  }

  override empty(): Result {
    return EMPTY
  }

  override print(result: Result): Record<string, unknown> {
    const { count, totalLength, minLength, maxLength } = result
    const distribution = this.#showDistribution ? shares(result) : undefined
    if (count === 0) {
      return {
        count,
        min_length: null,
        max_length: null,
        avg_length: null,
        entropy: new Double(0),
        distribution: this.#showDistribution ? null : undefined,
      }
    }
    return {
      count,
      min_length: minLength,
      max_length: maxLength,
      avg_length: new Double(totalLength / count),
      entropy: new Double(entropy(result)),
      distribution:
        distribution && Object.fromEntries(distribution.map(([character, share]) => [character, new Double(share)])),
    }
  }

  override value(result: Result, property: string | undefined): number | undefined {
    switch (property) {
      case 'count':
        return result.count
      case 'min_length':
        return result.minLength
      case 'max_length':
        return result.maxLength
      case 'avg_length':
        return result.totalLength / result.count
      case 'entropy':
        return entropy(result)
      default:
        return undefined
    }
  }
}

/** Characters with their frequency, most frequent first. */
function shares({ characters, totalLength }: Result): [string, number][] {
  return [...characters]
    .map(([character, count]): [string, number] => [character, count / totalLength])
    .sort((a, b) => b[1] - a[1])
}

/** Shannon entropy, in bits per character. */
function entropy(result: Result): number {
  return shares(result).reduce((sum, [, share]) => sum - share * Math.log2(share), 0)
}

interface BucketState {
  count: number
  totalLength: number
  minLength: number
  maxLength: number
  readonly characters: Map<string, number>
}

class StringStatsAggregator implements ShardAggregator<Result> {
  readonly needsScores = false
  readonly #source: ValueSource
  readonly #states: (BucketState | undefined)[] = []

  constructor(source: ValueSource) {
    this.#source = source
  }

  segment({ reader }: SegmentView): SegmentCollector | undefined {
    const { field, missing } = this.#source
    const docValues = field === undefined ? undefined : reader.sortedSetDocValues(storageName(field))
    if (docValues === undefined && missing === undefined) return undefined
    const block = newOrdinalBlock()
    const texts = new Map<number, string>()
    const text = (ordinal: number) => {
      let known = texts.get(ordinal)
      if (known === undefined) texts.set(ordinal, (known = Buffer.from(docValues!.term(ordinal)).toString()))
      return known
    }
    return {
      collect: (docs, buckets, count) => {
        if (docValues === undefined) block.offsets.fill(0, 0, count + 1)
        else docValues.readBlock(docs, count, block)
        for (let i = 0; i < count; i++) {
          const end = block.offsets[i + 1]!
          let slot = block.offsets[i]!
          if (slot === end && missing !== undefined) this.#add(buckets[i]!, String(missing))
          for (; slot < end; slot++) this.#add(buckets[i]!, text(block.ordinals[slot]!))
        }
      },
    }
  }

  #add(bucket: number, value: string): void {
    const state = (this.#states[bucket] ??= {
      count: 0,
      totalLength: 0,
      minLength: Number.POSITIVE_INFINITY,
      maxLength: 0,
      characters: new Map(),
    })
    state.count++
    state.totalLength += value.length
    state.minLength = Math.min(state.minLength, value.length)
    state.maxLength = Math.max(state.maxLength, value.length)
    for (const character of value) state.characters.set(character, (state.characters.get(character) ?? 0) + 1)
  }

  finish(): void {}

  result(bucket: number): Result {
    return { ...EMPTY, ...this.#states[bucket], format: this.#source.format }
  }
}

export const stringStatsKind: AggregationKind = {
  name: KIND,
  hasChildren: false,
  parse(reader) {
    let showDistribution = false
    const source = readSource(reader, KIND, {
      show_distribution: {
        accepts: ACCEPTS_BOOLEAN,
        parse: () => {
          showDistribution = reader.boolean()
        },
      },
    })
    return (parts) => new StringStats(parts, source, showDistribution)
  },
}
