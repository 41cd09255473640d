/** Java arrays: creation and access. Negative indices count from the end. */

import { arrayIndexOutOfBounds, negativeArraySize, nullPointer } from '../errors/java-throwable.ts'
import { defaultItem } from './default-item.ts'
import { JArray } from './java-object.ts'
import { spendMemory } from './limits.ts'

export function arrayOf(type: string, items: unknown[]): JArray {
  spendMemory(items.length)
  return new JArray(type, items)
}

/** Creates an array. `new int[2][3]` has one size per given dimension. */
export function newArray(type: string, sizes: readonly number[]): JArray {
  const [size, ...rest] = sizes
  if (size! < 0) throw negativeArraySize(String(size))
  spendMemory(size!)
  const element = type.slice(0, -2)
  if (rest.length === 0) return new JArray(type, new Array(size!).fill(defaultItem(element)))
  return new JArray(
    type,
    Array.from({ length: size! }, () => newArray(element, rest)),
  )
}

function place(array: JArray | null, index: number, verb: string): number {
  if (array === null) throw nullPointer(`Cannot ${verb} because "<local1>" is null`)
  const { length } = array.items
  const at = index < 0 ? index + length : index
  if (at < 0 || at >= length) throw arrayIndexOutOfBounds(`Index ${at} out of bounds for length ${length}`)
  return at
}

const kind = (array: JArray | null, element = array?.element ?? 'object') =>
  /^[a-z]+$/.test(element) ? element : 'object'

export function elementAt(array: JArray | null, index: number, _position?: number): unknown {
  const at = place(array, index, `load from ${kind(array)} array`)
  return array!.items[at]
}

export function setElement(array: JArray | null, index: number, value: unknown, _position?: number): unknown {
  const at = place(array, index, `store to ${kind(array)} array`)
  array!.items[at] = value
  return value
}

export function arrayLength(array: JArray | null, _position?: number): number {
  if (array === null) throw nullPointer('Cannot read the array length because "<local1>" is null')
  return array.items.length
}
