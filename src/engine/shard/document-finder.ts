/** Finds the newest version of a document by id: in the write buffer, among recent deletes, or in a segment. */
import type { BufferedDocuments } from './refresh/buffered-documents.ts'
import type { DocumentState } from './refresh/buffered-ids.ts'
import type { Tombstones } from './tombstones.ts'
import type { SegmentSet } from './view/segment-set.ts'
import type { ShardSegment } from './view/shard-segment.ts'

/** Where `DocumentFinder.find` found the document. */
export type Place = 'nowhere' | 'buffer' | 'segment' | 'deleted'

/** The result is in the finder's own members and valid until the next `find`, because there is one per write. */
export class DocumentFinder implements DocumentState {
  place: Place = 'nowhere'
  /** Number in `buffered` or in `segment`. */
  doc = -1
  buffered: BufferedDocuments | undefined
  segment: ShardSegment | undefined
  version = 0
  seqNo = 0
  primaryTerm = 0
  /** The place of the segment in which the last document was found. */
  #lastAt = -1
  readonly #segments: SegmentSet
  readonly #tombstones: Tombstones

  constructor(segments: SegmentSet, tombstones: Tombstones) {
    this.#segments = segments
    this.#tombstones = tombstones
  }

  get isLive(): boolean {
    return this.place === 'buffer' || this.place === 'segment'
  }

  /** Whether a version is known, even of a deleted document. */
  get isKnown(): boolean {
    return this.place !== 'nowhere'
  }

  find(idBytes: Uint8Array): this {
    this.segment = undefined
    const { active, frozen } = this.#segments
    if (this.#findBuffered(active, idBytes)) return this
    if (frozen !== undefined && this.#findBuffered(frozen, idBytes)) return this
    if (this.#tombstones.find(idBytes, this)) {
      this.place = 'deleted'
      return this
    }
    return this.#findInSegments(idBytes)
  }

  /** For a newly generated id, which cannot exist anywhere. */
  findNothing(): this {
    this.place = 'nowhere'
    this.segment = undefined
    return this
  }

  #findBuffered(documents: BufferedDocuments, idBytes: Uint8Array): boolean {
    this.doc = documents.ids.find(idBytes, this)
    if (this.doc < 0) return false
    this.place = 'buffer'
    this.buffered = documents
    return true
  }

  /**
   * The segment of the last document first, because documents are often changed in the order in which they were written. Then newest
   * first, because recent documents are requested most. The order changes nothing: only one version of a document is live.
   */
  #findInSegments(idBytes: Uint8Array): this {
    const { segments } = this.#segments
    const last = this.#lastAt < segments.length ? this.#lastAt : -1
    if (last >= 0 && this.#findIn(segments[last]!, idBytes)) return this
    for (let i = segments.length - 1; i >= 0; i--) {
      if (i === last || !this.#findIn(segments[i]!, idBytes)) continue
      this.#lastAt = i
      return this
    }
    this.place = 'nowhere'
    return this
  }

  #findIn(segment: ShardSegment, idBytes: Uint8Array): boolean {
    const reader = segment.use()
    const doc = reader.findId(idBytes)
    if (doc < 0 || !segment.live.isLive(doc)) return false
    this.place = 'segment'
    this.segment = segment
    this.doc = doc
    this.version = reader.version(doc)
    this.seqNo = reader.seqNo(doc)
    this.primaryTerm = reader.primaryTerm(doc)
    return true
  }
}
