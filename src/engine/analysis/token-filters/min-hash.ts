/** `min_hash`: represents a set of tokens by a fixed number of hashes, so that similar texts share many of them. */

import { illegalArgument } from '../../../base/api-error.ts'
import { murmur128 } from '../../../base/bytes/murmur3-128.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { newToken, type StreamToken, type TokenStream } from '../token.ts'

type Hash = readonly [low: bigint, high: bigint]

const MASK = (1n << 64n) - 1n
const less = (a: Hash, b: Hash) => a[1] < b[1] || (a[1] === b[1] && a[0] < b[0])

function aboveZero(count: number, name: string): number {
  if (count <= 0) throw illegalArgument(`${name} must be greater than zero`)
  return count
}

export function minHashFilter(settings: ComponentSettings): TokenFilter {
  const hashCount = aboveZero(settings.integer('hash_count', 1), 'hashCount')
  const bucketCount = aboveZero(settings.integer('bucket_count', 512), 'bucketCount')
  const setSize = aboveZero(settings.integer('hash_set_size', 1), 'hashSetSize')
  const rotation = settings.boolean('with_rotation', bucketCount > 1)
  const bucketSize = (2n ** 32n + BigInt(bucketCount) - 1n) / BigInt(bucketCount)

  /** The smallest hashes of each bucket; a token's bucket is given by its upper 32 bits. */
  function buckets(tokens: readonly StreamToken[], round: number): Hash[][] {
    const roundBytes = Buffer.alloc(4)
    roundBytes.writeInt32BE(round)
    const salt = murmur128(roundBytes)
    const sets: Hash[][] = Array.from({ length: bucketCount }, () => [])
    for (const { term } of tokens) {
      const [low, high] = murmur128(Buffer.from(term, 'utf16le'))
      const hash: Hash = [(low * 37n + salt[0]) & MASK, (high * 37n + salt[1]) & MASK]
      keepSmallest(sets[Number((hash[1] >> 32n) / bucketSize)]!, hash, setSize)
    }
    if (rotation && setSize === 1) fillFromNext(sets)
    return sets
  }

  return (stream): TokenStream => {
    const tokens: StreamToken[] = []
    const end = stream.tokens.at(-1)?.endOffset ?? 0
    for (let round = 0; round < hashCount && stream.tokens.length > 0; round++) {
      for (const hash of buckets(stream.tokens, round).flat()) {
        const token = newToken(termOf(hash, round, hashCount), 0, end, 'MIN_HASH')
        token.positionIncrement = tokens.length === 0 ? 1 : 0
        tokens.push(token)
      }
    }
    return { ...stream, tokens }
  }
}

function keepSmallest(set: Hash[], hash: Hash, size: number): void {
  const at = set.findIndex((known) => !less(known, hash))
  if (at >= 0 && set[at]![0] === hash[0] && set[at]![1] === hash[1]) return
  set.splice(at < 0 ? set.length : at, 0, hash)
  if (set.length > size) set.pop()
}

/** Empty buckets copy from the next filled one, so that short texts have all hashes too. */
function fillFromNext(sets: Hash[][]): void {
  sets.forEach((set, i) => {
    for (let step = 1; set.length === 0 && step < sets.length; step++) {
      const [hash] = sets[(i + step) % sets.length]!
      if (hash !== undefined) set.push(hash)
    }
  })
}

/** A hash as text, 16 bits per character, preceded by the round if there are several. */
function termOf([low, high]: Hash, round: number, rounds: number): string {
  const chars = (value: bigint, count: number) => {
    let text = ''
    for (let i = 0; i < count; i++) text += String.fromCharCode(Number((value >> BigInt(48 - 16 * i)) & 0xffffn))
    return text
  }
  const prefix = rounds > 1 ? String.fromCharCode(round >> 16, round & 0xffff) : ''
  return prefix + chars(high, 4) + chars(low, rounds > 1 ? 2 : 4)
}
