/** Calls and member access on def. The method is resolved by the class of the value, once per class. */
import type { ApiMethod } from '../../api/api-lines.ts'
import type { Lookup } from '../../api/lookup.ts'
import { illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import { toDef } from '../boxing.ts'
import { classOf, listedClassOf } from '../class-of.ts'
import { listItem, mapItem, setListItem, setMapItem } from '../collections/access.ts'
import { JList } from '../collections/list.ts'
import { JMap } from '../collections/map.ts'
import { Deferred } from '../functions/deferred.ts'
import { invoke, methodOf } from '../invoke.ts'
import { JArray, JObject } from '../java-object.ts'
import type { Implementation } from '../registry.ts'
import { asParameter, checkStaticTypes } from './def-convert.ts'

const nullReference = (name: string) => nullPointer(`cannot access method/field [${name}] from a null def reference`)

const shownClass = (value: unknown) => classOf(value).replaceAll('$', '.')

/** The cache key of a value: primitives by class name; null has none. */
function keyOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'java.lang.String'
    case 'number':
      return 'java.lang.Integer'
    case 'bigint':
      return 'java.lang.Long'
    case 'boolean':
      return 'java.lang.Boolean'
  }
  return value instanceof JArray ? value.type : listedClassOf(value)
}

type Methods = Record<string, Implementation | undefined>

/** The resolved call for the class of the last receiver. */
interface Bound {
  readonly method: ApiMethod
  /** For receivers that are not JObjects: the function that takes the receiver as first argument. */
  readonly implementation: Implementation | undefined
}

function bind(target: unknown, key: string, method: ApiMethod): Bound {
  return { method, implementation: target instanceof JObject ? undefined : methodOf(target, key) }
}

/** A method call on def. */
export class DefCallSite {
  readonly #lookup: Lookup
  readonly #name: string
  readonly #argTypes: readonly string[]
  readonly #key: string
  #class = ''
  #bound: Bound | undefined

  constructor(lookup: Lookup, name: string, argTypes: readonly string[]) {
    this.#lookup = lookup
    this.#name = name
    this.#argTypes = argTypes
    this.#key = `${name}_${argTypes.length}`
  }

  #resolve(target: unknown): Bound {
    if (target === null || target === undefined) throw nullReference(this.#name)
    const name = keyOf(target)
    return name === this.#class ? this.#bound! : this.#find(target, name)
  }

  #find(target: unknown, name: string): Bound {
    const method = this.#lookup.method(name, this.#name, this.#argTypes.length)
    if (method === undefined)
      throw illegalArgument(`dynamic method [${shownClass(target)}, ${this.#name}/${this.#argTypes.length}] not found`)
    const known = this.#argTypes.map((type) => (type.startsWith('java.util.function') ? 'def' : type))
    checkStaticTypes(method, method.owner, known, this.#lookup)
    this.#class = name
    this.#bound = bind(target, this.#key, method)
    return this.#bound
  }

