/** Lists with other class names than ArrayList, and lists of fixed size. */
import { arrayIndexOutOfBounds, unsupportedOperation } from '../../errors/java-throwable.ts'
import type { JArray, JFunction } from '../java-object.ts'
import { JArrayList, type JList } from './list.ts'

/** A list with another class name over an array. LinkedList and Vector differ in their additional methods. */
export class JNamedList extends JArrayList {
  readonly #class: string
  readonly #listed: string

  constructor(items: unknown[], name: string, listed = name) {
    super(items)
    this.#class = name
    this.#listed = listed
  }

  override get $class(): string {
    return this.#class
  }

  override get $listed(): string {
    return this.#listed
  }
}

/**
 * A list whose size cannot change. With `readOnly` its elements cannot change either. `refusal` is the message of the
 * error.
 */
export class JFixedList extends JNamedList {
  readonly #readOnly: boolean
  readonly #refusal: string | null

  constructor(items: unknown[], name: string, readOnly: boolean, refusal: string | null = null) {
    super(items, name, 'java.util.List')
    this.#readOnly = readOnly
    this.#refusal = refusal
  }

  override set_2(index: number, value: unknown): unknown {
    if (this.#readOnly) throw unsupportedOperation(this.#refusal)
    if (index < 0 || index >= this.items.length)
      throw arrayIndexOutOfBounds(`Index ${index} out of bounds for length ${this.items.length}`)
    return super.set_2(index, value)
  }

  override get_1(index: number): unknown {
    if (!this.#readOnly && (index < 0 || index >= this.items.length))
      throw arrayIndexOutOfBounds(`Index ${index} out of bounds for length ${this.items.length}`)
    return super.get_1(index)
  }

  override add_1(): boolean {
    throw unsupportedOperation(this.#refusal)
  }

  override add_2(): void {
    throw unsupportedOperation(this.#refusal)
  }

  override addAll_1(): boolean {
    throw unsupportedOperation(this.#refusal)
  }

  override addAll_2(): boolean {
    throw unsupportedOperation(this.#refusal)
  }

  override remove_1(): unknown {
    throw unsupportedOperation(this.#refusal)
  }

  override removeWhere(test: (value: unknown) => boolean): boolean {
    if (this.#readOnly || this.items.some(test)) throw unsupportedOperation(this.#refusal)
    return false
  }

  override clear_0(): void {
    if (this.#readOnly || this.items.length > 0) throw unsupportedOperation(this.#refusal)
  }

  override sort_1(order: JFunction | null): void {
    if (this.#readOnly) throw unsupportedOperation(this.#refusal)
    super.sort_1(order)
  }

  override replaceAll_1(map: JFunction): void {
    if (this.#readOnly) throw unsupportedOperation(this.#refusal)
    super.replaceAll_1(map)
  }
}

/** `Arrays.asList`: the list and the array share their elements. */
export const listOfArray = (array: JArray): JList => new JFixedList(array.items, 'java.util.Arrays$ArrayList', false)
