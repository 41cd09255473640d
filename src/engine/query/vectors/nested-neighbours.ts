/** Vectors in nested objects: of each document, or of each object around them, only the nearest counts. */
import { hasBit, setBit, wordsFor } from '../../../base/bit-set.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { BestDocuments } from './best-documents.ts'

export interface NestedVectors {
  /** The path of the objects that have the vectors. */
  readonly path: string
  /** The path of the objects of which only the nearest inner one counts; undefined for whole documents. */
  readonly scope: string | undefined
  /** Only objects of these documents are compared. */
  readonly rootFilter: Weight | undefined
}

/** Finds the document or object around an object. */
class Surroundings {
  readonly #nested: NonNullable<SegmentView['reader']['nested']>
  readonly path: number
  readonly scope: number

  constructor({ reader }: SegmentView, { path, scope }: NestedVectors) {
    this.#nested = reader.nested!
    this.path = this.#nested.paths.indexOf(path) + 1
    this.scope = scope === undefined ? 0 : this.#nested.paths.indexOf(scope) + 1
  }

  around(doc: number, scope = this.scope): number {
    const { pathOf } = this.#nested
    let at = doc
    do at = this.#nested.parentOf(at)
    while (pathOf[at] !== scope && pathOf[at] !== 0)
    return at
  }

  isObject(doc: number): boolean {
    return this.#nested.pathOf[doc] === this.path
  }
}

/**
 * Calls back with the live objects, of which those of one document are adjacent. The filter is about what is around them. Returns false
 * if the search is out of time.
 */
export function eachObject(
  segment: SegmentView,
  filter: Weight | undefined,
  objects: NestedVectors,
  take: (doc: number) => void,
  { guard }: SearchExecutionContext,
): boolean {
  const { reader, live } = segment
  if (reader.nested === undefined) return true
  const place = new Surroundings(segment, objects)
  const asked = filter && matchedBits(filter, place.scope === 0 ? segment : { ...segment, nestedLevel: place.scope })
  const roots = objects.rootFilter && matchedBits(objects.rootFilter, segment)
  for (let base = 0; base < reader.docCount; base += WINDOW_SIZE) {
    const limit = Math.min(base + WINDOW_SIZE, reader.docCount)
    for (let doc = base; doc < limit; doc++) {
      if (!place.isObject(doc) || (live !== undefined && !hasBit(live, doc))) continue
      if (asked !== undefined && !hasBit(asked, place.around(doc))) continue
      if (roots !== undefined && !hasBit(roots, place.around(doc, 0))) continue
      take(doc)
    }
    if (guard?.isOver(1) === true) return false
  }
  return true
}

/** The documents that a query matches, of any level. */
function matchedBits(query: Weight, segment: SegmentView): Uint32Array {
  const { docCount } = segment.reader
  const matched = new Uint32Array(wordsFor(docCount))
  const scorer = query.scorer(segment)
  if (scorer === undefined) return matched
  const scratch = takeScratch()
  const { bits } = scratch
  for (let doc = scorer.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    bits.fill(0)
    scorer.match(base, limit, bits)
    for (let at = base; at < limit; at++) if (hasBit(bits, at - base)) setBit(matched, at)
    doc = limit < docCount ? scorer.next(limit) : docCount
  }
  releaseScratch(scratch)
  return matched
}

/** Keeps the best object of each document or object around them. */
export class BestObjects {
  readonly #place: Surroundings | undefined
  readonly #docBase: number
  readonly #best: BestDocuments
  #parent = -1
  #doc = -1
  #score = 0

  constructor(segment: SegmentView, objects: NestedVectors, best: BestDocuments) {
    this.#place = segment.reader.nested === undefined ? undefined : new Surroundings(segment, objects)
    this.#docBase = segment.docBase
    this.#best = best
  }

  add(doc: number, score: number): void {
    const parent = this.#place!.around(doc)
    if (parent === this.#parent && score <= this.#score) return
    if (parent !== this.#parent) this.finish()
    this.#parent = parent
    this.#doc = doc
    this.#score = score
  }

  finish(): void {
    if (this.#parent >= 0) this.#best.add(this.#docBase + this.#doc, this.#score)
    this.#parent = -1
  }
}
