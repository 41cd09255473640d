/**
 * The live docs of a segment. A published view shares the bits, so they are copied before the next change. Bits are in
 * shared memory, because searches run on any thread.
 */
import { clearBit, countBits, hasBit, setAll, setBit, wordsFor } from '../../../base/bit-set.ts'
import type { NestedDocs, SegmentReader } from '../../segment/segment-reader-api.ts'

export class LiveDocs {
  readonly docCount: number
  /** Live documents, including nested ones. */
  liveCount: number
  liveRoots: number
  #bits: Uint32Array | undefined
  #handedOut = false

  constructor(docCount: number, liveCount: number, liveRoots: number, bits: Uint32Array | undefined) {
    this.docCount = docCount
    this.liveCount = liveCount
    this.liveRoots = liveRoots
    this.#bits = bits === undefined ? undefined : shared(bits)
  }

  get hasDeletes(): boolean {
    return this.#bits !== undefined
  }

  isLive(doc: number): boolean {
    return this.#bits === undefined || hasBit(this.#bits, doc)
  }

  /** Deletes a live root and its nested documents. */
  delete(root: number, nested: NestedDocs | undefined): void {
    const bits = this.#writable()
    clearBit(bits, root)
    this.liveCount--
    this.liveRoots--
    if (nested === undefined) return
    for (let doc = root - 1; doc >= 0 && nested.pathOf[doc] !== 0; doc--) {
      clearBit(bits, doc)
      this.liveCount--
    }
  }

  /** The current bits, which never change again; undefined if every document is live. */
  freeze(): Uint32Array | undefined {
    this.#handedOut = true
    return this.#bits
  }

  #writable(): Uint32Array {
    if (this.#bits === undefined) {
      this.#bits = new Uint32Array(new SharedArrayBuffer(wordsFor(this.docCount) * 4))
      setAll(this.#bits, this.docCount)
    } else if (this.#handedOut) this.#bits = shared(this.#bits)
    this.#handedOut = false
    return this.#bits
  }
}

function shared(bits: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(bits.length * 4))
  copy.set(bits)
  return copy
}

/** The live documents, and the deleted ones of operations from `retainedFrom` on with their nested documents. */
export function withRetained(live: Uint32Array, reader: SegmentReader, retainedFrom: number): Uint32Array {
  const kept = live.slice()
  const pathOf = reader.nested?.pathOf
  let first = 0
  for (let doc = 0; doc < reader.docCount; doc++) {
    if (pathOf !== undefined && pathOf[doc] !== 0) continue
    if (!hasBit(live, doc) && reader.seqNo(doc) >= retainedFrom) for (; first <= doc; first++) setBit(kept, first)
    first = doc + 1
  }
  return kept
}

/** Documents that are live in `before` and not in `now`; undefined means all documents. */
export function diedBetween(
  before: Uint32Array | undefined,
  now: Uint32Array | undefined,
  docCount: number,
  visit: (doc: number) => void,
): void {
  if (now === undefined || now === before) return
  if (countBits(now) === (before === undefined ? docCount : countBits(before))) return
  for (let doc = 0; doc < docCount; doc++) {
    if (!hasBit(now, doc) && (before === undefined || hasBit(before, doc))) visit(doc)
  }
}
