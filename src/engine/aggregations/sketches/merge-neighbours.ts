/** The inner loop of a digest: centroids and single values, both in order, become fewer centroids. */

/** Three arrays by centroid. */
export interface Centroids {
  readonly means: Float64Array
  readonly weights: Float64Array
  /** 1 for centroids of several different values; the others stand for one value that came often. */
  readonly mixed: Uint8Array
}

/**
 * Merges neighbours of `ordered` and of the `fresh` values, each of weight 1, as long as a centroid's share stays small for its place:
 * the scale function q (1 - q). Returns how many centroids there are `into`. `total` is the weight of all.
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
  /** What q (1 - q) is multiplied with to be the largest weight of a centroid at q. */
  const scale = (total * (4 * Math.log(total / compression) + 24)) / compression
  const freshCount = fresh.length
  let left = 0
  let right = 0
  let length = 0
  /** The weight of all before the centroid that grows, and how heavy that may be for where it starts. */
  let before = 0
  let startLimit = 0
  /** The centroid that grows: its first value, what others are more than that, in sum, and its weight. */
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
      // Equal values are one however many they are: nothing is lost by taking them together.
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

/** How heavy a centroid may be for where it ends. In the lower half of all the place of its start is the stricter one. */
function endLimit(end: number, total: number, scale: number): number {
  if (end + end <= total) return Number.POSITIVE_INFINITY
  const q = end / total
  return scale * q * (1 - q)
}