  call0(target: unknown, _position: number): unknown {
    const { method, implementation } = this.#resolve(target)
    if (implementation !== undefined) return toDef(implementation(target), method.returns)
    const own = (target as Methods)[this.#key]
    return toDef(own === undefined ? invoke(target, this.#key, []) : own.call(target), method.returns)
  }

  call1(target: unknown, _position: number, a: unknown): unknown {
    const { method, implementation } = this.#resolve(target)
    const first = this.#argument(method, 0, a)
    if (implementation !== undefined) return toDef(implementation(target, first), method.returns)
    const own = (target as Methods)[this.#key]
    return toDef(own === undefined ? invoke(target, this.#key, [first]) : own.call(target, first), method.returns)
  }

  call2(target: unknown, _position: number, a: unknown, b: unknown): unknown {
    const { method, implementation } = this.#resolve(target)
    const first = this.#argument(method, 0, a)
    const second = this.#argument(method, 1, b)
    if (implementation !== undefined) return toDef(implementation(target, first, second), method.returns)
    return toDef(invoke(target, this.#key, [first, second]), method.returns)
  }

  call3(target: unknown, position: number, a: unknown, b: unknown, c: unknown): unknown {
    return this.callN(target, position, a, b, c)
  }

  callN(target: unknown, _position: number, ...args: unknown[]): unknown {
    const { method } = this.#resolve(target)
    const values = args.map((arg, i) => this.#argument(method, i, arg))
    return toDef(invoke(target, this.#key, values), method.returns)
  }

  #argument(method: ApiMethod, i: number, value: unknown): unknown {
    const type = method.params[i]!
    if (type === 'def' && !(value instanceof Deferred)) return value
    if (typeof value === 'string' && (type === 'java.lang.String' || type === 'java.lang.CharSequence')) return value
    if (typeof value === 'number' && type === 'int') return value
    return asParameter(value, type, this.#lookup)
  }
}

/** Reads and writes `x.name` on def. */
export class DefFieldSite {
  readonly #lookup: Lookup
  readonly #name: string
  #class = ''
  #key = ''
  #bound: Bound | undefined
  /** The class of the last value that was written to, and its setter. */
  #written = ''
  #setter: ApiMethod | undefined

  constructor(lookup: Lookup, name: string) {
    this.#lookup = lookup
    this.#name = name
  }

  get(target: unknown, position: number): unknown {
    const name = this.#name
    if (target === null || target === undefined) throw nullReference(name)
    if (target instanceof JArray) {
      if (name === 'length') return target.items.length
      throw illegalArgument(`dynamic getter [${shownClass(target)}, ${name}] not found`)
    }
    // Getters of a map (`empty`) take precedence over its keys.
    const getter = this.#getterOf(target)
    if (getter !== undefined) return this.#callGetter(target, getter)
    if (target instanceof JMap) return mapItem(target, name)
    const field = this.#lookup.field(listedClassOf(target), false, name)
    if (field !== undefined)
      return toDef((target as { fieldValue(name: string): unknown }).fieldValue(name), field.type)
    if (target instanceof JList) return listItem(target, this.#listIndex(), position)
    throw illegalArgument(`dynamic getter [${shownClass(target)}, ${name}] not found`)
  }

  #getterOf(target: unknown): Bound | undefined {
    const name = keyOf(target)
    if (name !== this.#class) {
      this.#class = name
      const getter = this.#lookup.getter(name, this.#name, false)
      this.#key = getter === undefined ? '' : `${getter.name}_0`
      this.#bound = getter && bind(target, this.#key, getter)
    }
    return this.#bound
  }

  #callGetter(target: unknown, { method, implementation }: Bound): unknown {
    if (implementation !== undefined) return toDef(implementation(target), method.returns)
    const own = (target as Methods)[this.#key]
    return toDef(own === undefined ? invoke(target, this.#key, []) : own.call(target), method.returns)
  }

  #listIndex(): number {
    if (!/^\d+$/.test(this.#name)) throw illegalArgument(`Illegal list shortcut value [${this.#name}].`)
    return Number(this.#name)
  }

  #setterOf(target: unknown): ApiMethod | undefined {
    const name = keyOf(target)
    if (name !== this.#written) {
      this.#written = name
      this.#setter = this.#lookup.setter(name, this.#name)
    }
    return this.#setter
  }

  set(target: unknown, value: unknown, position: number): unknown {
    const name = this.#name
    if (target === null || target === undefined) throw nullReference(name)
    const setter = this.#setterOf(target)
    if (setter !== undefined) {
      invoke(target, `${setter.name}_1`, [asParameter(value, setter.params[0]!, this.#lookup)])
      return value
    }
    if (target instanceof JMap) return setMapItem(target, name, value)
    if (target instanceof JList) return setListItem(target, this.#listIndex(), value, position)
    throw illegalArgument(`dynamic setter [${shownClass(target)}, ${name}] not found`)
  }
}
