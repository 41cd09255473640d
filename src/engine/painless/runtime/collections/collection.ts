/** The methods that all collections share. Subclasses implement iteration, size, add and removal. */
import { nullPointer, unsupportedOperation } from '../../errors/java-throwable.ts'
import { equals } from '../equality.ts'
import { JArray, type JFunction, type JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString, spendMemory, spendSteps } from '../limits.ts'
import { JIterable, make } from './iterable.ts'
import type { JList } from './list.ts'

/** Creates streams without an import of their module, which would be a cycle. */
export const streams: { of(values: Iterable<unknown>, size: (() => number) | undefined): JObject } = {
  of: () => {
    throw new Error('streams are not loaded')
  },
}

/** The maximum nesting of collections in a text. Java would overflow its stack. */
const TEXT_DEPTH_MAX = 500
let textDepth = 0

export abstract class JCollection extends JIterable {
  abstract size_0(): number

  add_1(_value: unknown): boolean {
    throw unsupportedOperation()
  }

  /** Removes the elements that satisfy the test. Returns whether there were any. */
  abstract removeWhere(test: (value: unknown) => boolean): boolean

  abstract clear_0(): void

  isEmpty_0(): boolean {
    return this.size_0() === 0
  }

  contains_1(value: unknown): boolean {
    for (const item of this) {
      spendSteps(1)
      if (equals(value, item)) return true
    }
    return false
  }

  containsAll_1(others: JCollection): boolean {
    for (const value of required(others)) if (!this.contains_1(value)) return false
    return true
  }

  addAll_1(others: JCollection): boolean {
    let changed = false
    for (const value of [...required(others)]) changed = this.add_1(value) || changed
    return changed
  }

  removeIf_1(test: JFunction): boolean {
    if (test === null) throw nullPointer()
    return this.removeWhere((value) => test.call(value))
  }

  removeAll_1(others: JCollection): boolean {
    required(others)
    return this.removeWhere((value) => others.contains_1(value))
  }

  retainAll_1(others: JCollection): boolean {
    required(others)
    return this.removeWhere((value) => !others.contains_1(value))
  }

  toArray_0(): JArray {
    spendMemory(this.size_0())
    return new JArray('def[]', [...this])
  }

  /** Fills the array, or a new one if it is too small. The element after the last one is set to null. */
  toArray_1(array: JArray): JArray {
    const { items } = array
    if (this.size_0() > items.length) return new JArray(array.type, [...this])
    let at = 0
    for (const value of this) items[at++] = value
    if (at < items.length) items[at] = null
    return array
  }

  stream_0(): JObject {
    return streams.of(this, () => this.size_0())
  }

  collect_1(map: JFunction): JList {
    const list = make.list([])
    for (const value of this) list.add_1(map.call(value))
    return list
  }

  collect_2(into: JCollection, map: JFunction): JCollection {
    for (const value of this) into.add_1(map.call(value))
    return into
  }

  find_1(test: JFunction): unknown {
    for (const value of this) if (test.call(value)) return value
    return null
  }

  findAll_1(test: JFunction): JList {
    const list = make.list([])
    for (const value of this) if (test.call(value)) list.add_1(value)
    return list
  }

  findResult_1(map: JFunction): unknown {
    return this.findResult_2(null, map)
  }

  findResult_2(fallback: unknown, map: JFunction): unknown {
    for (const value of this) {
      const result = map.call(value)
      if (result !== null) return result
    }
    return fallback
  }

  /** Splits the elements into two lists: those that satisfy the test and those that do not. */
  split_1(test: JFunction): JList {
    const matching = make.list([])
    const others = make.list([])
    for (const value of this) (test.call(value) ? matching : others).add_1(value)
    return make.list([matching, others])
  }

  override toString_0(): string {
    let text = '['
    let first = true
    if (++textDepth > TEXT_DEPTH_MAX) {
      textDepth = 0
      throw new RangeError('nested too deeply')
    }
    try {
      for (const value of this) {
        if (!first) text += ', '
        first = false
        text += value === this ? '(this Collection)' : textOf(value)
        checkString(1)
      }
    } finally {
      if (textDepth > 0) textDepth--
    }
    checkString(text.length)
    return `${text}]`
  }
}

function required(others: JCollection | null): JCollection {
  if (others === null) throw nullPointer()
  return others
}
