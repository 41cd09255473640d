/** The keys, values and entries of a map as collections. Removing an element removes it from the map. */
import { concurrentModification, unsupportedOperation } from '../../errors/java-throwable.ts'
import { equals, hashCode } from '../equality.ts'
import { JCollection } from './collection.ts'
import { JIterator } from './iterable.ts'
import type { JEntry, JMap } from './map.ts'

abstract class MapView extends JCollection {
  protected readonly map: JMap

  constructor(map: JMap) {
    super()
    this.map = map
  }

  protected abstract part(entry: JEntry): unknown

  [Symbol.iterator](): Iterator<unknown> {
    return this.#iterate()
  }

  *#iterate(): Generator<unknown> {
    const expected = this.map.changes
    for (const entry of this.map.entries()) {
      if (this.map.changes !== expected) throw concurrentModification()
      yield this.part(entry)
    }
  }

  override iterator_0(): JIterator {
    const entries = this.map.entries()
    let expected = this.map.changes
    let at = 0
    const check = () => {
      if (this.map.changes !== expected) throw concurrentModification()
    }
    return new MapIterator(
      () => {
        if (at >= entries.length) return { done: true, value: undefined }
        check()
        return { done: false, value: this.part(entries[at++]!) }
      },
      () => {
        check()
        this.map.remove_1(entries[at - 1]!.key)
        expected = this.map.changes
      },
      () => at < entries.length,
      this.map.$class,
    )
  }

  size_0(): number {
    return this.map.size_0()
  }

  clear_0(): void {
    this.map.clear_0()
  }

  override add_1(): boolean {
    throw unsupportedOperation()
  }

  removeWhere(test: (value: unknown) => boolean): boolean {
    const removed = this.map.entries().filter((entry) => test(this.part(entry)))
    for (const { key } of removed) this.map.remove_1(key)
    return removed.length > 0
  }

  /** A set view is equal to a set with the same elements. */
  protected setEquals(other: unknown): boolean {
    return other instanceof JCollection && isSet(other) && other.size_0() === this.size_0() && this.containsAll_1(other)
  }
}

/** An iterator over a map. As in Java, hasNext ignores concurrent changes and next fails. */
class MapIterator extends JIterator {
  readonly #more: () => boolean

  constructor(next: () => IteratorResult<unknown>, remove: () => void, more: () => boolean, name: string) {
    super(next, remove, `${name}$HashIterator`)
    this.#more = more
  }

  override hasNext_0(): boolean {
    return this.#more()
  }
}

export const isSet = (value: object): boolean => '$isSet' in value

export class MapKeys extends MapView {
  readonly $isSet = true

  get $class(): string {
    return `${this.map.$class}$KeySet`
  }

  override get $listed(): string {
    return 'java.util.Set'
  }

  protected part(entry: JEntry): unknown {
    return entry.key
  }

  override contains_1(value: unknown): boolean {
    return this.map.containsKey_1(value)
  }

  remove_1(value: unknown): boolean {
    const had = this.map.containsKey_1(value)
    this.map.remove_1(value)
    return had
  }

  override equals_1(other: unknown): boolean {
    return this === other || this.setEquals(other)
  }

  override hashCode_0(): number {
    let hash = 0
    for (const key of this) hash = (hash + hashCode(key)) | 0
    return hash
  }
}

export class MapValues extends MapView {
  get $class(): string {
    return `${this.map.$class}$Values`
  }

  override get $listed(): string {
    return 'java.util.Collection'
  }

  protected part(entry: JEntry): unknown {
    return entry.value
  }
}

export class MapEntries extends MapView {
  readonly $isSet = true

  get $class(): string {
    return `${this.map.$class}$EntrySet`
  }

  override get $listed(): string {
    return 'java.util.Set'
  }

  protected part(entry: JEntry): unknown {
    return entry
  }

  remove_1(value: unknown): boolean {
    const entry = this.map.entries().find((own) => equals(own, value))
    if (entry === undefined) return false
    this.map.remove_1(entry.key)
    return true
  }

  override equals_1(other: unknown): boolean {
    return this === other || this.setEquals(other)
  }

  override hashCode_0(): number {
    return this.map.hashCode_0()
  }
}
