/** `pinned`: the given documents come first, in the given order, before the hits of a query. */
import { illegalArgument } from '../../../base/api-error.ts'
import {
  ACCEPTS_OBJECT,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  ACCEPTS_STRING_ARRAY,
  type MemberTable,
  type RequestReader,
} from '../../request/request-reader.ts'
import { explained } from '../../scoring/explanation.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { Scorer } from '../../scoring/scorers/scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { type ClauseOptions, commonMembers, newOptions, type QueryClause } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { idValues } from '../term-level/metadata-field.ts'
import { planDisMax } from './dis-max.ts'

export interface PinnedDocument {
  /** Undefined for every index. */
  readonly index: string | undefined
  readonly id: string
}

const MAX_ORGANIC_BITS = 0xfe << 23

const floatOfBits = (bits: number) => new Float32Array(Int32Array.of(bits).buffer)[0]!

/** The maximum score of an organic hit: higher scores belong to the pinned ones. */
export const MAX_ORGANIC_SCORE = floatOfBits(MAX_ORGANIC_BITS)

export class PinnedQuery extends QueryNode {
  override readonly kind = 'pinned'
  readonly documents: readonly PinnedDocument[]
  readonly organic: Query

  constructor(documents: readonly PinnedDocument[], organic: Query, options: ClauseOptions = newOptions()) {
    super(options)
    this.documents = documents
    this.organic = organic
  }

  children(): readonly Query[] {
    return [this.organic]
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const pins: Weight[] = []
    this.documents.forEach(({ index, id }, i) => {
      if (index !== undefined && index !== context.index.name) return
      pins.push(idValues(context, [id], floatOfBits(MAX_ORGANIC_BITS + 1 + this.documents.length - i)))
    })
    const organic = this.organic.plan(context, scoring, boost)
    return planDisMax([capped(organic), ...pins], 0, scoring)
  }
}

/** Keeps the scores of a query below those of pinned documents. */
function capped(query: Weight): Weight {
  const most = MAX_ORGANIC_SCORE
  return {
    scorer(segment: SegmentView) {
      const scorer = query.scorer(segment)
      return scorer === undefined ? undefined : new CappedScorer(scorer, most)
    },
    words: (visitor) => query.words?.(visitor),
    text: (rewritten) => `Capped(${query.text(rewritten)})`,
    explain(segment, doc) {
      const own = query.explain(segment, doc)
      return own.value > most ? explained(most, 'Capped score of max(...) of', [own]) : own
    },
  }
}

class CappedScorer extends Scorer {
  readonly cost: number
  readonly #inner: Scorer
  readonly #most: number

  constructor(inner: Scorer, most: number) {
    super()
    this.#inner = inner
    this.#most = most
    this.cost = inner.cost
  }

  override next(target: number): number {
    return this.#inner.next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#inner.match(base, limit, bits)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.#inner.matchScored(base, limit, bits, scores)
    for (let i = 0; i < limit - base; i++) if (scores[i]! > this.#most) scores[i] = this.#most
  }
}

const MAX_PINNED = 100

/** The documents of a request, which names them in one of two forms. */
export interface GivenDocuments {
  ids: PinnedDocument[] | undefined
  docs: PinnedDocument[] | undefined
}

export function checkPinned(documents: readonly PinnedDocument[]): readonly PinnedDocument[] {
  if (documents.length <= MAX_PINNED) return documents
  throw illegalArgument(`Max of ${MAX_PINNED} ids exceeded: ${documents.length} provided.`)
}

export function documentMembers(reader: RequestReader, given: GivenDocuments): MemberTable {
  return {
    ids: {
      accepts: ACCEPTS_STRING_ARRAY,
      parse: () => {
        const found: PinnedDocument[] = []
        reader.each(() => found.push({ index: undefined, id: reader.text() }))
        given.ids = found
      },
    },
    docs: {
      accepts: ACCEPTS_OBJECT_ARRAY,
      parse: () => {
        const found: PinnedDocument[] = []
        reader.each(() => found.push(readDocument(reader)))
        given.docs = found
      },
    },
  }
}

function readDocument(reader: RequestReader): PinnedDocument {
  const given: { index?: string; id?: string } = {}
  const text = (key: 'index' | 'id') => ({
    accepts: ACCEPTS_STRING,
    parse: () => {
      given[key] = reader.text()
    },
  })
  reader.parseObject('pinned_item', { _index: text('index'), _id: text('id') })
  if (given.id === undefined) throw illegalArgument('Required [_id]')
  return { index: given.index, id: given.id }
}

export const pinnedClause: QueryClause = {
  name: 'pinned',
  parse(reader, inner) {
    const options = newOptions()
    const given: GivenDocuments = { ids: undefined, docs: undefined }
    let organic: Query | undefined
    reader.parseObject('pinned', [
      {
        ...documentMembers(reader, given),
        organic: {
          accepts: ACCEPTS_OBJECT,
          parse: () => {
            organic = inner(reader)
          },
        },
      },
      commonMembers(reader, options),
    ])
    if (organic === undefined) throw illegalArgument('Required [organic]')
    const { ids, docs } = given
    if (ids === undefined && docs === undefined) throw illegalArgument('ids and docs cannot both be null')
    if (ids !== undefined && docs !== undefined) throw illegalArgument('ids and docs cannot both be used')
    return new PinnedQuery(checkPinned(ids ?? docs ?? []), organic, options)
  },
}
