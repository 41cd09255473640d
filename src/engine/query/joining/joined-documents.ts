/**
 * Joins documents of a shard by a field with the ids of parents. The documents of one side are matched once, when the
 * first segment is read, and leave one entry per parent id. The documents of the other side match by their entry.
 */
import { hasBit } from '../../../base/bit-set.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { DocListScorer } from '../../scoring/scorers/doc-list-scorer.ts'
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../../scoring/window.ts'
import type { SegmentView, SortedSetDocValues } from '../../segment/segment-reader-api.ts'

export type JoinScoreMode = 'none' | 'min' | 'max' | 'sum' | 'avg'

export interface JoinRules {
  /** The field with the parents' ids. */
  readonly idField: string
  readonly mode: JoinScoreMode
  /** The number of documents that must match per parent id. */
  readonly least: number
  readonly most: number
  readonly boost: number
}

interface Entry {
  count: number
  score: number
}

const f = Math.fround

export class JoinedDocuments {
  readonly #context: SearchExecutionContext
  readonly #from: Weight
  readonly #to: Weight
  readonly #rules: JoinRules
  #entries: Map<string, Entry> | undefined

  /** `from` is matched first; the result are documents of `to`. Both are planned for root documents of the shard. */
  constructor(context: SearchExecutionContext, from: Weight, to: Weight, rules: JoinRules) {
    this.#context = context
    this.#from = from
    this.#to = to
    this.#rules = rules
  }

  scorer(segment: SegmentView): Scorer | undefined {
    const ids = segment.reader.sortedSetDocValues(this.#rules.idField)
    if (ids === undefined) return undefined
    this.#entries ??= this.#match()
    const entries = this.#entries
    if (entries.size === 0) return undefined
    const { mode, boost } = this.#rules
    const byOrdinal = new Map<number, Entry | undefined>()
    const docs: number[] = []
    const scores: number[] = []
    eachMatch(this.#to, segment, false, (doc) => {
      const ordinal = ordinalOf(ids, doc)
      if (ordinal === undefined) return
      let entry = byOrdinal.get(ordinal)
      if (entry === undefined && !byOrdinal.has(ordinal))
        byOrdinal.set(ordinal, (entry = entries.get(keyOf(ids, ordinal))))
      if (entry === undefined) return
      docs.push(doc)
      if (mode !== 'none') scores.push(f(this.#scoreOf(entry) * boost))
    })
    if (docs.length === 0) return undefined
    return new DocListScorer(Int32Array.from(docs), mode === 'none' ? boost : Float32Array.from(scores), true)
  }

  /** The parent id of a document. */
  joinValue(segment: SegmentView, doc: number): string | undefined {
    const ids = segment.reader.sortedSetDocValues(this.#rules.idField)
    const ordinal = ids === undefined ? undefined : ordinalOf(ids, doc)
    return ordinal === undefined ? undefined : Buffer.from(ids!.term(ordinal)).toString()
  }

  #scoreOf({ score, count }: Entry): number {
    return this.#rules.mode === 'avg' ? f(score / count) : score
  }

  #match(): Map<string, Entry> {
    const { idField, mode, least, most } = this.#rules
    const entries = new Map<string, Entry>()
    for (const segment of this.#context.view.segments) {
      const ids = segment.reader.sortedSetDocValues(idField)
      if (ids === undefined) continue
      const byOrdinal = new Map<number, Entry>()
      eachMatch(this.#from, segment, mode !== 'none', (doc, score) => {
        const ordinal = ordinalOf(ids, doc)
        if (ordinal === undefined) return
        let entry = byOrdinal.get(ordinal)
        if (entry === undefined) {
          const key = keyOf(ids, ordinal)
          entry = entries.get(key)
          if (entry === undefined) entries.set(key, (entry = { count: 0, score: 0 }))
          byOrdinal.set(ordinal, entry)
        }
        addScore(entry, score, mode)
      })
      if (this.#context.guard?.isOver(segment.reader.docCount / WINDOW_SIZE) === true) break
    }
    if (least > 1 || most < Number.POSITIVE_INFINITY) {
      for (const [key, { count }] of entries) if (count < least || count > most) entries.delete(key)
    }
    return entries
  }
}

function addScore(entry: Entry, score: number, mode: JoinScoreMode): void {
  const first = entry.count++ === 0
  if (mode === 'none') return
  if (mode === 'min') entry.score = first ? score : Math.min(entry.score, score)
  else if (mode === 'max') entry.score = first ? score : Math.max(entry.score, score)
  else entry.score = f(entry.score + score)
}

function ordinalOf(ids: SortedSetDocValues, doc: number): number | undefined {
  return ids.has(doc) ? ids.ordinalAt(ids.start(doc)) : undefined
}

const keyOf = (ids: SortedSetDocValues, ordinal: number) => Buffer.from(ids.term(ordinal)).toString('latin1')

/** Calls back with the matching live root documents of a segment in order. */
export function eachMatch(
  query: Weight,
  segment: SegmentView,
  scored: boolean,
  visit: (doc: number, score: number) => void,
): void {
  const scorer = query.scorer(segment)
  if (scorer === undefined) return
  const { live, reader } = segment
  const { docCount, nested } = reader
  const scratch = takeScratch()
  const { bits, scores, docs } = scratch
  for (let doc = scorer.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    bits.fill(0)
    if (scored) scorer.matchScored(base, limit, bits, scores)
    else scorer.match(base, limit, bits)
    const count = bitsToDocs(bits, base, docs)
    for (let i = 0; i < count; i++) {
      const found = docs[i]!
      const isSeen =
        (live === undefined || hasBit(live, found)) && (nested === undefined || hasBit(nested.roots, found))
      if (isSeen) visit(found, scored ? scores[found - base]! : 0)
    }
    doc = limit < docCount ? scorer.next(limit) : docCount
  }
  releaseScratch(scratch)
}
