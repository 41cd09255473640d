/**
 * Reads what `identity-writer.ts` writes: ids, versions and routings of a segment's root documents. Every write looks for its id in
 * each segment, and every hit shows its id, so the views are members of this object and not entries of a map. Roots are numbered
 * from 0 in the order of the documents.
 */
import { type NumberArray, type NumberEncoding, numberAt, viewNumbers } from './doc-values/number-codec.ts'
import { hashId } from './identity-writer.ts'
import type { SectionLoader } from './section-loader.ts'
import type { SegmentDirectory } from './segment-file.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

export class IdentityReader {
  readonly #loader: SectionLoader
  readonly #encodings: SegmentDirectory['identity']
  readonly #rootCount: number
  /** Whether every document is a root, so that their numbers are the same. */
  readonly #isFlat: boolean
  #hash: Uint32Array | undefined
  #ids: Uint8Array | undefined
  #ends: Uint32Array | undefined
  #seqNos: NumberArray | undefined
  #versions: NumberArray | undefined
  #primaryTerms: NumberArray | undefined
  #roots: Uint32Array | undefined
  #routings: ReadonlyMap<number, string> | undefined

  constructor(loader: SectionLoader) {
    const { identity, rootCount, docCount } = loader.directory
    this.#loader = loader
    this.#encodings = identity
    this.#rootCount = rootCount
    this.#isFlat = rootCount === docCount
  }

  /** Releases the views. */
  close(): void {
    this.#hash = undefined
    this.#ids = undefined
    this.#ends = undefined
    this.#seqNos = undefined
    this.#versions = undefined
    this.#primaryTerms = undefined
    this.#roots = undefined
    this.#routings = undefined
  }

  /** The document of an id, or -1. */
  find(idBytes: Uint8Array): number {
    this.#hash ??= words(this.#loader.bytes('i.hash'))
    const table = this.#hash
    const mask = table.length - 1
    const first = hashId(idBytes, 0, idBytes.length) & mask
    // Most lookups are of new documents, and half of those end here.
    if (table[first] === 0) return -1
    const ids = this.#idPool()
    const ends = this.#idEnds()
    // A document that was replaced before the segment was written has several entries: the newest counts.
    let found = -1
    let foundSeqNo = -1
    for (let slot = first; table[slot] !== 0; slot = (slot + 1) & mask) {
      const root = table[slot]! - 1
      const start = root === 0 ? 0 : ends[root - 1]!
      if (ends[root]! - start !== idBytes.length || !sameBytes(ids, start, idBytes)) continue
      const seqNo = this.#seqNoOf(root)
      if (seqNo > foundSeqNo) {
        found = root
        foundSeqNo = seqNo
      }
    }
    if (found < 0) return -1
    return this.#isFlat ? found : this.#rootDocs()[found]!
  }

  id(doc: number): string {
    const root = this.rootOf(doc)
    const ends = this.#idEnds()
    return Buffer.from(this.#idPool().subarray(root === 0 ? 0 : ends[root - 1]!, ends[root]!)).toString()
  }

  /** Copies an id without escapes to `out`. Returns its end, or -1 if it needs escapes in JSON. */
  write(doc: number, out: Uint8Array, at: number): number {
    const root = this.rootOf(doc)
    const ends = this.#idEnds()
    const ids = this.#idPool()
    let to = at
    for (let i = root === 0 ? 0 : ends[root - 1]!, end = ends[root]!; i < end; i++) {
      const byte = ids[i]!
      if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) return -1
      out[to++] = byte
    }
    return to
  }

  /** A copy of an id. */
  bytes(doc: number): Uint8Array {
    const root = this.rootOf(doc)
    const ends = this.#idEnds()
    return this.#idPool().slice(root === 0 ? 0 : ends[root - 1]!, ends[root]!)
  }

  /** Whether a root has no id: it only marks a delete. */
  isNameless(doc: number): boolean {
    return this.#isNameless(this.rootOf(doc))
  }

  countNameless(): number {
    let count = 0
    for (let root = 0; root < this.#rootCount; root++) if (this.#isNameless(root)) count++
    return count
  }

  #isNameless(root: number): boolean {
    const ends = this.#idEnds()
    return ends[root] === (root === 0 ? 0 : ends[root - 1])
  }

  seqNo(doc: number): number {
    return this.#seqNoOf(this.rootOf(doc))
  }

  #seqNoOf(root: number): number {
    this.#seqNos ??= this.#numbers('i.seq', this.#encodings.seqNo)
    return numberAt(this.#encodings.seqNo, this.#seqNos, root)
  }

  version(doc: number): number {
    this.#versions ??= this.#numbers('i.version', this.#encodings.version)
    return numberAt(this.#encodings.version, this.#versions, this.rootOf(doc))
  }

  primaryTerm(doc: number): number {
    this.#primaryTerms ??= this.#numbers('i.term', this.#encodings.primaryTerm)
    return numberAt(this.#encodings.primaryTerm, this.#primaryTerms, this.rootOf(doc))
  }

  #numbers(section: string, encoding: NumberEncoding): NumberArray {
    return viewNumbers(encoding, this.#loader.bytes(section))
  }

  get hasRoutings(): boolean {
    return this.#encodings.routed > 0
  }

  routing(doc: number): string | undefined {
    if (this.#encodings.routed === 0) return undefined
    this.#routings ??= new Map(
      JSON.parse(Buffer.from(this.#loader.bytes('i.routing')).toString()) as [number, string][],
    )
    return this.#routings.get(this.rootOf(doc))
  }

  /** The number of a root document among the roots. */
  rootOf(doc: number): number {
    if (this.#isFlat) return doc
    const roots = this.#rootDocs()
    let low = 0
    let high = roots.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (roots[middle]! < doc) low = middle + 1
      else high = middle
    }
    return low
  }

  #idPool(): Uint8Array {
    this.#ids ??= this.#loader.bytes('i.bytes')
    return this.#ids
  }

  #idEnds(): Uint32Array {
    this.#ends ??= words(this.#loader.bytes('i.ends'))
    return this.#ends
  }

  #rootDocs(): Uint32Array {
    this.#roots ??= words(this.#loader.bytes('i.roots'))
    return this.#roots
  }
}

function words(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2)
}

function sameBytes(bytes: Uint8Array, start: number, other: Uint8Array): boolean {
  for (let i = 0; i < other.length; i++) if (bytes[start + i] !== other[i]) return false
  return true
}
