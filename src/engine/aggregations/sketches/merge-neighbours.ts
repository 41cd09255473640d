/** The inner loop of a t-digest: merges centroids and single values, both sorted, into fewer centroids. */

/** Three arrays by centroid. */
export interface Centroids {
  readonly means: Float64Array
  readonly weights: Float64Array
  /** 1 for centroids of several different values; other centroids represent one repeated value. */
  readonly mixed: Uint8Array
}

/**
 * Merges neighbours of `ordered` and of the `fresh` values (each of weight 1) as long as a centroid's weight stays
 * small for its position: the scale function q (1 - q). Returns the number of centroids in `into`. `total` is the
 * weight of all.
 */
export function mergeNeighbours(
  ordered: Centroids,
  orderedCount: number,
  fresh: Float64Array,
  total: number,
  compression: number,
  into: Centroids,
): number {
  const { means, weights, mixed } = ordered
  /** The factor of q (1 - q) that gives the maximum weight of a centroid at q. */
  const scale = (total * (4 * Math.log(total / compression) + 24)) / compression
  const freshCount = fresh.length
  let left = 0
  let right = 0
  let length = 0
  /** The total weight before the growing centroid, and its maximum weight by its start. */
  let before = 0
  let startLimit = 0
  /** The growing centroid: its first value, the sum of differences from that, and its weight. */
  let first = 0
  let excess = 0
  let weight = 0
  let isMixed = 0
  while (left < orderedCount || right < freshCount) {
    const takesLeft = right === freshCount || (left < orderedCount && means[left]! <= fresh[right]!)
    const value = takesLeft ? means[left]! : fresh[right]!
    const more = takesLeft ? weights[left]! : 1
    const moreMixed = takesLeft ? mixed[left]! : 0
    if (takesLeft) left++
    else right++
    if (weight > 0) {
      const grown = weight + more
      // Equal values can be merged in any number without losing information.
      if (value === first && excess === 0) {
        weight = grown
        isMixed |= moreMixed
        continue
      }
      if (grown <= startLimit && grown <= endLimit(before + grown, total, scale)) {
        excess += (value - first) * more
        weight = grown
        isMixed = 1
        continue
      }
      into.means[length] = first + excess / weight
      into.weights[length] = weight
      into.mixed[length++] = isMixed
      before += weight
      startLimit = (scale * before * (total - before)) / (total * total)
    }
    first = value
    excess = 0
    weight = more
    isMixed = moreMixed
  }
  if (weight === 0) return 0
  into.means[length] = first + excess / weight
  into.weights[length] = weight
  into.mixed[length++] = isMixed
  return length
}

/** The maximum weight of a centroid by its end. In the lower half the position of its start is stricter. */
function endLimit(end: number, total: number, scale: number): number {
  if (end + end <= total) return Number.POSITIVE_INFINITY
  const q = end / total
  return scale * q * (1 - q)
}
