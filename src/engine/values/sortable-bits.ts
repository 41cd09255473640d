/** Decimals as whole numbers in the same order, as Lucene keeps them. */
import { halfFloatBits } from './half-float.ts'

const double = new Float64Array(1)
const doubleBits = new BigInt64Array(double.buffer)
const single = new Float32Array(1)
const singleBits = new Int32Array(single.buffer)

/** Undefined for types whose values are whole numbers. */
export function sortableBits(type: string, value: number): bigint | undefined {
  switch (type) {
    case 'double': {
      double[0] = value
      const bits = doubleBits[0]!
      return bits ^ ((bits >> 63n) & 0x7fffffffffffffffn)
    }
    case 'float': {
      single[0] = value
      const bits = singleBits[0]!
      return BigInt(bits ^ ((bits >> 31) & 0x7fffffff))
    }
    case 'half_float': {
      const bits = (halfFloatBits(value) << 16) >> 16
      return BigInt(bits ^ ((bits >> 15) & 0x7fff))
    }
    default:
      return undefined
  }
}
