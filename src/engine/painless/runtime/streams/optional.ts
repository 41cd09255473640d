/** Optional and its primitive forms. */
import { JavaThrowable, noSuchElement, nullPointer } from '../../errors/java-throwable.ts'
import { toDef } from '../boxing.ts'
import { castFailure, checkInstance } from '../class-of.ts'
import { equals, hashCode } from '../equality.ts'
import { type JFunction, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { registerStatics } from '../registry.ts'

const TYPES: Readonly<Record<string, string>> = { Int: 'int', Long: 'long', Double: 'double' }

/**
 * `kind` is empty for Optional, or Int, Long or Double for the primitive forms, whose value is an unboxed primitive.
 */
export class JOptional extends JObject {
  readonly kind: string
  readonly value: unknown
  readonly present: boolean

  constructor(kind: string, present: boolean, value?: unknown) {
    super()
    this.kind = kind
    this.present = present
    this.value = value
  }

  get $class(): string {
    return `java.util.Optional${this.kind}`
  }

  #get(): unknown {
    if (!this.present) throw noSuchElement('No value present')
    return this.value
  }

  get_0(): unknown {
    return this.#get()
  }

  getAsInt_0(): unknown {
    return this.#get()
  }

  getAsLong_0(): unknown {
    return this.#get()
  }

  getAsDouble_0(): unknown {
    return this.#get()
  }

  isPresent_0(): boolean {
    return this.present
  }

  orElse_1(other: unknown): unknown {
    return this.present ? this.value : other
  }

  orElseGet_1(supplier: JFunction): unknown {
    return this.present ? this.value : supplier.call()
  }

  orElseThrow_1(supplier: JFunction): unknown {
    if (!this.present) throw thrown(supplier.call())
    return this.value
  }

  ifPresent_1(action: JFunction): void {
    if (this.present) action.call(this.value)
  }

  filter_1(test: JFunction): JOptional {
    return !this.present || test.call(this.value) ? this : EMPTY
  }

  map_1(map: JFunction): JOptional {
    return this.present ? optionalOf(map.call(this.value)) : EMPTY
  }

  flatMap_1(map: JFunction): JOptional {
    return this.present ? required(checkInstance(map.call(this.value), 'java.util.Optional')) : EMPTY
  }

  #boxed(): unknown {
    return this.kind === '' ? this.value : toDef(this.value, TYPES[this.kind]!)
  }

  override equals_1(other: unknown): boolean {
    return (
      other instanceof JOptional &&
      other.kind === this.kind &&
      other.present === this.present &&
      equals(this.#boxed(), other.#boxed())
    )
  }

  override hashCode_0(): number {
    return this.present ? hashCode(this.#boxed()) : 0
  }

  override toString_0(): string {
    const name = `Optional${this.kind}`
    return this.present ? `${name}[${textOf(this.#boxed())}]` : `${name}.empty`
  }
}

function thrown(error: unknown): JavaThrowable {
  if (error instanceof JavaThrowable) return error
  if (error !== null) return castFailure(error, 'java.lang.Throwable')
  const supplied = 'the return value of "java.util.function.Supplier.get()"'
  return nullPointer(`Cannot throw exception because ${supplied} is null`)
}

function required(value: JOptional | null): JOptional {
  if (value === null) throw nullPointer()
  return value
}

export const EMPTY = new JOptional('', false)

export const optionalOf = (value: unknown): JOptional => (value === null ? EMPTY : new JOptional('', true, value))

registerStatics('java.util.Optional', {
  empty_0: () => EMPTY,
  of_1: (value: unknown) => {
    if (value === null) throw nullPointer()
    return optionalOf(value)
  },
  ofNullable_1: optionalOf,
})
for (const kind of ['Int', 'Long', 'Double'])
  registerStatics(`java.util.Optional${kind}`, {
    empty_0: () => new JOptional(kind, false),
    of_1: (value: unknown) => new JOptional(kind, true, value),
  })
