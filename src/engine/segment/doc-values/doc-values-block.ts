/**
 * Reads many values at once. `gather…` functions copy the values of the given slots out of the array of doc values.
 * There is one loop per array width, because a loop that has seen two kinds of arrays runs at half the speed for both.
 */

import { ORDINALS, ordinalKernel } from '../../kernels/ordinal-kernel.ts'
import { sliceKernel } from '../../kernels/slice-kernel.ts'
import type { OrdinalBlock, PointBlock, SortedSetDocValues, ValueBlock } from '../segment-reader-api.ts'
import type { NumberArray, NumberEncoding } from './number-codec.ts'

/** Documents per block unless another number is given: those of a search window. */
const BLOCK_DOCS = 4096

/** The offsets of documents that have one value each. Not to be changed. */
export const ONE_EACH: Int32Array = Int32Array.from({ length: BLOCK_DOCS + 1 }, (_, i) => i)

export function newValueBlock(docs = BLOCK_DOCS): ValueBlock {
  return { offsets: new Int32Array(docs + 1), values: new Float64Array(docs) }
}

export function newOrdinalBlock(docs = BLOCK_DOCS): OrdinalBlock {
  return { offsets: new Int32Array(docs + 1), ordinals: new Int32Array(docs) }
}

export function newPointBlock(docs = BLOCK_DOCS): PointBlock {
  return { offsets: new Int32Array(docs + 1), latitudes: new Int32Array(docs), longitudes: new Int32Array(docs) }
}

/** The array of values, with room for `count`. */
export function fitValues(block: ValueBlock, count: number): Float64Array {
  if (block.values.length < count) block.values = new Float64Array(count * 2)
  return block.values
}

export function fitOrdinals(block: OrdinalBlock, count: number): Int32Array {
  if (block.ordinals.length < count) block.ordinals = new Int32Array(count * 2)
  return block.ordinals
}

/** Fills a block value by value, for doc values that are not arrays. */
export function readOrdinals(docValues: SortedSetDocValues, docs: Int32Array, count: number, into: OrdinalBlock): void {
  let found = 0
  into.offsets[0] = 0
  for (let i = 0; i < count; i++) {
    found += docValues.end(docs[i]!) - docValues.start(docs[i]!)
    into.offsets[i + 1] = found
  }
  const ordinals = fitOrdinals(into, found)
  let at = 0
  for (let i = 0; i < count; i++) {
    const end = docValues.end(docs[i]!)
    for (let slot = docValues.start(docs[i]!); slot < end; slot++) ordinals[at++] = docValues.ordinalAt(slot)
  }
}

export function fitPoints(block: PointBlock, count: number): void {
  if (block.latitudes.length >= count) return
  block.latitudes = new Int32Array(count * 2)
  block.longitudes = new Int32Array(count * 2)
}

export function gatherNumbers(
  { width, base, step }: NumberEncoding,
  stored: NumberArray,
  slots: Int32Array,
  count: number,
  out: Float64Array,
): void {
  switch (width) {
    case 'zero':
      out.fill(base, 0, count)
      return
    case 'u8':
      numbersFromBytes(stored as Uint8Array, slots, count, base, step, out)
      return
    case 'u16':
      numbersFromShorts(stored as Uint16Array, slots, count, base, step, out)
      return
    case 'u32':
      numbersFromInts(stored as Uint32Array, slots, count, base, step, out)
      return
    case 'f64':
      numbersFromDoubles(stored as Float64Array, slots, count, out)
      return
    case 'i64':
      for (let i = 0; i < count; i++) out[i] = Number((stored as BigInt64Array)[slots[i]!]!)
  }
}

/** Fewer values are not worth copying them into the kernel's memory. */
const KERNEL_VALUES = 256

/** The values of the slots [from, from + count), in `out` unless they are stored as doubles. Not for 64-bit integers. */
export function sliceNumbers(
  { width, base, step }: NumberEncoding,
  stored: NumberArray,
  from: number,
  count: number,
  out: Float64Array,
): Float64Array {
  if (width === 'u8' || width === 'u16' || width === 'u32') {
    const kernel = count < KERNEL_VALUES ? undefined : sliceKernel(count)
    if (kernel !== undefined) {
      kernel.decode(width, stored as Uint8Array | Uint16Array | Uint32Array, from, count, base, step, out)
      return out
    }
  }
  switch (width) {
    case 'u8':
      sliceBytes(stored as Uint8Array, from, count, base, step, out)
      return out
    case 'u16':
      sliceShorts(stored as Uint16Array, from, count, base, step, out)
      return out
    case 'u32':
      sliceInts(stored as Uint32Array, from, count, base, step, out)
      return out
    case 'f64':
      return (stored as Float64Array).subarray(from, from + count)
    default:
      return out.fill(base, 0, count)
  }
}

