/** `nested`: from documents to the nested objects of a path. Each object counts as a document. */
import { previousSetBit } from '../../../base/bit-set.ts'
import { END_OBJECT, FIELD_NAME, STRING } from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import type { NestedDocs, SegmentView } from '../../segment/segment-reader-api.ts'
import type { AggregationParts, Bucket, SegmentCollector, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { SingleBucketAggregation, SingleBucketAggregator } from './single-bucket.ts'

export class NestedAggregation extends SingleBucketAggregation {
  readonly kind = 'nested'
  readonly path: string

  constructor(parts: AggregationParts, path: string) {
    super(parts)
    this.path = path
  }

  override plan(context: AggregationContext): ShardAggregator<Bucket> {
    const { path } = this
    const isNested = context.shard.mapping.objectKind(path) === 'nested'
    const scope = context.shard.nestedScope
    // Only objects inside those of the enclosing path are below them.
    const isBelow = scope === undefined || path.startsWith(`${scope}.`)
    return new SingleBucketAggregator(
      context,
      this,
      ({ reader }, inside) => {
        const nested = reader.nested
        const level = isNested && nested !== undefined ? nested.paths.indexOf(path) + 1 : 0
        if (nested === undefined || level === 0) return undefined
        const around = scope === undefined ? 0 : nested.paths.indexOf(scope) + 1
        return objectsBelow(nested, level, around, inside, context)
      },
      { nestedScope: path, keepsAll: isBelow },
      context.seesAll && isNested && isBelow ? (view) => countObjects(view, path) : undefined,
    )
  }
}

/** The number of objects of a path; undefined if some may belong to deleted documents. */
function countObjects({ live, reader }: SegmentView, path: string): number | undefined {
  const { nested } = reader
  if (live !== undefined || nested === undefined) return undefined
  const level = nested.paths.indexOf(path) + 1
  if (level === 0) return undefined
  if (nested.paths.length === 1) return reader.docCount - reader.rootCount
  let count = 0
  for (const of of nested.pathOf) if (of === level) count++
  return count
}

/**
 * Passes the objects of a level that belong to each document to `inside`. They are stored between the document and the
 * previous one, and have its score.
 */
function objectsBelow(
  nested: NestedDocs,
  level: number,
  around: number,
  inside: SegmentCollector,
  { scores: current, scratch }: AggregationContext,
): SegmentCollector {
  const { pathOf, roots } = nested
  // With a single path, everything between two root documents belongs to it.
  const onePath = nested.paths.length === 1 && around === 0
  const found = scratch.integers()
  const foundBuckets = scratch.integers()
  let count = 0
  const flush = () => {
    if (count > 0) inside.collect(found, foundBuckets, count)
    count = 0
  }
  return {
    collect(docs, buckets, entries) {
      const scores = current.segment
      for (let i = 0; i < entries; i++) {
        const parent = docs[i]!
        const bucket = buckets[i]!
        const first = (around === 0 ? previousSetBit(roots, parent) : previousAround(pathOf, around, parent)) + 1
        for (let doc = first; doc < parent; doc++) {
          if (!onePath && pathOf[doc] !== level) continue
          if (count === WINDOW_SIZE) flush()
          if (scores !== undefined) scores[doc] = scores[parent]!
          found[count] = doc
          foundBuckets[count++] = bucket
        }
      }
      flush()
    },
    end: () => inside.end?.(),
  }
}

/** The document before `parent` that is a root or of the same level. */
function previousAround(pathOf: Uint16Array, around: number, parent: number): number {
  let doc = parent - 1
  while (doc >= 0 && pathOf[doc] !== 0 && pathOf[doc] !== around) doc--
  return doc
}

/** Parses an object whose only member is `path`. */
export function readPath(reader: RequestReader, name: string): string | undefined {
  let path: string | undefined
  while (reader.next() !== END_OBJECT) {
    if (reader.is(FIELD_NAME)) continue
    if (!reader.is(STRING)) throw reader.unexpectedToken(name)
    if (reader.name !== 'path') {
      throw reader.unknownKeyOf(name, reader.name)
    }
    path = reader.text()
  }
  return path
}

export const nestedKind: AggregationKind = {
  name: 'nested',
  hasChildren: true,
  parse(reader, name) {
    const path = readPath(reader, name)
    if (path === undefined) throw reader.parsingError(`Missing [path] field for nested aggregation [${name}]`)
    return (parts) => new NestedAggregation(parts, path)
  },
}
