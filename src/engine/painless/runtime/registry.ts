/** The registry of library implementations: static methods, constructors, static fields, methods of primitives. */

// biome-ignore lint/suspicious/noExplicitAny: signatures are those of the allow-list
export type Implementation = (...args: any[]) => any

const statics = new Map<string, Implementation>()
const constructors = new Map<string, Implementation>()
const fields = new Map<string, { value: unknown }>()

/** Registers static methods. Keys are `name_arity`. */
export function registerStatics(owner: string, methods: Readonly<Record<string, Implementation>>): void {
  for (const [key, implementation] of Object.entries(methods)) statics.set(`${owner} ${key}`, implementation)
}

export function registerConstructors(owner: string, byArity: Record<number, Implementation>): void {
  for (const [arity, implementation] of Object.entries(byArity)) constructors.set(`${owner} ${arity}`, implementation)
}

export function registerFields(owner: string, values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) fields.set(`${owner} ${name}`, { value })
}

/** Static methods of classes that other modules implement, until a script uses the class. */
const providers = new Map<string, () => Readonly<Record<string, Implementation>>>()

/** Names the static methods of a class without loading them. `methods` is called when a script first uses the class. */
export function provideStatics(owner: string, methods: () => Readonly<Record<string, Implementation>>): void {
  providers.set(owner, methods)
}

export function staticMethod(owner: string, name: string, arity: number): Implementation | undefined {
  const provider = providers.get(owner)
  if (provider !== undefined) {
    providers.delete(owner)
    registerStatics(owner, provider())
  }
  return statics.get(`${owner} ${name}_${arity}`)
}

export const constructorOf = (owner: string, arity: number): Implementation | undefined =>
  constructors.get(`${owner} ${arity}`)

export const staticField = (owner: string, name: string): { value: unknown } | undefined =>
  fields.get(`${owner} ${name}`)

/**
 * Methods of values that are JavaScript primitives or boxed numbers, by class and `name_arity`. The value is the first
 * argument.
 */
const primitiveMethods = new Map<string, Map<string, Implementation>>()

export function registerPrimitive(owner: string, methods: Record<string, Implementation>): void {
  const own = primitiveMethods.get(owner) ?? new Map<string, Implementation>()
  for (const [key, implementation] of Object.entries(methods)) own.set(key, implementation)
  primitiveMethods.set(owner, own)
}

export const primitiveMethod = (owner: string, key: string): Implementation | undefined =>
  primitiveMethods.get(owner)?.get(key)