/** Like `gatherNumbers`, for doc values that fit signed 32-bit integers. */
export function gatherIntegers(
  { width, base, step }: NumberEncoding,
  stored: NumberArray,
  slots: Int32Array,
  count: number,
  out: Int32Array,
): void {
  switch (width) {
    case 'zero':
      out.fill(base, 0, count)
      return
    case 'u8':
      integersFromBytes(stored as Uint8Array, slots, count, base, step, out)
      return
    case 'u16':
      integersFromShorts(stored as Uint16Array, slots, count, base, step, out)
      return
    default:
      integersFromInts(stored as Uint32Array, slots, count, base, step, out)
  }
}

/** The ordinals of the slots [from, from + count). They are stored as they are, because each of them occurs. */
export function sliceOrdinals(
  { width, base }: NumberEncoding,
  stored: NumberArray,
  from: number,
  count: number,
  out: Int32Array,
): void {
  if (width === 'zero') out.fill(base, 0, count)
  else if (width === 'u32') out.set(new Int32Array(stored.buffer, stored.byteOffset + from * 4, count))
  else {
    const kernel = count < KERNEL_VALUES || count > ORDINALS ? undefined : ordinalKernel(count)
    if (kernel !== undefined) kernel.widen(stored as Uint8Array | Uint16Array, from, count, out)
    else for (let i = 0; i < count; i++) out[i] = (stored as Uint8Array | Uint16Array)[from + i]!
  }
}

function numbersFromBytes(
  stored: Uint8Array,
  slots: Int32Array,
  count: number,
  base: number,
  step: number,
  out: Float64Array,
): void {
  for (let i = 0; i < count; i++) out[i] = base + step * stored[slots[i]!]!
}

function numbersFromShorts(
  stored: Uint16Array,
  slots: Int32Array,
  count: number,
  base: number,
  step: number,
  out: Float64Array,
): void {
  for (let i = 0; i < count; i++) out[i] = base + step * stored[slots[i]!]!
}

function numbersFromInts(
  stored: Uint32Array,
  slots: Int32Array,
  count: number,
  base: number,
  step: number,
  out: Float64Array,
): void {
  for (let i = 0; i < count; i++) out[i] = base + step * stored[slots[i]!]!
}

function numbersFromDoubles(stored: Float64Array, slots: Int32Array, count: number, out: Float64Array): void {
  for (let i = 0; i < count; i++) out[i] = stored[slots[i]!]!
}

function sliceBytes(
  stored: Uint8Array,
  from: number,
  count: number,
  base: number,
  step: number,
  out: Float64Array,
): void {
  for (let i = 0; i < count; i++) out[i] = base + step * stored[from + i]!
}

function sliceShorts(
  stored: Uint16Array,
  from: number,
  count: number,
  base: number,
  step: number,
  out: Float64Array,
): void {
  for (let i = 0; i < count; i++) out[i] = base + step * stored[from + i]!
}

function sliceInts(
  stored: Uint32Array,
  from: number,
  count: number,
  base: number,
  step: number,
  out: Float64Array,
): void {
  for (let i = 0; i < count; i++) out[i] = base + step * stored[from + i]!
}

function integersFromBytes(
  stored: Uint8Array,
  slots: Int32Array,
  count: number,
  base: number,
  step: number,
  out: Int32Array,
): void {
  for (let i = 0; i < count; i++) out[i] = base + step * stored[slots[i]!]!
}

function integersFromShorts(
  stored: Uint16Array,
  slots: Int32Array,
  count: number,
  base: number,
  step: number,
  out: Int32Array,
): void {
  for (let i = 0; i < count; i++) out[i] = base + step * stored[slots[i]!]!
}

function integersFromInts(
  stored: Uint32Array,
  slots: Int32Array,
  count: number,
  base: number,
  step: number,
  out: Int32Array,
): void {
  for (let i = 0; i < count; i++) out[i] = base + step * stored[slots[i]!]!
}
