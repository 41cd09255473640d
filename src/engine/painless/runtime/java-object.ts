/**
 * The base of all Java objects in scripts that are not JavaScript primitives.
 *
 * Java's method `add(x)` is the JavaScript method `add_1`: overloads that are visible to scripts differ only in the
 * number of arguments. Generated code calls methods by such names, so scripts can never reach other properties of a
 * JavaScript object.
 */
let identities = 0
/**
 * Identity hashes by object. Scripts request few, and a field for the hash in every object would cost more to
 * initialize than the rest of a map entry.
 */
const identityHashes = new WeakMap<JObject, number>()

export abstract class JObject {
  /** Binary name of the Java class: `java.util.HashMap`, `java.util.Collections$UnmodifiableMap`. */
  abstract get $class(): string

  /** The class or interface of the allow-list that has the methods of this object, if its own class is not listed. */
  get $listed(): string {
    return this.$class
  }

  equals_1(other: unknown): boolean {
    return this === other
  }

  hashCode_0(): number {
    return this.identityHash()
  }

  identityHash(): number {
    let hash = identityHashes.get(this)
    if (hash === undefined) {
      hash = (Math.imul(++identities, 0x9e3779b1) >>> 4) | 0
      identityHashes.set(this, hash)
    }
    return hash
  }

  toString_0(): string {
    return `${this.$class}@${(this.hashCode_0() >>> 0).toString(16)}`
  }
}

/** A Java array. The items have the representation of the element type. */
export class JArray extends JObject {
  readonly type: string
  readonly items: unknown[]

  constructor(type: string, items: unknown[]) {
    super()
    this.type = type
    this.items = items
  }

  get element(): string {
    return this.type.slice(0, -2)
  }

  override get $class(): string {
    return this.type === 'def[]' ? 'java.lang.Object[]' : this.type
  }

  /** Java prints arrays as a descriptor and an identity. */
  override toString_0(): string {
    return `${descriptor(this.$class)}@${(this.hashCode_0() >>> 0).toString(16)}`
  }
}

const DESCRIPTORS: Record<string, string> = {
  boolean: 'Z', byte: 'B', short: 'S', char: 'C', int: 'I', long: 'J', float: 'F', double: 'D',
} // biome-ignore format: a list

/** `[I` of `int[]`, `[Ljava.lang.String;` of `java.lang.String[]`. */
export function descriptor(type: string): string {
  if (!type.endsWith('[]')) return type
  const element = type.slice(0, -2)
  if (element.endsWith('[]')) return `[${descriptor(element)}`
  return `[${DESCRIPTORS[element] ?? `L${element};`}`
}

/**
 * An object of a functional interface. `call` takes and returns values in the representation of the interface's method, so library code
 * calls it directly.
 */
export class JFunction extends JObject {
  readonly interface: string
  // biome-ignore lint/suspicious/noExplicitAny: the signature is that of the interface's method
  readonly call: (...args: any[]) => any

  // biome-ignore lint/suspicious/noExplicitAny: the signature is that of the interface's method
  constructor(name: string, call: (...args: any[]) => any) {
    super()
    this.interface = name
    this.call = call
  }

  override get $class(): string {
    return `${this.interface}$$Lambda`
  }

  override get $listed(): string {
    return this.interface
  }
}
