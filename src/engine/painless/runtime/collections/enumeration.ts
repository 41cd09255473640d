/** java.util.Enumeration over the elements of a collection. */
import { JObject } from '../java-object.ts'
import type { JIterable, JIterator } from './iterable.ts'

export class JEnumeration extends JObject {
  readonly #elements: JIterator

  constructor(elements: JIterable) {
    super()
    this.#elements = elements.iterator_0()
  }

  get $class(): string {
    return 'java.util.Enumeration'
  }

  hasMoreElements_0(): boolean {
    return this.#elements.hasNext_0()
  }

  nextElement_0(): unknown {
    return this.#elements.next_0()
  }
}
