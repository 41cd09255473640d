/**
 * Documents with nested objects that match. The objects are looked at once, when the matcher is made, and leave one entry for each
 * document around them: the whole document, or inside another `nested` the object of that one's path.
 */
import { hasBit, nextSetBit } from '../../../base/bit-set.ts'
import type { NestedDocs, SegmentView } from '../../segment/segment-reader-api.ts'
import type { ShardQuery } from '../query.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../window.ts'
import { DocListMatcher } from './doc-list-matcher.ts'
import type { Matcher } from './matcher.ts'

export type NestedScoreMode = 'avg' | 'sum' | 'min' | 'max' | 'none'

/** The objects asked about, and the objects around them that the question is asked for; undefined for whole documents. */
export interface NestedLevels {
  readonly path: string
  readonly scope: string | undefined
}

export function nestedMatcher(
  segment: SegmentView,
  levels: NestedLevels,
  query: ShardQuery,
  mode: NestedScoreMode,
): Matcher | undefined {
  const { nested, docCount } = segment.reader
  const pathNumber = nested === undefined ? -1 : nested.paths.indexOf(levels.path)
  if (nested === undefined || pathNumber < 0) return undefined
  const matcher = query.matcher(segment)
  if (matcher === undefined) return undefined
  const scopeNumber = levels.scope === undefined ? 0 : nested.paths.indexOf(levels.scope) + 1
  const place: Place = { nested, live: segment.live, path: pathNumber + 1, scope: scopeNumber }
  // Where no object scores anything, the documents are all that is to be found out.
  const isFlat = mode === 'none' || matcher.maxScore(0, docCount) === 0
  const parents = isFlat ? new Parents(place) : new ScoredParents(place, mode)
  if (isFlat && matcher.canList) addListed(matcher, parents)
  else addWindows(matcher, docCount, parents, !isFlat)
  return parents.matcher()
}

interface Place {
  readonly nested: NestedDocs
  readonly live: Uint32Array | undefined
  /** Of the objects, as in `pathOf`. */
  readonly path: number
  /** Of the documents around them. */
  readonly scope: number
}

function addListed(matcher: Matcher, parents: Parents): void {
  const scratch = takeScratch()
  const { docs, scores } = scratch
  for (let count = matcher.nextDocs(docs); count > 0; count = matcher.nextDocs(docs))
    parents.add(docs, count, 0, scores)
  releaseScratch(scratch)
}

function addWindows(matcher: Matcher, docCount: number, parents: Parents, scored: boolean): void {
  const scratch = takeScratch()
  const { bits, scores, docs } = scratch
  for (let doc = matcher.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    bits.fill(0)
    if (scored) matcher.matchScored(base, limit, bits, scores)
    else matcher.match(base, limit, bits)
    parents.add(docs, bitsToDocs(bits, base, docs), base, scores)
    doc = limit < docCount ? matcher.next(limit) : docCount
  }
  releaseScratch(scratch)
}

/** The documents around the objects. The objects of a document stand together, so its entry is always the last one. */
class Parents {
  protected readonly place: Place
  protected docs = new Int32Array(64)
  protected count = 0

  constructor(place: Place) {
    this.place = place
  }

  /** `objects` ascend; `scores` is by place in the window that starts at `base`. */
  add(objects: Int32Array, count: number, _base: number, _scores: Float32Array): void {
    const { nested, live, path } = this.place
    const { pathOf } = nested
    let last = this.count === 0 ? -1 : this.docs[this.count - 1]!
    for (let i = 0; i < count; i++) {
      const object = objects[i]!
      if (object < last || pathOf[object] !== path || (live !== undefined && !hasBit(live, object))) continue
      last = this.parentOf(object)
      this.push(last)
    }
  }

  matcher(): Matcher | undefined {
    if (this.count === 0) return undefined
    return new DocListMatcher(this.docs.slice(0, this.count), 0, this.place.scope === 0)
  }

  protected push(doc: number): void {
    if (this.count === this.docs.length) {
      const larger = new Int32Array(this.count * 2)
      larger.set(this.docs)
      this.docs = larger
    }
    this.docs[this.count++] = doc
  }

  protected parentOf(object: number): number {
    const { nested, scope } = this.place
    if (scope === 0) return nextSetBit(nested.roots, object)
    let parent = nested.parentOf(object)
    while (nested.pathOf[parent] !== scope && nested.pathOf[parent] !== 0) parent = nested.parentOf(parent)
    return parent
  }
}

class ScoredParents extends Parents {
  readonly #mode: NestedScoreMode
  readonly #scores: number[] = []
  readonly #counts: number[] = []

  constructor(place: Place, mode: NestedScoreMode) {
    super(place)
    this.#mode = mode
  }

  override add(objects: Int32Array, count: number, base: number, scores: Float32Array): void {
    const { nested, live, path } = this.place
    for (let i = 0; i < count; i++) {
      const object = objects[i]!
      if (nested.pathOf[object] !== path || (live !== undefined && !hasBit(live, object))) continue
      const parent = this.parentOf(object)
      const score = scores[object - base]!
      if (this.count > 0 && this.docs[this.count - 1] === parent) this.#fold(score)
      else {
        this.push(parent)
        this.#scores.push(score)
        this.#counts.push(1)
      }
    }
  }

  override matcher(): Matcher | undefined {
    if (this.count === 0) return undefined
    const scores = Float32Array.from(this.#scores, (score, i) =>
      this.#mode === 'avg' ? score / this.#counts[i]! : score,
    )
    return new DocListMatcher(this.docs.slice(0, this.count), scores, this.place.scope === 0)
  }

  #fold(score: number): void {
    const last = this.count - 1
    const sum = this.#scores[last]!
    this.#counts[last] = this.#counts[last]! + 1
    if (this.#mode === 'max') this.#scores[last] = Math.max(sum, score)
    else this.#scores[last] = this.#mode === 'min' ? Math.min(sum, score) : sum + score
  }
}
