/** Queries on metadata fields: `_id`, `_index`, `_routing`, `_seq_no`, `_ignored`. */

import { isUtf8 } from 'node:buffer'
import { ApiError, notANumber } from '../../../base/api-error.ts'
import { noRangeQueries } from '../../../base/errors/query-errors.ts'
import { queryShardError } from '../../../base/errors/search-errors.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import { planConstantScore } from '../../scoring/constant-weight.ts'
import { constantTexts, rewrittenToNone, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { DocListScorer } from '../../scoring/scorers/doc-list-scorer.ts'
import { documentsThat } from '../../scoring/scorers/document-scan.ts'
import { termSetScorer } from '../../scoring/scorers/value-scorers.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { matchAll } from './match-all.ts'
import { type RoutingBounds, routingRange, routingTerm } from './routing-query.ts'
import { checkTakesText } from './searchable-field.ts'
import { termQuery } from './term-query.ts'
import { bytesText } from './term-text.ts'

/** Documents with a value in a metadata field, scored by its rarity if it is a term in Lucene. */
export function metadataValue(
  context: SearchExecutionContext,
  field: string,
  value: unknown,
  options: { readonly scoring: boolean; readonly boost: number; readonly caseInsensitive?: boolean },
  clause: string,
): Weight | undefined {
  if (field === '_index' && options.caseInsensitive === true) {
    return metadataValues(context, field, [String(value).toLowerCase()], options.boost, clause)
  }
  if (field === '_ignored') return termQuery(context, field, Buffer.from(String(value)), options)
  if (field === '_routing') return routingTerm(context, String(value), options)
  if (clause.startsWith('match')) checkTakesText({ name: field, type: field }, clause)
  return metadataValues(context, field, [value], options.boost, clause)
}

/** Whether the index, by its name or one of its aliases, matches a query on `_index`. */
export function isOfIndex({ index }: SearchExecutionContext, matches: (name: string) => boolean): boolean {
  return matches(index.name) || index.aliases?.some(matches) === true
}

/** Documents with one of the values in a metadata field; undefined if it is not a metadata field. */
export function metadataValues(
  context: SearchExecutionContext,
  field: string,
  values: readonly unknown[],
  score: number,
  clause: string,
): Weight | undefined {
  const list = (all: readonly unknown[]) => (all.length === 1 ? `${field}:${all[0]}` : `${field}:(${all.join(' ')})`)
  switch (field) {
    case '_id':
      return idValues(context, values.map(String), score)
    case '_index':
      return values.some((value) => isOfIndex(context, namePattern(String(value))))
        ? matchAll(score)
        : rewrittenToNone(clause)
    case '_routing':
      return scan(
        (reader, doc) => values.includes(reader.routing(doc)),
        score,
        () => list(values),
      )
    case '_seq_no': {
      const numbers = values.map(toNumber)
      return scan(
        (reader, doc) => numbers.includes(reader.seqNo(doc)),
        score,
        () => (values.length === 1 ? `_seq_no:[${values[0]} TO ${values[0]}]` : `_seq_no:{${values.join(' ')}}`),
      )
    }
    case '_ignored':
      return ignoredValues(values.map(String), score)
    case '_source':
      throw queryShardError(context.index, 'The _source field is not searchable')
    case '_version':
      throw queryShardError(context.index, 'The _version field is not searchable')
    case '_doc_count':
      throw queryShardError(context.index, 'Field [_doc_count] of type [_doc_count] is not searchable')
    default:
      return undefined
  }
}

const NO_RANGES: ReadonlySet<string> = new Set([
  '_id',
  '_index',
  '_source',
  '_field_names',
  '_version',
  '_doc_count',
  '_tier',
])

/** Numeric bounds for `_seq_no`. */
export function metadataRange(field: string, bounds: RoutingBounds, score: number): Weight | undefined {
  if (field === '_routing') return routingRange(bounds, score)
  if (NO_RANGES.has(field)) throw noRangeQueries(field, field)
  if (field !== '_seq_no') return undefined
  const low = bounds.lower === undefined ? Number.NEGATIVE_INFINITY : toNumber(bounds.lower)
  const high = bounds.upper === undefined ? Number.POSITIVE_INFINITY : toNumber(bounds.upper)
  return scan(
    (reader, doc) => {
      const value = reader.seqNo(doc)
      return (
        (bounds.lowerInclusive ? value >= low : value > low) && (bounds.upperInclusive ? value <= high : value < high)
      )
    },
    score,
    () =>
      `_seq_no:[${seqNoText(low, bounds.lowerInclusive ? 0 : 1)} TO ${seqNoText(high, bounds.upperInclusive ? 0 : -1)}]`,
  )
}

function seqNoText(bound: number, step: number): string {
  if (bound === Number.NEGATIVE_INFINITY) return String(-(1n << 63n))
  return bound === Number.POSITIVE_INFINITY ? String((1n << 63n) - 1n) : String(bound + step)
}

function toNumber(value: unknown): number {
  const number = Number(value)
  if (Number.isNaN(number)) throw notANumber(value)
  return number
}

/** Whether a metadata field exists: always, or depending on the document. */
export function metadataExists(context: SearchExecutionContext, field: string, score: number): Weight | undefined {
  switch (field) {
    case '_id':
    case '_index':
    case '_seq_no':
    case '_version':
    case '_tier':
      return planConstantScore(matchAll(1), score)
    case '_routing':
      return scan(
        (reader, doc) => reader.routing(doc) !== undefined,
        score,
        () => 'ConstantScore(_field_names:_routing)',
      )
    case '_ignored':
      return {
        scorer: ({ reader }) => {
          const terms = reader.terms('_ignored')
          if (terms === undefined) return undefined
          const all = Array.from({ length: terms.termCount }, (_, ordinal) => ordinal)
          return termSetScorer(terms, all, reader.docCount, score)
        },
        ...constantTexts(score, () => 'ConstantScore(FieldExistsQuery [field=_ignored])'),
      }
    case '_source':
      throw queryShardError(context.index, 'The _source field is not searchable')
    case '_doc_count':
      throw queryShardError(context.index, 'Field [_doc_count] of type [_doc_count] does not support exists queries')
    case '_field_names':
      throw new ApiError(400, 'unsupported_operation_exception', 'Cannot run exists query on _field_names')
    case '_nested_path':
      throw new ApiError(
        400,
        'unsupported_operation_exception',
        'Cannot run exists() query against the nested field path',
      )
    default:
      return undefined
  }
}

/** Nested objects have the id of their document, so that they match by it inside a `nested` query. */
export function idValues(context: SearchExecutionContext, ids: readonly string[], score: number): Weight {
  if (ids.length === 0) return rewrittenToNone('ids')
  const withNested = context.nestedScope !== undefined
  const wanted = [...new Set(ids)].map((id) => Buffer.from(id))
  return {
    scorer({ reader }) {
      const docs: number[] = []
      for (const id of wanted) {
        let doc = reader.findId(id)
        if (doc < 0) continue
        docs.push(doc)
        const paths = withNested ? reader.nested?.pathOf : undefined
        while (paths !== undefined && --doc >= 0 && paths[doc] !== 0) docs.push(doc)
      }
      return docs.length === 0 ? undefined : new DocListScorer(Int32Array.from(docs).sort(), score)
    },
    ...constantTexts(score, () => `_id:(${idTexts(ids).join(' ')})`),
  }
}

/** Ids as Elasticsearch packs them: two digits per byte, base64 letters as bits, others unchanged. */
function idTexts(ids: readonly string[]): string[] {
  return [...new Set(ids)].map(packedId).sort(Buffer.compare).map(idText)
}

/** Bytes that are valid UTF-8 are shown as text, without the opening bracket of bytes. */
function idText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : bytesText(bytes)
}

