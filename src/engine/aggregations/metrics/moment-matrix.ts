/** Counts, means and higher moments of several numbers per document, and how each pair of them varies together. */

export class MomentMatrix {
  count = 0
  readonly means: Float64Array
  readonly m2: Float64Array
  readonly m3: Float64Array
  readonly m4: Float64Array
  /** Sums of products of deviations, row by row. */
  readonly products: Float64Array

  constructor(width: number) {
    this.means = new Float64Array(width)
    this.m2 = new Float64Array(width)
    this.m3 = new Float64Array(width)
    this.m4 = new Float64Array(width)
    this.products = new Float64Array(width * width)
  }

  get width(): number {
    return this.means.length
  }

  /** Adds the values of one document. */
  add(values: Float64Array): void {
    const n = ++this.count
    const { width, means, m2, m3, m4, products } = this
    for (let i = 0; i < width; i++) {
      const before = values[i]! - means[i]!
      for (let j = 0; j < i; j++) {
        // `means[j]` already includes this document and `means[i]` does not: one deviation from before and one from
        // after the update give the exact product.
        products[i * width + j] = products[i * width + j]! + before * (values[j]! - means[j]!)
      }
      const share = before / n
      const term = before * share * (n - 1)
      means[i] = means[i]! + share
      m4[i] = m4[i]! + term * share * share * (n * n - 3 * n + 3) + 6 * share * share * m2[i]! - 4 * share * m3[i]!
      m3[i] = m3[i]! + term * share * (n - 2) - 3 * share * m2[i]!
      m2[i] = m2[i]! + term
    }
  }

  /** Adds the documents of another matrix. */
  merge(other: MomentMatrix): void {
    if (other.count === 0) return
    const [na, nb] = [this.count, other.count]
    const n = na + nb
    const { width } = this
    const deltas = other.means.map((mean, i) => mean - this.means[i]!)
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < i; j++) {
        const at = i * width + j
        this.products[at] = this.products[at]! + other.products[at]! + (deltas[i]! * deltas[j]! * na * nb) / n
      }
      const d = deltas[i]!
      const [a2, b2, a3, b3] = [this.m2[i]!, other.m2[i]!, this.m3[i]!, other.m3[i]!]
      this.m4[i] =
        this.m4[i]! +
        other.m4[i]! +
        (d ** 4 * na * nb * (na * na - na * nb + nb * nb)) / n ** 3 +
        (6 * d * d * (na * na * b2 + nb * nb * a2)) / (n * n) +
        (4 * d * (na * b3 - nb * a3)) / n
      this.m3[i] = a3 + b3 + (d ** 3 * na * nb * (na - nb)) / (n * n) + (3 * d * (na * b2 - nb * a2)) / n
      this.m2[i] = a2 + b2 + (d * d * na * nb) / n
      this.means[i] = this.means[i]! + (d * nb) / n
    }
    this.count = n
  }

  variance(i: number): number {
    return this.m2[i]! / (this.count - 1)
  }

  skewness(i: number): number {
    return (Math.sqrt(this.count) * this.m3[i]!) / this.m2[i]! ** 1.5
  }

  kurtosis(i: number): number {
    return (this.count * this.m4[i]!) / (this.m2[i]! * this.m2[i]!)
  }

  covariance(i: number, j: number): number {
    if (i === j) return this.variance(i)
    return this.products[Math.max(i, j) * this.width + Math.min(i, j)]! / (this.count - 1)
  }

  correlation(i: number, j: number): number {
    if (i === j) return 1
    return this.covariance(i, j) / Math.sqrt(this.variance(i) * this.variance(j))
  }
}
