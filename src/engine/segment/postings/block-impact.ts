/**
 * The impact of a block of postings in one word, which bounds its scores. A document scores high if it has the term
 * often or if it is short, and the two rarely coincide: a single pair of the largest frequency and the smallest norm
 * would bound a score that no document has. The documents are therefore split by frequency, and each part has its own
 * pair.
 *
 *   bits 0-7    largest frequency; LARGEST_FREQ stands for all from there on
 *   bits 8-15   smallest norm of the documents with more than `split` occurrences
 *   bits 16-23  smallest norm of all documents
 *   bits 24-31  split, never 0
 *
 * Segments of format 2 have the largest frequency in bits 0-15, the smallest norm in bits 16-23, and 0 above.
 */
import { BLOCK_SIZE } from '../../kernels/block-size.ts'
import { LENGTHS } from './norm-encoding.ts'

const LARGEST_FREQ = 0xff
const LARGEST_FREQ_2 = 0xffff
const LARGEST_NORM = 0xff

/** The pair of documents with few occurrences, and that of the others; both are equal if nothing was split. */
export const lowFreq = (impact: number): number => impact >>> 24 || impact & 0xffff
export const lowNorm = (impact: number): number => (impact >>> 16) & 0xff
export const highFreq = (impact: number): number => impact & (impact >>> 24 === 0 ? 0xffff : 0xff)
export const highNorm = (impact: number): number => (impact >>> (impact >>> 24 === 0 ? 16 : 8)) & 0xff

/** Whether some frequencies are larger than the impact can represent. */
export const isBeyond = (impact: number, largest: number): boolean =>
  largest === (impact >>> 24 === 0 ? LARGEST_FREQ_2 : LARGEST_FREQ)

/** Computes the impacts of the blocks of a field. */
export class BlockImpacts {
  readonly #norms: Uint8Array | undefined
  /** The weight of each norm relative to one occurrence: BM25 with default parameters. */
  #weights: Float64Array | undefined
  /** Of the current block: the smallest norm at each frequency, then at this frequency or above. */
  readonly #normOf: Uint8Array

  constructor(norms: Uint8Array | undefined) {
    this.#norms = norms
    this.#normOf = new Uint8Array(LARGEST_FREQ + 2).fill(LARGEST_NORM)
  }

  /** `docs` and `freqs` of a block begin at `first`. */
  of(docs: Int32Array, freqs: Int32Array, first: number): number {
    const norms = this.#norms
    const normOf = this.#normOf
    let largest = 1
    for (let i = first; i < first + BLOCK_SIZE; i++) {
      const freq = Math.min(freqs[i]!, LARGEST_FREQ)
      const norm = norms === undefined ? 1 : norms[docs[i]!]!
      if (freq > largest) largest = freq
      if (norm < normOf[freq]!) normOf[freq] = norm
    }
    for (let freq = largest - 1; freq > 0; freq--) normOf[freq] = Math.min(normOf[freq]!, normOf[freq + 1]!)
    const split = this.#split(largest)
    const impact = largest | (normOf[split + 1]! << 8) | (normOf[1]! << 16) | (split << 24)
    normOf.fill(LARGEST_NORM, 1, largest + 1)
    return impact
  }

  /** The split frequency at which the two pairs give the lowest bound. */
  #split(largest: number): number {
    const normOf = this.#normOf
    // Most fields of a new segment have no whole block.
    const weights = (this.#weights ??= lengthWeights(this.#norms))
    const smallest = weights[normOf[1]!]!
    let best = largest
    let least = largest / (largest + smallest)
    for (let split = 1; split < largest; split++) {
      const low = split / (split + smallest)
      const high = largest / (largest + weights[normOf[split + 1]!]!)
      const bound = Math.max(low, high)
      if (bound < least) {
        least = bound
        best = split
      }
    }
    return best
  }
}

function lengthWeights(norms: Uint8Array | undefined): Float64Array {
  let sum = 0
  for (let doc = 0; norms !== undefined && doc < norms.length; doc++) sum += LENGTHS[norms[doc]!]!
  const average = norms === undefined || sum === 0 ? 1 : sum / norms.length
  return LENGTHS.map((length) => 1.2 * (0.25 + (0.75 * length) / average))
}