function packedId(id: string): Buffer {
  if (/^[0-9]+$/.test(id)) {
    const digits = id.length % 2 === 0 ? id : `${id}f`
    return Buffer.concat([Buffer.of(0xfe), Buffer.from(digits, 'hex')])
  }
  const decoded = Buffer.from(id, 'base64url')
  if (/^[A-Za-z0-9_-]+$/.test(id) && decoded.toString('base64url') === id) {
    return decoded[0]! >= 0xfd ? Buffer.concat([Buffer.of(0xfd), decoded]) : decoded
  }
  return Buffer.concat([Buffer.of(0xff), Buffer.from(id)])
}

function ignoredValues(names: readonly string[], score: number): Weight {
  return {
    scorer({ reader }) {
      const terms = reader.terms('_ignored')
      if (terms === undefined) return undefined
      const ordinals = names.map((name) => terms.find(Buffer.from(name))).filter((ordinal) => ordinal >= 0)
      return termSetScorer(terms, ordinals, reader.docCount, score)
    },
    ...constantTexts(score, () => `_ignored:(${names.join(' ')})`),
  }
}

/** Scans every root document, for values without an index. */
function scan(holds: (reader: SegmentReader, doc: number) => boolean, score: number, text: () => string): Weight {
  return {
    scorer: ({ reader }) => documentsThat(reader, (doc) => holds(reader, doc), score),
    ...constantTexts(score, text),
  }
}
