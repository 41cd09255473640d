/** The work of some aggregations as loops over plain arrays of random numbers: what their kernels are compared with. */

function numbers(docs) {
  const buckets = new Int32Array(docs)
  const values = new Float64Array(docs)
  let state = 1
  for (let i = 0; i < docs; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    buckets[i] = Math.floor(40 * (state / 2 ** 32) ** 2.5)
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    values[i] = Math.round(10_000 * (state / 2 ** 32) ** 4) / 10
  }
  return { buckets, values }
}

export const PLAIN_LOOPS = {
  'count by bucket': (docs) => {
    const { buckets } = numbers(docs)
    const counts = new Int32Array(40)
    return () => {
      for (let i = 0; i < docs; i++) counts[buckets[i]]++
    }
  },
  'compensated sum and count by bucket': (docs) => {
    const { buckets, values } = numbers(docs)
    const sums = new Float64Array(40)
    const corrections = new Float64Array(40)
    const counts = new Int32Array(40)
    return () => {
      for (let i = 0; i < docs; i++) {
        const bucket = buckets[i]
        const sum = sums[bucket]
        const corrected = values[i] + corrections[bucket]
        const updated = sum + corrected
        corrections[bucket] = corrected - (updated - sum)
        sums[bucket] = updated
        counts[bucket]++
      }
    }
  },
  'compensated sum': (docs) => {
    const { values } = numbers(docs)
    return () => {
      let sum = 0
      let correction = 0
      for (let i = 0; i < docs; i++) {
        const corrected = values[i] + correction
        const updated = sum + corrected
        correction = corrected - (updated - sum)
        sum = updated
      }
      return sum
    }
  },
}
