/**
 * The files of a segment. Small segments are in one compound file, each part at a multiple of 8, with a list of the
 * parts.
 */

/** Names in the list, and the lengths of header, footer and description. */
const PARTS = {
  dvm: ['_Lucene90_0.dvm', 81],
  dvd: ['_Lucene90_0.dvd', 73],
  nvm: ['.nvm', 67],
  nvd: ['.nvd', 59],
  kdm: ['.kdm', 86],
  kdi: ['.kdi', 67],
  kdd: ['.kdd', 66],
  fdt: ['.fdt', 70],
  fnm: ['.fnm', 66],
  tim: ['_ES812Postings_0.tim', 75],
  tmd: ['_ES812Postings_0.tmd', 159],
  tip: ['_ES812Postings_0.tip', 76],
  doc: ['_ES812Postings_0.doc', 79],
  pos: ['_ES812Postings_0.pos', 79],
  id_tim: ['_0.tim', 61],
  id_tmd: ['_0.tmd', 131],
  id_tip: ['_0.tip', 62],
  id_doc: ['_0.doc', 65],
  id_pos: ['_0.pos', 65],
  id_bloom: ['_ES87BloomFilter_0.bfi', 74],
} as const

export type LuceneFile = keyof typeof PARTS

/** Length of the name, offset and length of the part. */
const ENTRY_BYTES = 17

/** Files that are the same in all segments, and the compound file's own overhead. */
const OTHER_BYTES = 870

export class LuceneFiles {
  readonly #bytes = new Map<LuceneFile, number>()

  /** Bytes without header and footer. */
  bytesOf(file: LuceneFile): number {
    return this.#bytes.get(file) ?? 0
  }

  add(file: LuceneFile, bytes: number): void {
    this.#bytes.set(file, this.bytesOf(file) + bytes)
  }

  get total(): number {
    let total = OTHER_BYTES
    for (const [file, bytes] of this.#bytes) {
      const [name, frameBytes] = PARTS[file]
      total += Math.ceil((frameBytes + bytes) / 8) * 8 + name.length + ENTRY_BYTES
    }
    return total
  }
}
