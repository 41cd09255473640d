/** The names, members and super types that are visible to scripts of one context. */
import type { ContextName } from '../contexts/context.ts'
import { type ApiClass, type ApiField, type ApiMethod, apiClass, apiClassNames, apiShortName } from './api-lines.ts'

const FUNCTIONAL_METHOD = /^(accept|apply|applyAs\w+|test|get|getAs\w+|compare|adjustInto|queryFrom)$/
const OTHER_FUNCTIONAL = new Set([
  'java.util.Comparator',
  'java.time.temporal.TemporalAdjuster',
  'java.time.temporal.TemporalQuery',
])

const lookups = new Map<ContextName, Lookup>()

/** The lookup of a context. Lookups are kept because their tables are filled as scripts use classes. */
export function lookupFor(context: ContextName): Lookup {
  let lookup = lookups.get(context)
  if (lookup === undefined) {
    lookup = new Lookup(context)
    lookups.set(context, lookup)
  }
  return lookup
}

export class Lookup {
  readonly #context: ContextName
  readonly #names = new Map<string, string>()
  readonly #methods = new Map<string, ApiMethod | undefined>()

  constructor(context: ContextName) {
    this.#context = context
    for (const name of apiClassNames()) {
      const { shortName, contexts } = apiShortName(name)
      if (contexts !== undefined && !contexts.has(context)) continue
      this.#names.set(name, name)
      if (shortName !== undefined) this.#names.set(shortName, name)
    }
    this.#names.set('def', 'def')
  }

  /** The type that a name in a script denotes, arrays included. */
  type(name: string): string | undefined {
    const base = name.replace(/(\[\])+$/, '')
    const type = this.#names.get(base)
    if (type === undefined || (type === 'void' && base !== name)) return undefined
    return type + name.slice(base.length)
  }

  class(type: string): ApiClass | undefined {
    return this.#names.has(type) ? apiClass(type) : undefined
  }

  constructorOf(type: string, arity: number): ApiMethod | undefined {
    return this.#visible(this.class(type)?.constructors.get(arity))
  }

  staticMethod(type: string, name: string, arity: number): ApiMethod | undefined {
    return this.#visible(this.class(type)?.statics.get(`${name}/${arity}`))
  }

  /** A method of the type or of one of its super types. */
  method(type: string, name: string, arity: number): ApiMethod | undefined {
    const key = `${type} ${name}/${arity}`
    if (this.#methods.has(key)) return this.#methods.get(key)
    const method = this.#findMethod(type, `${name}/${arity}`)
    this.#methods.set(key, method)
    return method
  }

  #findMethod(type: string, key: string): ApiMethod | undefined {
    const own = this.class(type)
    if (own === undefined) return undefined
    for (const name of [type, ...own.supers, 'java.lang.Object']) {
      const method = this.#visible(this.class(name)?.methods.get(key))
      if (method !== undefined) return method
    }
    return undefined
  }

  /** The static type of `field('f')` is Field. A method of one of its implementations is found at run time. */
  hasDynamicMethod(type: string, name: string, arity: number): boolean {
    if (type !== 'org.elasticsearch.script.field.Field') return false
    return apiClassNames().some((own) => {
      const c = own.startsWith('org.elasticsearch.script.field.') ? this.class(own) : undefined
      return c?.supers.includes(type) && c.methods.has(`${name}/${arity}`)
    })
  }

  field(type: string, isStatic: boolean, name: string): ApiField | undefined {
    const own = this.class(type)
    if (own === undefined) return undefined
    if (isStatic) return this.#visible(own.staticFields.get(name))
    for (const owner of [type, ...own.supers]) {
      const field = this.#visible(this.class(owner)?.fields.get(name))
      if (field !== undefined) return field
    }
    return undefined
  }

  /** `getName()`, or `isName()`. */
  getter(type: string, name: string, isStatic: boolean): ApiMethod | undefined {
    const capital = capitalized(name)
    const find = (n: string) => (isStatic ? this.staticMethod(type, n, 0) : this.method(type, n, 0))
    return find(`get${capital}`) ?? find(`is${capital}`)
  }

  setter(type: string, name: string): ApiMethod | undefined {
    return this.method(type, `set${capitalized(name)}`, 1)
  }

  /** Whether a value of type `from` is a value of type `to` without a conversion. */
  isAssignable(from: string, to: string): boolean {
    if (from === to) return true
    if (isPrimitive(from) || isPrimitive(to)) return false
    if (to === 'java.lang.Object' || from === 'def' || to === 'def') return true
    if (from.endsWith('[]') || to.endsWith('[]'))
      return from.endsWith('[]') && to.endsWith('[]') && sameElements(from, to)
    return apiClass(from)?.supers.includes(to) ?? false
  }

  /** The single abstract method of a functional interface. */
  functionalMethod(type: string): ApiMethod | undefined {
    const own = this.class(type)
    if (own?.kind !== 'interface') return undefined
    if (!type.startsWith('java.util.function.') && !OTHER_FUNCTIONAL.has(type)) return undefined
    for (const name of [type, ...own.supers])
      for (const method of this.class(name)?.methods.values() ?? [])
        if (FUNCTIONAL_METHOD.test(method.name)) return method
    return undefined
  }

  #visible<T extends ApiMethod | ApiField>(member: T | undefined): T | undefined {
    return member?.contexts !== undefined && !member.contexts.has(this.#context) ? undefined : member
  }
}

const PRIMITIVE_TYPES = new Set(['boolean', 'byte', 'short', 'char', 'int', 'long', 'float', 'double', 'void'])

export const isPrimitive = (type: string): boolean => PRIMITIVE_TYPES.has(type)

function sameElements(from: string, to: string): boolean {
  const a = from.slice(0, -2)
  const b = to.slice(0, -2)
  return a === b || (!isPrimitive(a) && !isPrimitive(b) && b === 'java.lang.Object')
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
