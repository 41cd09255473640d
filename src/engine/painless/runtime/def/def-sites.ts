/** Calls and member access on def: the class of the value decides, once per class. */
import type { ApiMethod } from '../../api/api-lines.ts'
import type { Lookup } from '../../api/lookup.ts'
import { illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import { toDef } from '../boxing.ts'
import { classOf, listedClassOf } from '../class-of.ts'
import { listItem, mapItem, setListItem, setMapItem } from '../collections/access.ts'
import { JList } from '../collections/list.ts'
import { JMap } from '../collections/map.ts'
import { Deferred } from '../functions/deferred.ts'
import { invoke } from '../invoke.ts'
import { JArray } from '../java-object.ts'
import { asParameter, checkStaticTypes } from './def-convert.ts'

const nullReference = (name: string) => nullPointer(`cannot access method/field [${name}] from a null def reference`)

const shownClass = (value: unknown) => classOf(value).replaceAll('$', '.')

/** Primitives' classes are told apart by name; a null reference has none. */
function keyOf(value: unknown): string {
  return value instanceof JArray ? value.type : listedClassOf(value)
}

/** A method call on def. */
export class DefCallSite {
  readonly #lookup: Lookup
  readonly #name: string
  readonly #argTypes: readonly string[]
  #class = ''
  #method: ApiMethod | undefined
  #key: string

  constructor(lookup: Lookup, name: string, argTypes: readonly string[]) {
    this.#lookup = lookup
    this.#name = name
    this.#argTypes = argTypes
    this.#key = `${name}_${argTypes.length}`
  }

  #resolve(target: unknown): ApiMethod {
    if (target === null || target === undefined) throw nullReference(this.#name)
    const name = keyOf(target)
    if (name === this.#class) return this.#method!
    const method = this.#lookup.method(name, this.#name, this.#argTypes.length)
    if (method === undefined)
      throw illegalArgument(`dynamic method [${shownClass(target)}, ${this.#name}/${this.#argTypes.length}] not found`)
    const known = this.#argTypes.map((type) => (type.startsWith('java.util.function') ? 'def' : type))
    checkStaticTypes(method, method.owner, known, this.#lookup)
    this.#class = name
    this.#method = method
    return method
  }

  call0(target: unknown, _position: number): unknown {
    const method = this.#resolve(target)
    return toDef(invoke(target, this.#key, []), method.returns)
  }

  call1(target: unknown, _position: number, a: unknown): unknown {
    const method = this.#resolve(target)
    return toDef(invoke(target, this.#key, [this.#argument(method, 0, a)]), method.returns)
  }

  call2(target: unknown, position: number, a: unknown, b: unknown): unknown {
    return this.callN(target, position, a, b)
  }

  call3(target: unknown, position: number, a: unknown, b: unknown, c: unknown): unknown {
    return this.callN(target, position, a, b, c)
  }

  callN(target: unknown, _position: number, ...args: unknown[]): unknown {
    const method = this.#resolve(target)
    const values = args.map((arg, i) => this.#argument(method, i, arg))
    return toDef(invoke(target, this.#key, values), method.returns)
  }

  #argument(method: ApiMethod, i: number, value: unknown): unknown {
    const type = method.params[i]!
    if (type === 'def' && !(value instanceof Deferred)) return value
    return asParameter(value, type, this.#lookup)
  }
}

/** Reads and writes `x.name` on def. */
export class DefFieldSite {
  readonly #lookup: Lookup
  readonly #name: string
  #class = ''
  #getter: ApiMethod | undefined

  constructor(lookup: Lookup, name: string) {
    this.#lookup = lookup
    this.#name = name
  }

  get(target: unknown, position: number): unknown {
    const name = this.#name
    if (target === null || target === undefined) throw nullReference(name)
    if (target instanceof JMap) {
      // A map may have getters of its own (`empty`), which come before its keys.
      return this.#getterOf(target) === undefined ? mapItem(target, name) : this.#callGetter(target)
    }
    if (target instanceof JArray) {
      if (name === 'length') return target.items.length
      throw illegalArgument(`dynamic getter [${shownClass(target)}, ${name}] not found`)
    }
    if (this.#getterOf(target) !== undefined) return this.#callGetter(target)
    const field = this.#lookup.field(listedClassOf(target), false, name)
    if (field !== undefined)
      return toDef((target as { fieldValue(name: string): unknown }).fieldValue(name), field.type)
    if (target instanceof JList) return listItem(target, this.#listIndex(), position)
    throw illegalArgument(`dynamic getter [${shownClass(target)}, ${name}] not found`)
  }

  #getterOf(target: unknown): ApiMethod | undefined {
    const key = keyOf(target)
    if (key !== this.#class) {
      this.#class = key
      this.#getter = this.#lookup.getter(key, this.#name, false)
    }
    return this.#getter
  }

  #callGetter(target: unknown): unknown {
    const getter = this.#getter!
    return toDef(invoke(target, `${getter.name}_0`, []), getter.returns)
  }

  #listIndex(): number {
    if (!/^\d+$/.test(this.#name)) throw illegalArgument(`Illegal list shortcut value [${this.#name}].`)
    return Number(this.#name)
  }

  set(target: unknown, value: unknown, position: number): unknown {
    const name = this.#name
    if (target === null || target === undefined) throw nullReference(name)
    const setter = this.#lookup.setter(keyOf(target), name)
    if (setter !== undefined) {
      invoke(target, `${setter.name}_1`, [asParameter(value, setter.params[0]!, this.#lookup)])
      return value
    }
    if (target instanceof JMap) return setMapItem(target, name, value)
    if (target instanceof JList) return setListItem(target, this.#listIndex(), value, position)
    throw illegalArgument(`dynamic setter [${shownClass(target)}, ${name}] not found`)
  }
}
