/** Queries on what every document has besides its own fields: `_id`, `_index`, `_routing`, `_seq_no`, `_ignored`. */
import { ApiError } from '../../base/api-error.ts'
import { queryShardError } from '../../base/errors/search-errors.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { matchAll } from './match-all.ts'
import { BitSetMatcher, DocListMatcher, type Matcher } from './matcher.ts'
import { NO_MATCH, type ShardQuery, type ShardQueryContext } from './query.ts'
import { termSetMatcher } from './value-matchers.ts'

/** Documents with one of the values in a metadata field; undefined when the name is none. */
export function metadataValues(
  context: ShardQueryContext,
  field: string,
  values: readonly unknown[],
  score: number,
): ShardQuery | undefined {
  switch (field) {
    case '_id':
      return idValues(context, values.map(String), score)
    case '_index':
      return values.some((value) => namePattern(String(value))(context.index.name)) ? matchAll(score) : NO_MATCH
    case '_routing':
      return scan((reader, doc) => values.includes(reader.routing(doc)), score)
    case '_seq_no':
      return scan((reader, doc) => values.some((value) => Number(value) === reader.seqNo(doc)), score)
    case '_ignored':
      return ignoredValues(values.map(String), score)
    case '_source':
      throw queryShardError(context.index, 'The _source field is not searchable')
    case '_version':
      throw queryShardError(context.index, 'VersionField field [_version] is not searchable')
    default:
      return undefined
  }
}

/** Numbers between bounds, for `_seq_no`. */
export function metadataRange(
  field: string,
  bounds: { lower: unknown; lowerInclusive: boolean; upper: unknown; upperInclusive: boolean },
  score: number,
): ShardQuery | undefined {
  if (field !== '_seq_no') return undefined
  const low = bounds.lower === undefined ? Number.NEGATIVE_INFINITY : toNumber(bounds.lower)
  const high = bounds.upper === undefined ? Number.POSITIVE_INFINITY : toNumber(bounds.upper)
  return scan((reader, doc) => {
    const value = reader.seqNo(doc)
    return (
      (bounds.lowerInclusive ? value >= low : value > low) && (bounds.upperInclusive ? value <= high : value < high)
    )
  }, score)
}

function toNumber(value: unknown): number {
  const number = Number(value)
  if (Number.isNaN(number)) throw new ApiError(400, 'number_format_exception', `For input string: "${value}"`)
  return number
}

/** Whether a metadata field is there: always, or as the document has it. */
export function metadataExists(context: ShardQueryContext, field: string, score: number): ShardQuery | undefined {
  switch (field) {
    case '_id':
    case '_index':
    case '_seq_no':
    case '_version':
      return matchAll(score)
    case '_routing':
      return scan((reader, doc) => reader.routing(doc) !== undefined, score)
    case '_ignored':
      return {
        matcher: ({ reader }) => {
          const terms = reader.terms('_ignored')
          if (terms === undefined) return undefined
          const all = Array.from({ length: terms.termCount }, (_, ordinal) => ordinal)
          return termSetMatcher(terms, all, reader.docCount, score)
        },
      }
    case '_source':
      throw queryShardError(context.index, 'The _source field is not searchable')
    default:
      return undefined
  }
}

/** Nested objects carry the id of their document, so that inside a `nested` query they match by it. */
export function idValues(context: ShardQueryContext, ids: readonly string[], score: number): ShardQuery {
  if (ids.length === 0) return NO_MATCH
  const withNested = context.nestedScope !== undefined
  const wanted = [...new Set(ids)].map((id) => Buffer.from(id))
  return {
    matcher({ reader }) {
      const docs: number[] = []
      for (const id of wanted) {
        let doc = reader.findId(id)
        if (doc < 0) continue
        docs.push(doc)
        const paths = withNested ? reader.nested?.pathOf : undefined
        while (paths !== undefined && --doc >= 0 && paths[doc] !== 0) docs.push(doc)
      }
      return docs.length === 0 ? undefined : new DocListMatcher(Int32Array.from(docs).sort(), score)
    },
  }
}

function ignoredValues(names: readonly string[], score: number): ShardQuery {
  return {
    matcher({ reader }) {
      const terms = reader.terms('_ignored')
      if (terms === undefined) return undefined
      const ordinals = names.map((name) => terms.find(Buffer.from(name))).filter((ordinal) => ordinal >= 0)
      return termSetMatcher(terms, ordinals, reader.docCount, score)
    },
  }
}

/** Looks at every root document: for values that have no index of their own. */
function scan(holds: (reader: SegmentReader, doc: number) => boolean, score: number): ShardQuery {
  return {
    matcher({ reader }): Matcher | undefined {
      const bits = new Uint32Array((reader.docCount + 31) >> 5)
      const roots = reader.nested?.roots
      let count = 0
      for (let doc = 0; doc < reader.docCount; doc++) {
        if (roots !== undefined && (roots[doc >> 5]! & (1 << (doc & 31))) === 0) continue
        if (!holds(reader, doc)) continue
        bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
        count++
      }
      return count === 0 ? undefined : new BitSetMatcher(bits, count, score)
    },
  }
}
