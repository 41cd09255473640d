/**
 * Counts distinct hashes in bounded memory: HyperLogLog++ with Elasticsearch's precisions.
 *
 * Few values are stored as 32-bit codes in a hash table and counted almost exactly. Beyond the threshold the codes
 * become registers of one byte each, which store the longest run of zeros. The estimate from registers is corrected by
 * its measured bias, so that the result equals Elasticsearch's number.
 */
import { lastHashHigh, lastHashLow } from './hash64.ts'
import { measuredEstimates } from './measured-estimates.ts'
import type { Hashes } from './term-hashes.ts'

const MIN_PRECISION = 4
const MAX_PRECISION = 18
/** Codes contain this many leading bits of the hash. */
const CODE_BITS = 25
const MAX_LOAD = 0.75

/** The number of index bits that is accurate up to `threshold` values. */
export function precisionForThreshold(threshold: number): number {
  const entries = Math.ceil(threshold / MAX_LOAD)
  const bits = entries === 0 ? 1 : Math.floor(Math.log2(entries * 4)) + 1
  return Math.min(MAX_PRECISION, Math.max(MIN_PRECISION, bits))
}

export interface GivenCounter {
  readonly codes: Int32Array | undefined
  readonly hasZero: boolean
  readonly registers: Uint8Array | undefined
}

export class DistinctCounter {
  readonly #precision: number
  /** The number of codes that takes as much memory as the registers. */
  readonly #codesMax: number
  /** Codes in a hash table with open addressing. 0 marks a free slot; code 0 itself is a flag. */
  #codes: Int32Array | undefined
  #codeCount: number
  #hasZero: boolean
  #registers: Uint8Array | undefined

  constructor(precision: number) {
    this.#precision = precision
    this.#codesMax = 2 ** (precision - 2) * MAX_LOAD
    this.#codes = new Int32Array(16)
    this.#codeCount = 0
    this.#hasZero = false
  }

  /** Bytes held, for the memory accounting of a search. */
  get byteSize(): number {
    return this.#registers?.byteLength ?? this.#codes!.byteLength
  }

  /** Adds the hash that a function of `hash64.ts` left behind. */
  addHash(): void {
    this.add(lastHashHigh(), lastHashLow())
  }

