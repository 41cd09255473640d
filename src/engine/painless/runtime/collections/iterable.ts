/** Iterables and iterators with the methods Painless adds to them. */
import { illegalState, noSuchElement, nullPointer, unsupportedOperation } from '../../errors/java-throwable.ts'
import { defTo_double } from '../boxing.ts'
import { castFailure, isInstance } from '../class-of.ts'
import { type JFunction, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString, spendSteps } from '../limits.ts'
import type { JList } from './list.ts'
import type { JMap } from './map.ts'

/** Creates collections without an import of their modules, which extend this one. */
export const make: { list(items: unknown[]): JList; hashMap(linked?: boolean): JMap } = {
  list: () => {
    throw new Error('collections are not loaded')
  },
  hashMap: () => {
    throw new Error('collections are not loaded')
  },
}

export class JIterator extends JObject {
  readonly #next: () => IteratorResult<unknown>
  readonly #remove: (() => void) | undefined
  readonly #class: string
  #ahead: IteratorResult<unknown> | undefined
  #removable = false

  /** `remove` removes the element that was returned last. */
  constructor(next: () => IteratorResult<unknown>, remove?: () => void, name = 'java.util.Iterator') {
    super()
    this.#next = next
    this.#remove = remove
    this.#class = name
  }

  override get $class(): string {
    return this.#class
  }

  override get $listed(): string {
    return 'java.util.Iterator'
  }

  hasNext_0(): boolean {
    this.#ahead ??= this.#next()
    return this.#ahead.done !== true
  }

  next_0(): unknown {
    const result = this.#ahead ?? this.#next()
    this.#ahead = undefined
    if (result.done === true) throw noSuchElement()
    this.#removable = true
    return result.value
  }

  remove_0(): void {
    if (this.#remove === undefined) throw unsupportedOperation('remove')
    if (!this.#removable) throw illegalState()
    this.#removable = false
    this.#remove()
  }

  forEachRemaining_1(action: JFunction): void {
    while (this.hasNext_0()) action.call(this.next_0())
  }
}

export function iteratorFrom(values: Iterable<unknown>, name?: string): JIterator {
  const iterator = values[Symbol.iterator]()
  return new JIterator(() => iterator.next(), undefined, name)
}

export abstract class JIterable extends JObject {
  abstract [Symbol.iterator](): Iterator<unknown>

  iterator_0(): JIterator {
    return iteratorFrom(this)
  }

  forEach_1(action: JFunction): void {
    for (const value of this) {
      spendSteps(1)
      action.call(value)
    }
  }

  any_1(test: JFunction): boolean {
    for (const value of this) if (test.call(value)) return true
    return false
  }

  every_1(test: JFunction): boolean {
    for (const value of this) if (!test.call(value)) return false
    return true
  }

  asList_0(): JObject {
    return make.list([...this])
  }

  asCollection_0(): JObject {
    return this.asList_0()
  }

  each_1(action: JFunction): unknown {
    this.forEach_1(action)
    return this
  }

  eachWithIndex_1(action: JFunction): unknown {
    let i = 0
    for (const value of this) action.call(value, i++)
    return this
  }

  findResults_1(map: JFunction): JList {
    const found: unknown[] = []
    for (const value of this) {
      const result = map.call(value)
      if (result !== null) found.push(result)
    }
    return make.list(found)
  }

  groupBy_1(key: JFunction): JMap {
    const groups = make.hashMap(true)
    for (const value of this) {
      const name = key.call(value)
      let group = groups.get_1(name) as JList | null
      if (group === null) groups.put_2(name, (group = make.list([])))
      group.add_1(value)
    }
    return groups
  }

  join_1(separator: string): string {
    let text = ''
    let first = true
    for (const value of this) {
      text += first ? textOf(value) : separator + textOf(value)
      first = false
    }
    checkString(text.length)
    return text
  }

  sum_0(): number {
    let sum = 0
    for (const value of this) sum += numberOf(value)
    return sum
  }

  sum_1(map: JFunction): number {
    let sum = 0
    for (const value of this) sum += map.call(value)
    return sum
  }
}

function numberOf(value: unknown): number {
  if (value === null) throw nullPointer('Cannot invoke "java.lang.Number.doubleValue()" because "t" is null')
  if (!isInstance(value, 'java.lang.Number')) throw castFailure(value, 'java.lang.Number')
  return defTo_double(value, true)
}
