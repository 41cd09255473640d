/**
 * `children` and `parent`: the documents on the other side of a relation from those of the bucket. The ids of parents are noted bucket
 * by bucket while documents are collected; the documents behind these ids are looked up when all are known.
 */
import { END_OBJECT, FIELD_NAME, STRING } from '../../../base/json/json-reader.ts'
import type { JoinType } from '../../mapping/field-types/join/join.ts'
import { joinField, ofKinds } from '../../query/joining/join-field.ts'
import { eachMatch } from '../../query/joining/joined-documents.ts'
import { MatchAllQuery } from '../../query/term-level/match-all.ts'
import type { Weight } from '../../scoring/query.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import { planQuery } from '../../search/plan-query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { AggregationParts, Bucket, SegmentCollector, ShardAggregator } from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { ShardTree } from '../aggregation-tree.ts'
import { BucketInts } from '../state/bucket-arrays.ts'
import { SingleBucketAggregation } from './single-bucket.ts'
import { WindowFilter } from './window-filter.ts'

type Side = 'children' | 'parent'

class JoinedAggregation extends SingleBucketAggregation {
  readonly kind: Side
  readonly #child: string

  constructor(parts: AggregationParts, kind: Side, child: string) {
    super(parts)
    this.kind = kind
    this.#child = child
  }

  override plan(context: AggregationContext): ShardAggregator<Bucket> {
    const field = joinField(context.shard.mapping)
    const parent = field?.parentOf(this.#child)
    const children = new ShardTree(this.children, within(context, this))
    if (field === undefined || parent === undefined) return new JoinedAggregator(context, children, undefined)
    const kinds = (kind: string) => planQuery(context.shard, ofKinds(field, [kind], new MatchAllQuery()), false, 1)
    const sides = [kinds(parent), kinds(this.#child)] as const
    const [from, to] = this.kind === 'children' ? sides : [sides[1], sides[0]]
    return new JoinedAggregator(context, children, { idField: idFieldOf(field, parent), from, to })
  }
}

const idFieldOf = (field: JoinType, parent: string) => field.idField(parent)

interface Relation {
  readonly idField: string
  /** Documents that count where they are collected, and the documents that take their place. */
  readonly from: Weight
  readonly to: Weight
}

class JoinedAggregator implements ShardAggregator<Bucket> {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #children: ShardTree
  readonly #relation: Relation | undefined
  readonly #counts: BucketInts
  /** By the parent's id: the buckets that hold a document of it. */
  readonly #buckets = new Map<string, Set<number>>()

  constructor(context: AggregationContext, children: ShardTree, relation: Relation | undefined) {
    this.#context = context
    this.#children = children
    this.#relation = relation
    this.#counts = new BucketInts(context.memory)
    this.needsScores = children.needsScores
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const relation = this.#relation
    const ids = relation && view.reader.sortedSetDocValues(relation.idField)
    if (relation === undefined || ids === undefined) return undefined
    const filter = new WindowFilter(relation.from.scorer(view), view.reader.docCount)
    return {
      collect: (docs, buckets, count) => {
        for (let i = 0; i < count; i++) {
          const doc = docs[i]!
          if (!ids.has(doc) || !filter.matches(doc)) continue
          const key = Buffer.from(ids.term(ids.ordinalAt(ids.start(doc)))).toString('latin1')
          const known = this.#buckets.get(key)
          if (known === undefined) this.#buckets.set(key, new Set([buckets[i]!]))
          else known.add(buckets[i]!)
        }
      },
    }
  }

  finish(): void {
    const current = this.#context.scores.segment
    if (this.#relation !== undefined && this.#buckets.size > 0) {
      for (const view of this.#context.shard.view.segments) this.#collect(view, this.#relation)
    }
    this.#context.scores.segment = current
    this.#children.finish()
  }

  #collect(view: SegmentView, { idField, to }: Relation): void {
    const ids = view.reader.sortedSetDocValues(idField)
    if (ids === undefined) return
    // The query did not search the documents on the other side of the relation, so they have no score.
    this.#context.scores.segment = this.needsScores ? new Float32Array(view.reader.docCount) : undefined
    const inside = this.#children.segment(view)
    const docs = new Int32Array(WINDOW_SIZE)
    const buckets = new Int32Array(WINDOW_SIZE)
    let count = 0
    const flush = () => {
      if (count > 0) inside?.collect(docs, buckets, count)
      count = 0
    }
    eachMatch(to, view, false, (doc) => {
      if (!ids.has(doc)) return
      const key = Buffer.from(ids.term(ids.ordinalAt(ids.start(doc)))).toString('latin1')
      for (const bucket of this.#buckets.get(key) ?? []) {
        const counts = this.#counts.reserve(bucket + 1)
        counts[bucket] = counts[bucket]! + 1
        docs[count] = doc
        buckets[count++] = bucket
        if (count === WINDOW_SIZE) flush()
      }
    })
    flush()
    inside?.end?.()
  }

  result(bucket: number): Bucket {
    return { docCount: this.#counts.get(bucket), results: this.#children.results(bucket) }
  }

  child(name: string): ShardAggregator | undefined {
    return this.#children.child(name)
  }

  docCount(bucket: number): number {
    return this.#counts.get(bucket)
  }
}

function joinedKindOf(kind: Side): AggregationKind {
  return {
    name: kind,
    hasChildren: true,
    parse(reader, name) {
      let child: string | undefined
      while (reader.next() !== END_OBJECT) {
        if (reader.is(FIELD_NAME)) continue
        if (!reader.is(STRING)) throw reader.unexpectedToken(name)
        if (reader.name !== 'type') {
          throw reader.parsingError(`Unknown key for a VALUE_STRING in [${name}]: [${reader.name}].`)
        }
        child = reader.text()
      }
      if (child === undefined) {
        throw reader.parsingError(`Missing [child_type] field for ${kind} aggregation [${name}]`)
      }
      const type = child
      return (parts) => new JoinedAggregation(parts, kind, type)
    },
  }
}

export const childrenKind = joinedKindOf('children')
export const parentKind = joinedKindOf('parent')