  /** Adds a hash by its halves. */
  add(high: number, low: number): void {
    if (this.#registers !== undefined) this.#addToRegisters(high, low)
    else this.#addCode(encode(high, low, this.#precision))
  }

  addAll({ highs, lows }: Hashes): void {
    let i = 0
    while (i < highs.length && this.#registers === undefined) {
      this.#addCode(encode(highs[i]!, lows[i]!, this.#precision))
      i++
    }
    for (; i < highs.length; i++) this.#addToRegisters(highs[i]!, lows[i]!)
  }

  merge(other: DistinctCounter): void {
    if (other.#registers === undefined) {
      other.#eachCode((code) => this.#addAnyCode(code))
      return
    }
    if (this.#registers === undefined) this.#toRegisters()
    const own = this.#registers!
    for (let i = 0; i < own.length; i++) if (other.#registers[i]! > own[i]!) own[i] = other.#registers[i]!
  }

  /** The state as plain data. */
  give(): GivenCounter {
    return { codes: this.#codes, hasZero: this.#hasZero, registers: this.#registers }
  }

  /** Adds the state of a counter with the same precision from another thread. */
  take({ codes, hasZero, registers }: GivenCounter): void {
    const other = new DistinctCounter(this.#precision)
    other.#codes = codes
    other.#hasZero = hasZero
    other.#registers = registers
    this.merge(other)
  }

  count(): number {
    if (this.#registers !== undefined) return estimate(this.#registers, this.#precision)
    const places = 2 ** CODE_BITS
    const size = this.#codeCount + (this.#hasZero ? 1 : 0)
    return Math.round(places * Math.log(places / (places - size)))
  }

  #addAnyCode(code: number): void {
    if (this.#registers === undefined) this.#addCode(code)
    else this.#raise(code)
  }

  #addCode(code: number): void {
    if (code === 0) {
      this.#hasZero = true
    } else {
      const codes = this.#codes!
      const at = placeOf(codes, code)
      if (codes[at] === code) return
      codes[at] = code
      this.#codeCount++
    }
    const size = this.#codeCount + (this.#hasZero ? 1 : 0)
    if (size > this.#codesMax) this.#toRegisters()
    else if (this.#codeCount > this.#codes!.length * MAX_LOAD) this.#grow()
  }

  #grow(): void {
    const larger = new Int32Array(this.#codes!.length * 2)
    for (const code of this.#codes!) if (code !== 0) larger[placeOf(larger, code)] = code
    this.#codes = larger
  }

  #eachCode(visit: (code: number) => void): void {
    if (this.#hasZero) visit(0)
    for (const code of this.#codes!) if (code !== 0) visit(code)
  }

  #toRegisters(): void {
    this.#registers = new Uint8Array(2 ** this.#precision)
    this.#eachCode((code) => this.#raise(code))
    this.#codes = undefined
  }

  #raise(code: number): void {
    const p = this.#precision
    let register: number
    let run: number
    if ((code & 1) === 1) {
      register = code >>> (32 - p)
      run = ((code >>> 1) & 63) + (CODE_BITS - p)
    } else {
      register = code >>> (CODE_BITS + 1 - p)
      run = 1 + Math.clz32(code << (31 - CODE_BITS + p))
    }
    if (run > this.#registers![register]!) this.#registers![register] = run
  }

  #addToRegisters(high: number, low: number): void {
    const p = this.#precision
    const register = high >>> (32 - p)
    const run = 1 + Math.min(leadingZeros((high << p) | (low >>> (32 - p)), low << p), 64 - p)
    if (run > this.#registers![register]!) this.#registers![register] = run
  }
}

/**
 * A hash in 32 bits: its first 25 bits and, if those after the register's index are all zero, the length of the run of
 * zeros after them, so that nothing is lost for the register.
 */
function encode(high: number, low: number, precision: number): number {
  const leading = high >>> (32 - CODE_BITS)
  if ((leading & ((1 << (CODE_BITS - precision)) - 1)) !== 0) return leading << 1
  const rest = leadingZeros((high << CODE_BITS) | (low >>> (32 - CODE_BITS)), low << CODE_BITS)
  const run = 1 + Math.min(rest, 64 - CODE_BITS)
  return (leading << 7) | (run << 1) | 1
}

function leadingZeros(high: number, low: number): number {
  return high !== 0 ? Math.clz32(high) : 32 + Math.clz32(low)
}

/** The length of the table is a power of two. */
function placeOf(table: Int32Array, code: number): number {
  const mask = table.length - 1
  let at = Math.imul(code, 0x9e3779b1) >>> (Math.clz32(table.length) + 1)
  while (table[at] !== 0 && table[at] !== code) at = (at + 1) & mask
  return at
}

/** From this many values on, by precision, the corrected estimate is more accurate than counting zero registers. */
const LINEAR_UP_TO = [10, 20, 40, 80, 220, 400, 900, 1800, 3100, 6500, 11500, 20000, 50000, 120000, 350000]

function estimate(registers: Uint8Array, precision: number): number {
  const m = registers.length
  const longest = 64 - precision + 1
  const histogram = new Int32Array(longest + 1)
  for (const run of registers) histogram[run] = histogram[run]! + 1
  let sum = 0
  for (let run = longest; run >= 0; run--) sum += histogram[run]! / 2 ** run
  const raw = (alpha(m) * m * m) / sum
  const corrected = Math.round(raw <= 5 * m ? raw - biasOf(raw, precision) : raw)
  const zeros = histogram[0]!
  const linear = zeros === 0 ? corrected : Math.round(m * Math.log(m / zeros))
  return linear <= LINEAR_UP_TO[precision - MIN_PRECISION]! ? linear : corrected
}

function alpha(m: number): number {
  return m === 16 ? 0.673 : m === 32 ? 0.697 : 0.7213 / (1 + 1.079 / m)
}

/** The bias of an estimate is the average over this many nearest measured estimates. */
const NEIGHBOURS = 6

/** Averages as Elasticsearch does: near the ends of its list, weights and estimates are not shifted alike. */
function biasOf(raw: number, precision: number): number {
  const measured = measuredEstimates(precision)
  const weights = new Float64Array(NEIGHBOURS)
  let first = measured.raw.length - NEIGHBOURS
  for (const [i, estimate] of measured.raw.entries()) {
    const weight = 1 / Math.abs(estimate - raw)
    if (weight === Number.POSITIVE_INFINITY) return measured.bias[i]!
    if (weights[i % NEIGHBOURS]! >= weight) {
      first = i - NEIGHBOURS
      break
    }
    weights[i % NEIGHBOURS] = weight
  }
  let weighted = 0
  let total = 0
  for (let i = 0; i < NEIGHBOURS; i++) {
    weighted += weights[i]! * measured.bias[first + i]!
    total += weights[i]!
  }
  return weighted / total
}
