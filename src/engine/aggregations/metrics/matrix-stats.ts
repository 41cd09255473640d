/** `matrix_stats`: moments of several fields, and how they vary together, over the documents that have all of them. */

import { illegalArgument } from '../../../base/api-error.ts'
import { unknownSortMode } from '../../../base/errors/query-errors.ts'
import { END_OBJECT, FIELD_NAME, NULL, START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { memberOf, newMembers } from '../../../base/json/members.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { hashOrder } from '../../values/java-text.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { numberValues } from '../values/number-values.ts'
import { bindSource, newSourceSettings, type ValueSource } from '../values/value-source.ts'
import { MomentMatrix } from './moment-matrix.ts'
import { NUMERIC_SOURCES } from './number-metric.ts'

const KIND = 'matrix_stats'

/** How a document with several values is counted. */
type ValueMode = 'avg' | 'min' | 'max' | 'sum' | 'median'

interface Settings {
  fields: string[]
  mode: ValueMode
  missing: Readonly<Record<string, unknown>>
}

interface MatrixResult {
  readonly names: readonly string[]
  readonly matrix: MomentMatrix | undefined
}

class MatrixStats extends Aggregation<MatrixResult> {
  readonly kind = KIND
  readonly #settings: Settings

  constructor(parts: AggregationParts, settings: Settings) {
    super(parts)
    this.#settings = settings
  }

  override plan(context: AggregationContext): ShardAggregator<MatrixResult> {
    const { fields, mode, missing } = this.#settings
    const mapped = fields.filter(
      (field) => context.shard.mapping.field(field) !== undefined || Object.hasOwn(missing, field),
    )
    const sources = mapped.map((field) => this.#bind(context, field, memberOf(missing, field)))
    return new MatrixAggregator(mapped, sources, mode)
  }

  #bind(context: AggregationContext, field: string, missing: unknown): ValueSource {
    const settings = { ...newSourceSettings(), field, missing: missing as never }
    const source = bindSource(context.shard, settings, KIND, [...NUMERIC_SOURCES, 'keyword', 'ip', 'geo'], 'number')
    if (NUMERIC_SOURCES.includes(source.type)) return source
    throw illegalArgument(`ValuesSource type [${source.type}] is not supported for aggregation [${this.name}]`)
  }

  override reduce(results: readonly MatrixResult[]): MatrixResult {
    const found = results.filter(({ matrix }) => matrix !== undefined)
    if (found.length === 0) return { names: [], matrix: undefined }
    const { names } = found[0]!
    const matrix = new MomentMatrix(names.length)
    for (const result of found) matrix.merge(result.matrix!)
    return { names, matrix }
  }

  override empty(): MatrixResult {
    return { names: [], matrix: undefined }
  }

  override print({ names, matrix }: MatrixResult): Record<string, unknown> {
    if (matrix === undefined || matrix.count === 0) return { doc_count: 0 }
    const row = (of: (j: number) => number) => Object.fromEntries(names.map((name, j) => [name, shown(of(j))]))
    const places = hashOrder(names).map((name) => names.indexOf(name))
    return {
      doc_count: matrix.count,
      fields: places.map((i) => ({
        name: names[i],
        count: matrix.count,
        mean: shown(matrix.means[i]!),
        variance: shown(matrix.variance(i)),
        skewness: shown(matrix.skewness(i)),
        kurtosis: shown(matrix.kurtosis(i)),
        covariance: row((j) => matrix.covariance(i, j)),
        correlation: row((j) => matrix.correlation(i, j)),
      })),
    }
  }
}

/** The value in a response. NaN and infinity are printed by name. */
const shown = (value: number) => (Number.isFinite(value) ? new Double(value) : String(value))

class MatrixAggregator implements ShardAggregator<MatrixResult> {
  readonly needsScores = false
  readonly #names: readonly string[]
  readonly #sources: readonly ValueSource[]
  readonly #mode: ValueMode
  readonly #matrices = new Map<number, MomentMatrix>()

  constructor(names: readonly string[], sources: readonly ValueSource[], mode: ValueMode) {
    this.#names = names
    this.#sources = sources
    this.#mode = mode
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const found = this.#sources.map((source) => numberValues(source, view))
    if (found.length === 0 || found.includes(undefined)) return undefined
    const blocks = found.map(() => newValueBlock())
    const row = new Float64Array(found.length)
    return {
      collect: (docs, buckets, count) => {
        for (const [i, values] of found.entries()) values!.readBlock(docs, count, blocks[i]!)
        for (let i = 0; i < count; i++) {
          let isWhole = true
          for (let field = 0; field < blocks.length && isWhole; field++) {
            const { offsets, values } = blocks[field]!
            isWhole = offsets[i]! < offsets[i + 1]!
            if (isWhole) row[field] = oneOf(values, offsets[i]!, offsets[i + 1]!, this.#mode)
          }
          if (isWhole) this.#matrix(buckets[i]!).add(row)
        }
      },
    }
  }

  #matrix(bucket: number): MomentMatrix {
    let matrix = this.#matrices.get(bucket)
    if (matrix === undefined) this.#matrices.set(bucket, (matrix = new MomentMatrix(this.#names.length)))
    return matrix
  }

  finish(): void {}

  result(bucket: number): MatrixResult {
    return { names: this.#names, matrix: this.#matrices.get(bucket) }
  }
}

/** Values are ascending. */
function oneOf(values: Float64Array, from: number, to: number, mode: ValueMode): number {
  const count = to - from
  if (count === 1 || mode === 'min') return values[from]!
  if (mode === 'max') return values[to - 1]!
  if (mode === 'median') {
    const middle = from + (count >> 1)
    return count % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2
  }
  let sum = 0
  for (let i = from; i < to; i++) sum += values[i]!
  return mode === 'sum' ? sum : sum / count
}

export const matrixStatsKind: AggregationKind = {
  name: KIND,
  hasChildren: false,
  parse(reader, name) {
    const settings: Settings = { fields: [], mode: 'avg', missing: newMembers() }
    while (reader.next() !== END_OBJECT) {
      if (reader.is(FIELD_NAME)) continue
      const member = reader.name
      if (member === 'fields' && (reader.is(START_ARRAY) || reader.is(STRING))) {
        reader.each(() => {
          if (!reader.is(STRING)) throw unexpected(reader, member, name)
          settings.fields.push(reader.text())
        })
      } else if (member === 'mode' && reader.is(STRING)) settings.mode = readMode(reader.text())
      else if (member === 'missing' && reader.is(START_OBJECT)) settings.missing = readMissing(reader)
      else if (member === 'fields' || !reader.is(NULL)) throw unexpected(reader, member, name)
    }
    return (parts) => new MatrixStats(parts, settings)
  },
}

const unexpected = (reader: RequestReader, member: string, name: string) =>
  reader.parsingError(`Unexpected token ${reader.tokenName} [${member}] in [${name}].`)

function readMode(text: string): ValueMode {
  const mode = text.toLowerCase()
  if (mode === 'avg' || mode === 'min' || mode === 'max' || mode === 'sum' || mode === 'median') return mode
  throw unknownSortMode(text)
}

function readMissing(reader: RequestReader): Record<string, unknown> {
  const missing: Record<string, unknown> = newMembers()
  while (reader.next() !== END_OBJECT) {
    const field = reader.name
    reader.next()
    missing[field] = reader.text()
  }
  return { ...missing }
}
