/** `Collections.unmodifiableCollection`: a view that cannot be changed. Unlike lists and sets it equals only itself. */
import { unsupportedOperation } from '../../errors/java-throwable.ts'
import { JCollection } from './collection.ts'

export class JReadOnlyCollection extends JCollection {
  readonly #source: JCollection

  constructor(source: JCollection) {
    super()
    this.#source = source
  }

  get $class(): string {
    return 'java.util.Collections$UnmodifiableCollection'
  }

  override get $listed(): string {
    return 'java.util.Collection'
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.#source[Symbol.iterator]()
  }

  size_0(): number {
    return this.#source.size_0()
  }

  override add_1(): boolean {
    throw unsupportedOperation()
  }

  override addAll_1(): boolean {
    throw unsupportedOperation()
  }

  remove_1(): boolean {
    throw unsupportedOperation()
  }

  removeWhere(): boolean {
    throw unsupportedOperation()
  }

  clear_0(): void {
    throw unsupportedOperation()
  }
}
