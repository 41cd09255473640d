/**
 * Ruby values. Nil, booleans, integers and arrays are JavaScript values; everything else is an object of a class in
 * this folder.
 *
 * Methods are looked up in tables by the Ruby class of the value. A name in Ruby code is never looked up on a
 * JavaScript object, so code cannot reach the JavaScript engine.
 */
import type { Frame } from './frame.ts'

/** Integers are numbers, or bigints beyond 2^53. Floats are `RFloat`, because `5.0` and `5` are different values. */
export type Value = null | boolean | number | bigint | Value[] | RBasic

export type NativeMethod = (self: Value, args: Value[], block: RProc | null) => Value

/** A value with its own Ruby class. For built-in types the class is stored on the prototype. */
export abstract class RBasic {
  declare cls: RClass
}

export class RFloat extends RBasic {
  readonly value: number
  constructor(value: number) {
    super()
    this.value = value
  }
}

export class RSymbol extends RBasic {
  readonly name: string
  /** Created when the symbol is first passed as a block. */
  proc: RProc | undefined
  constructor(name: string) {
    super()
    this.name = name
  }
}

const symbols = new Map<string, RSymbol>()
/** Symbols made from data are never freed, as in Ruby, so their number is limited. */
const SYMBOLS_MAX = 500_000

export function symbol(name: string): RSymbol {
  let found = symbols.get(name)
  if (found === undefined) {
    found = new RSymbol(name)
    if (symbols.size < SYMBOLS_MAX) symbols.set(name, found)
  }
  return found
}

/** An instance of a class written in Ruby, or of a built-in class that only needs instance variables. */
export class RObject extends RBasic {
  readonly ivars = new Map<string, Value>()
  frozen = false
  constructor(cls: RClass) {
    super()
    this.cls = cls
  }
}

export class RRange extends RBasic {
  readonly from: Value
  readonly to: Value
  readonly isExclusive: boolean
  constructor(from: Value, to: Value, isExclusive: boolean) {
    super()
    this.from = from
    this.to = to
    this.isExclusive = isExclusive
  }
}

export type Visibility = 'public' | 'private' | 'protected'

export interface RMethod {
  readonly name: string
  readonly owner: RClass
  readonly visibility: Visibility
  readonly call: NativeMethod
  /**
   * The number of arguments; `max` is Infinity for any number. Methods written in Ruby check it themselves and have 0
   * and Infinity.
   */
  readonly min: number
  readonly max: number
  /** The result of `arity`. */
  readonly arity: number
  readonly parameters?: readonly (readonly [string, string])[]
  readonly isNative: boolean
  /** Set by `undef`: the method lookup ends here. */
  readonly isUndefined?: boolean
}

/** Incremented whenever a method is defined, which invalidates all method caches. */
export const methodTables = {
  version: 0,
  /** Whether code has defined `==` or `nil?` somewhere. Until then comparisons of built-in values need no lookup. */
  hasOwnTests: false,
}

export class RClass extends RBasic {
  readonly superclass: RClass | null
  readonly isModule: boolean
  readonly isSingleton: boolean
  name: string | null
  readonly methods = new Map<string, RMethod>()
  readonly constants = new Map<string, Value>()
  readonly ivars = new Map<string, Value>()
  readonly classVariables = new Map<string, Value>()
  readonly included: RClass[] = []
  readonly prepended: RClass[] = []
  frozen = false
  /** Creates an instance before `initialize` runs; inherited. Null for classes without `new`. */
  allocate: ((cls: RClass) => Value) | null | undefined
  /** The singleton class of this class, which contains its class methods. */
  meta: RClass | null = null
  /** The object of a singleton class. */
  attached: Value = null
  readonly #found = new Map<string, RMethod | undefined>()
  #foundVersion = -1

  constructor(name: string | null, superclass: RClass | null, kind: 'class' | 'module' | 'singleton' = 'class') {
    super()
    this.name = name
    this.superclass = superclass
    this.isModule = kind === 'module'
    this.isSingleton = kind === 'singleton'
  }

  find(name: string): RMethod | undefined {
    if (this.#foundVersion !== methodTables.version) {
      this.#found.clear()
      this.#foundVersion = methodTables.version
    }
    let method = this.#found.get(name)
    if (method === undefined && !this.#found.has(name)) {
      method = this.#search(name)
      this.#found.set(name, method)
    }
    return method
  }

  #search(name: string): RMethod | undefined {
    for (const cls of this.ancestors()) {
      const method = cls.methods.get(name)
      if (method !== undefined) return method.isUndefined ? undefined : method
    }
    return undefined
  }

  /** The next method with this name after `owner` in the ancestors, for `super`. */
  findAfter(owner: RClass, name: string): RMethod | undefined {
    const list = this.ancestors()
    for (let i = list.indexOf(owner) + 1; i < list.length; i++) {
      const method = list[i]!.methods.get(name)
      if (method !== undefined) return method.isUndefined ? undefined : method
    }
    return undefined
  }

  ancestors(): RClass[] {
    const own = [
      ...this.prepended.flatMap((module) => module.ancestors()),
      this,
      ...this.included.flatMap((module) => module.ancestors()),
    ]
    return this.superclass === null ? own : [...own, ...this.superclass.ancestors().filter((cls) => !own.includes(cls))]
  }

  isSubclassOf(other: RClass): boolean {
    for (let cls: RClass | null = this; cls !== null; cls = cls.superclass) {
      if (cls === other) return true
      if (cls.included.length > 0 && cls.included.some((module) => module.isSubclassOf(other))) return true
      if (cls.prepended.length > 0 && cls.prepended.some((module) => module.isSubclassOf(other))) return true
    }
    return false
  }

  /** The class itself, or for a singleton class its first ancestor that is not one. */
  get real(): RClass {
    let cls: RClass = this
    while (cls.isSingleton) cls = cls.superclass!
    return cls
  }
}

/** A block, a proc or a lambda. `call` receives the arguments as they were passed. */
export class RProc extends RBasic {
  isLambda = false
  arity = -1
  parameters: readonly (readonly [string, string])[] = []
  self: Value = null
  /** The target of `break` in the block; undefined for procs that are not the block of a call. */
  tag: object | undefined
  frame: Frame | undefined
  // The following are declared without a value, so that subclasses can have methods of these names.
  declare call: (args: Value[], block: RProc | null) => Value
  /** Runs the block with another self, for `instance_exec` and `define_method`. */
  declare withSelf: ((self: Value, definee: RClass | undefined) => RProc) | undefined
  /** For blocks with plain parameters: calls the block with one argument without allocating an array. */
  declare call1: ((arg: Value) => Value) | undefined
  declare call2: ((first: Value, second: Value) => Value) | undefined

  constructor(call?: (args: Value[], block: RProc | null) => Value) {
    super()
    if (call !== undefined) this.call = call
  }
}
