/**
 * Documents with matching nested objects. The objects are matched once, when the scorer is created, and leave one entry
 * per parent: the root document, or the object of the outer path inside another `nested` query.
 */
import { hasBit, nextSetBit } from '../../../base/bit-set.ts'
import type { NestedDocs, SegmentView } from '../../segment/segment-reader-api.ts'
import type { Weight } from '../query.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../window.ts'
import { DocListScorer } from './doc-list-scorer.ts'
import type { Scorer } from './scorer.ts'

export type NestedScoreMode = 'avg' | 'sum' | 'min' | 'max' | 'none'

/** The level of the objects, and the level of their parents; undefined for whole documents. */
export interface NestedLevels {
  readonly path: string
  readonly scope: string | undefined
}

export function nestedScorer(
  segment: SegmentView,
  levels: NestedLevels,
  query: Weight,
  mode: NestedScoreMode,
): Scorer | undefined {
  const { nested, docCount } = segment.reader
  const pathNumber = nested === undefined ? -1 : nested.paths.indexOf(levels.path)
  if (nested === undefined || pathNumber < 0) return undefined
  const scorer = query.scorer({ ...segment, nestedLevel: pathNumber + 1 })
  if (scorer === undefined) return undefined
  const scopeNumber = levels.scope === undefined ? 0 : nested.paths.indexOf(levels.scope) + 1
  const place: Place = { nested, live: segment.live, path: pathNumber + 1, scope: scopeNumber }
  // If no object has a score, only the documents matter.
  const isFlat = mode === 'none' || scorer.maxScore(0, docCount) === 0
  const parents = isFlat ? new Parents(place) : new ScoredParents(place, mode)
  if (isFlat && scorer.canList) addListed(scorer, parents)
  else addWindows(scorer, docCount, parents, !isFlat)
  return parents.scorer()
}

interface Place {
  readonly nested: NestedDocs
  readonly live: Uint32Array | undefined
  /** The level of the objects, as in `pathOf`. */
  readonly path: number
  /** The level of the parents. */
  readonly scope: number
}

function addListed(scorer: Scorer, parents: Parents): void {
  const scratch = takeScratch()
  const { docs, scores } = scratch
  for (let count = scorer.nextDocs(docs); count > 0; count = scorer.nextDocs(docs)) parents.add(docs, count, 0, scores)
  releaseScratch(scratch)
}

function addWindows(scorer: Scorer, docCount: number, parents: Parents, scored: boolean): void {
  const scratch = takeScratch()
  const { bits, scores, docs } = scratch
  for (let doc = scorer.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    bits.fill(0)
    if (scored) scorer.matchScored(base, limit, bits, scores)
    else scorer.match(base, limit, bits)
    parents.add(docs, bitsToDocs(bits, base, docs), base, scores)
    doc = limit < docCount ? scorer.next(limit) : docCount
  }
  releaseScratch(scratch)
}

/** The parents of the objects. The objects of a document are adjacent, so its entry is always the last one. */
class Parents {
  protected readonly place: Place
  protected docs = new Int32Array(64)
  protected count = 0

  constructor(place: Place) {
    this.place = place
  }

  /** `objects` ascend; `scores` is indexed by position in the window that starts at `base`. */
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

  scorer(): Scorer | undefined {
    if (this.count === 0) return undefined
    return new DocListScorer(this.docs.slice(0, this.count), 0, this.place.scope === 0)
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

  override scorer(): Scorer | undefined {
    if (this.count === 0) return undefined
    const scores = Float32Array.from(this.#scores, (score, i) =>
      this.#mode === 'avg' ? score / this.#counts[i]! : score,
    )
    return new DocListScorer(this.docs.slice(0, this.count), scores, this.place.scope === 0)
  }

  #fold(score: number): void {
    const last = this.count - 1
    const sum = this.#scores[last]!
    this.#counts[last] = this.#counts[last]! + 1
    if (this.#mode === 'max') this.#scores[last] = Math.max(sum, score)
    else this.#scores[last] = this.#mode === 'min' ? Math.min(sum, score) : sum + score
  }
}
