/** `top_metrics`: field values of the documents that come first in an order. */

import { illegalArgument } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { Double } from '../../../base/json/json-writer.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { parseQuery } from '../../query/parse-query.ts'
import {
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  type RequestReader,
} from '../../request/request-reader.ts'
import { parseSort, type SortSpec } from '../../request/sort/sort-spec.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { bindSort } from '../../sort/bind-sort.ts'
import { compareSortValues, type SortKey, type SortValue } from '../../sort/sort-key.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { BestDocuments } from './best-documents.ts'

const KIND = 'top_metrics'
const SIZE_MAX = 10

interface Settings {
  metrics: string[]
  sort: SortSpec[]
  size: number
}

interface TopRow {
  readonly sort: readonly SortValue[]
  /** Printed values; null if the document has none. */
  readonly metrics: readonly unknown[]
}

interface Result {
  readonly rows: readonly TopRow[]
  readonly keys: readonly SortKey[]
}

class TopMetrics extends Aggregation<Result> {
  readonly kind = KIND
  readonly #settings: Settings

  constructor(parts: AggregationParts, settings: Settings) {
    super(parts)
    this.#settings = settings
  }

  override plan(context: AggregationContext): ShardAggregator<Result> {
    const { metrics, sort, size } = this.#settings
    const keys = bindSort(context.shard, sort, 0)
    const fields = metrics.map((name) => context.shard.mapping.field(name))
    return new TopMetricsAggregator(context, keys, fields, size)
  }

  override reduce(results: readonly Result[]): Result {
    const keys = results.find((result) => result.keys.length > 0)?.keys ?? []
    const rows = results.flatMap((result) => result.rows)
    rows.sort((a, b) => compareSortValues(keys, a.sort, b.sort))
    return { keys, rows: rows.slice(0, this.#settings.size) }
  }

  override empty(): Result {
    return { rows: [], keys: [] }
  }

  override print({ rows, keys }: Result): Record<string, unknown> {
    return {
      top: rows.map(({ sort, metrics }) => ({
        sort: keys.map((key, i) => key.format(sort[i]!)),
        metrics: Object.fromEntries(this.#settings.metrics.map((name, i) => [name, metrics[i]])),
      })),
    }
  }

  override value({ rows }: Result, property: string | undefined): number | undefined {
    const { metrics } = this.#settings
    const at = property === undefined && metrics.length === 1 ? 0 : metrics.indexOf(property ?? '')
    if (at < 0) return undefined
    return numberOf(rows[0]?.metrics[at])
  }
}

function numberOf(value: unknown): number {
  if (value instanceof Double) return value.value
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN
}

const NO_SCORES = new Float32Array(0)

class TopMetricsAggregator implements ShardAggregator<Result> {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #keys: readonly SortKey[]
  readonly #fields: readonly (FieldType | undefined)[]
  readonly #best: BestDocuments

  constructor(
    context: AggregationContext,
    keys: readonly SortKey[],
    fields: readonly (FieldType | undefined)[],
    size: number,
  ) {
    this.#context = context
    this.#keys = keys
    this.#fields = fields
    this.#best = new BestDocuments(keys, size)
    this.needsScores = keys.some((key) => key.needsScores)
  }

  segment(view: SegmentView): SegmentCollector {
    const segment = this.#best.segment(view)
    return {
      collect: (docs, buckets, count) => {
        segment.collect(docs, buckets, count, this.#context.scores.segment ?? NO_SCORES)
      },
      end: () => segment.end(),
    }
  }

  finish(): void {}

  result(bucket: number): Result {
    const rows = this.#best.of(bucket).map(({ view, doc, sort }) => ({
      sort,
      metrics: this.#fields.map((field) => (field === undefined ? null : firstValue(view, field, doc))),
    }))
    return { rows, keys: this.#keys }
  }

  value(bucket: number): number {
    return numberOf(this.result(bucket).rows[0]?.metrics[0])
  }
}

/** The first value of a field in response form; null if the document has none. */
function firstValue({ reader }: SegmentView, field: FieldType, doc: number): unknown {
  const name = storageName(field)
  const numbers = reader.numericDocValues(name)
  const terms = reader.sortedSetDocValues(name)
  const docValues = numbers ?? terms
  if (!docValues?.has(doc)) return null
  const slot = docValues.start(doc)
  if (terms !== undefined) return field.formatDocValue(terms.term(terms.ordinalAt(slot)), undefined)
  return field.formatDocValue(numbers!.exact ? numbers!.valueAt(slot) : numbers!.bigAt(slot), undefined)
}

function readMetric(reader: RequestReader): string {
  let field: string | undefined
  reader.parseObject('field_config', {
    field: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        field = reader.text()
      },
    },
  })
  if (field === undefined) throw illegalArgument('Required one of fields [field, script], but none were specified. ')
  return field
}

export const topMetricsKind: AggregationKind = {
  name: KIND,
  hasChildren: false,
  parse(reader, name) {
    const settings: Settings = { metrics: [], sort: [], size: 1 }
    reader.parseObject(KIND, {
      metrics: {
        accepts: ACCEPTS_OBJECT_ARRAY,
        parse: () => reader.each(() => settings.metrics.push(readMetric(reader))),
      },
      sort: {
        accepts: [START_OBJECT, START_ARRAY, STRING],
        parse: () => {
          settings.sort = parseSort(reader, parseQuery)
        },
      },
      size: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          settings.size = reader.integer()
          if (settings.size < 1 || settings.size > SIZE_MAX) {
            throw illegalArgument(
              `[top_metrics.size] must not be more than [${SIZE_MAX}] but was [${settings.size}]. This limit can be set by ` +
                'changing the [index.top_metrics_max_size] index level setting.',
            )
          }
        },
      },
    })
    const missing = [settings.sort.length === 0 ? 'sort' : '', settings.metrics.length === 0 ? 'metrics' : '']
    for (const member of missing) if (member !== '') throw requiredMember(member)
    if (settings.sort.length > 1) {
      throw illegalArgument(
        `[${name}] only supports sorting on a single field: [top_metrics] got [${settings.sort.length}]`,
      )
    }
    return (parts) => new TopMetrics(parts, settings)
  },
}
