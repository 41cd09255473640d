/** The words of documents by bucket, read from `_source` and analyzed, because text fields have no doc values. */
import { JsonReader } from '../../../base/json/json-reader.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { isObject, valuesAt } from '../../mapping/source/source-values.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { javaText } from '../../values/java-text.ts'
import type { SegmentCollector, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { type TermsResult, utf8Text } from '../terms/terms-result.ts'
import { RAW_FORMAT } from '../values/value-format.ts'
import { RepeatedPassages } from './repeated-passages.ts'

export interface TextWordsOptions {
  readonly field: FieldType
  /** Paths of the texts in `_source`. */
  readonly paths: readonly string[]
  readonly accepts: ((term: Uint8Array) => boolean) | undefined
  readonly shardMinDocCount: number
  /** Whether words of repeated passages are skipped. */
  readonly skipsRepeated: boolean
}

/** The approximate size of a map entry. */
const WORD_BYTES = 100

export class TextWords implements ShardAggregator<TermsResult> {
  readonly needsScores = false
  readonly #context: AggregationContext
  readonly #options: TextWordsOptions
  readonly #analyze: (text: string) => string[]
  readonly #counts = new Map<number, Map<string, number>>()
  readonly #accepted = new Map<string, boolean>()
  /** By bucket, because repetitions are detected among the documents of one bucket. */
  readonly #passages = new Map<number, RepeatedPassages>()
  readonly #json = new JsonReader()

  constructor(context: AggregationContext, options: TextWordsOptions) {
    const { field } = options
    this.#context = context
    this.#options = options
    const analyzer = field.shape === 'text' ? context.shard.analyzer(field.analyzerName ?? 'standard') : undefined
    this.#analyze =
      field.shape === 'text'
        ? (text) => analyzer?.tokens(text).map(({ term }) => term) ?? []
        : (text) => [utf8Text(field.termValue(text) as Uint8Array)]
  }

  segment(view: SegmentView): SegmentCollector {
    return {
      collect: (docs, buckets, count) => {
        for (let i = 0; i < count; i++) this.#add(view, docs[i]!, buckets[i]!)
      },
    }
  }

  #add(view: SegmentView, doc: number, bucket: number): void {
    let counts = this.#counts.get(bucket)
    if (counts === undefined) this.#counts.set(bucket, (counts = new Map()))
    const before = counts.size
    for (const word of this.#wordsOf(view, doc, bucket)) counts.set(word, (counts.get(word) ?? 0) + 1)
    this.#context.memory.add((counts.size - before) * WORD_BYTES)
  }

  /** Each word once per document. */
  #wordsOf(view: SegmentView, doc: number, bucket: number): Set<string> {
    const passages = this.#options.skipsRepeated ? this.#passagesOf(bucket) : undefined
    const words = new Set<string>()
    for (const text of this.#textsOf(view, doc)) {
      const tokens = this.#analyze(text)
      const repeated = passages?.mark(tokens)
      tokens.forEach((word, i) => {
        if (repeated?.[i] !== true && this.#accepts(word)) words.add(word)
      })
    }
    return words
  }

  #passagesOf(bucket: number): RepeatedPassages {
    let passages = this.#passages.get(bucket)
    if (passages === undefined) this.#passages.set(bucket, (passages = new RepeatedPassages(this.#context.memory)))
    return passages
  }

  /** Nested objects have no source of their own. */
  #textsOf({ reader }: SegmentView, doc: number): string[] {
    if (reader.nested !== undefined && reader.nested.pathOf[doc] !== 0) return []
    const bytes = reader.source(doc)
    if (bytes === undefined) return []
    this.#json.reset(bytes)
    this.#json.next()
    const source = this.#json.value()
    if (!isObject(source)) return []
    const values = this.#options.paths.flatMap((path) => valuesAt(source, path)).flat(Number.POSITIVE_INFINITY)
    return values.filter((value) => value !== null).map((value) => javaText(value))
  }

  #accepts(word: string): boolean {
    const { accepts } = this.#options
    if (accepts === undefined) return true
    let accepted = this.#accepted.get(word)
    if (accepted === undefined) this.#accepted.set(word, (accepted = accepts(Buffer.from(word))))
    return accepted
  }

  finish(): void {}

  result(bucket: number): TermsResult {
    const counts = [...(this.#counts.get(bucket) ?? [])]
    const listed = counts.filter(([, docCount]) => docCount >= this.#options.shardMinDocCount)
    const buckets = listed.map(([word, docCount]) => ({ key: Buffer.from(word), docCount, error: 0, results: [] }))
    return { type: 'string', buckets, otherDocCount: 0, error: 0, format: RAW_FORMAT, text: utf8Text }
  }
}
