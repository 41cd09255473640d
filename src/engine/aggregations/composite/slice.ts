/**
 * `slice`: one of `max` disjoint parts of all keys, which clients page concurrently. The part of a key depends only on
 * a hash of its values, so that shards agree.
 */
import { floorMod } from '../../../base/murmur3.ts'
import type { BoundSource } from './bound-source.ts'

export interface Slice {
  readonly id: number
  readonly max: number
}

export class KeySlice {
  readonly #slice: Slice
  readonly #sources: readonly BoundSource[]
  /** Hashes by code, because the same few codes repeat. */
  readonly #known: readonly Map<number, number>[]

  constructor(slice: Slice, sources: readonly BoundSource[]) {
    this.#slice = slice
    this.#sources = sources
    this.#known = sources.map(() => new Map())
  }

  has(key: Float64Array): boolean {
    let hash = 0
    for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + this.#hash(i, key[i]!)) | 0
    return floorMod(hash, this.#slice.max) === this.#slice.id
  }

  #hash(i: number, code: number): number {
    const known = this.#known[i]!
    let hash = known.get(code)
    if (hash === undefined) {
      const source = this.#sources[i]!
      hash = Number.isFinite(code) ? source.hash(source.settings.descending ? -code : code) : 0
      known.set(code, hash)
    }
    return hash
  }
}
