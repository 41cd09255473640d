/** Merges terms buckets of several shards by key. */
import type { TermBucket, TermKey, TermsResult } from './terms-result.ts'

export interface MergedTerm<B extends TermBucket = TermBucket> {
  readonly key: TermKey
  readonly parts: B[]
  docCount: number
}

/** Keys are compared as doubles if one shard has integers and another has not. */
export function mergeTerms<B extends TermBucket>(
  results: readonly { readonly type: TermsResult['type']; readonly buckets: readonly B[] }[],
): MergedTerm<B>[] {
  // A shard has every key once.
  if (results.length === 1) {
    return results[0]!.buckets.map((bucket) => ({ key: bucket.key, parts: [bucket], docCount: bucket.docCount }))
  }
  const asDoubles = results.some(({ type }) => type === 'double')
  const merged = new Map<TermKey | string, MergedTerm<B>>()
  for (const { buckets } of results) {
    for (const bucket of buckets) {
      const key = asDoubles && !(bucket.key instanceof Uint8Array) ? Number(bucket.key) : bucket.key
      const name = key instanceof Uint8Array ? Buffer.from(key).toString('latin1') : key
      const known = merged.get(name)
      if (known === undefined) merged.set(name, { key, parts: [bucket], docCount: bucket.docCount })
      else {
        known.parts.push(bucket)
        known.docCount += bucket.docCount
      }
    }
  }
  return [...merged.values()]
}
