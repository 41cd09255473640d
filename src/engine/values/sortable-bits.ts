/** Floating-point numbers as integers in the same order, as Lucene stores them. */
import { halfFloatBits } from './half-float.ts'

const double = new Float64Array(1)
const doubleBits = new BigInt64Array(double.buffer)
const single = new Float32Array(1)
const singleBits = new Int32Array(single.buffer)

/** The storage form of a number. */
interface NumberForm {
  readonly isWhole: boolean
  readonly bytes: 2 | 4 | 8
  readonly storedAs?: string
}

/** Undefined for numbers that are stored as integers. */
export function sortableBits(form: NumberForm | undefined, value: number): bigint | undefined {
  if (form === undefined || form.isWhole || form.storedAs !== undefined) return undefined
  switch (form.bytes) {
    case 8:
      return sortableDouble(value)
    case 4: {
      single[0] = value
      const bits = singleBits[0]!
      return BigInt(bits ^ ((bits >> 31) & 0x7fffffff))
    }
    case 2: {
      const bits = (halfFloatBits(value) << 16) >> 16
      return BigInt(bits ^ ((bits >> 15) & 0x7fff))
    }
  }
}

/** The 64-bit integer of a double. */
export function sortableDouble(value: number): bigint {
  double[0] = value
  const bits = doubleBits[0]!
  return bits ^ ((bits >> 63n) & 0x7fffffffffffffffn)
}
