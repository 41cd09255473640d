/** The root classes, and the functions that define classes and methods. */
import { wrongCount } from './errors.ts'
import {
  methodTables,
  type NativeMethod,
  type RBasic,
  RClass,
  RFloat,
  type RMethod,
  RProc,
  RRange,
  RSymbol,
  type Value,
  type Visibility,
} from './model.ts'
import { RString } from './string.ts'

export const BasicObject = new RClass('BasicObject', null)
export const ObjectClass = new RClass('Object', BasicObject)
export const ModuleClass = new RClass('Module', ObjectClass)
export const ClassClass = new RClass('Class', ModuleClass)
export const Kernel = makeModule('Kernel')
export const Comparable = makeModule('Comparable')
export const Enumerable = makeModule('Enumerable')
ObjectClass.included.push(Kernel)
for (const cls of [BasicObject, ObjectClass, ModuleClass, ClassClass]) {
  cls.cls = ClassClass
  ObjectClass.constants.set(cls.name!, cls)
}

export const NilClass = makeClass('NilClass')
export const TrueClass = makeClass('TrueClass')
export const FalseClass = makeClass('FalseClass')
export const NumericClass = makeClass('Numeric')
export const IntegerClass = makeClass('Integer', NumericClass)
export const FloatClass = makeClass('Float', NumericClass)
export const StringClass = makeClass('String')
export const SymbolClass = makeClass('Symbol')
export const ArrayClass = makeClass('Array')
export const HashClass = makeClass('Hash')
export const RangeClass = makeClass('Range')
export const ProcClass = makeClass('Proc')
NumericClass.included.push(Comparable)
StringClass.included.push(Comparable)
ArrayClass.included.push(Enumerable)
HashClass.included.push(Enumerable)
RangeClass.included.push(Enumerable)
for (const cls of [NilClass, TrueClass, FalseClass, NumericClass, IntegerClass, FloatClass, SymbolClass, ProcClass])
  cls.allocate = null

setClass(RFloat, FloatClass)
setClass(RString, StringClass)
setClass(RSymbol, SymbolClass)
setClass(RRange, RangeClass)
setClass(RProc, ProcClass)

/** Sets the Ruby class of all objects of a JavaScript class. */
export function setClass(kind: abstract new (...args: never[]) => RBasic, cls: RClass): void {
  ;(kind.prototype as RBasic).cls = cls
}

export function makeClass(name: string, superclass: RClass = ObjectClass, under: RClass = ObjectClass): RClass {
  const cls = new RClass(under === ObjectClass ? name : `${under.name}::${name}`, superclass)
  cls.cls = ClassClass
  under.constants.set(name, cls)
  return cls
}

export function makeModule(name: string, under: RClass = ObjectClass): RClass {
  const module = new RClass(under === ObjectClass ? name : `${under.name}::${name}`, null, 'module')
  module.cls = ModuleClass
  under.constants.set(name, module)
  return module
}

/** The Ruby class of a value, which may be a singleton class. */
export function classOf(value: Value): RClass {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return IntegerClass
    case 'boolean':
      return value ? TrueClass : FalseClass
    default:
      if (value === null) return NilClass
      if (Array.isArray(value)) return ArrayClass
      return value instanceof RClass ? metaOf(value) : value.cls
  }
}

/** The result of `.class`, which is never a singleton class. */
export function realClassOf(value: Value): RClass {
  if (value instanceof RClass) return value.cls.real
  return classOf(value).real
}

/** The class of a class. Its methods are the class methods, and it inherits those of the superclass. */
export function metaOf(cls: RClass): RClass {
  if (cls.meta === null) {
    const above = cls.superclass === null ? cls.cls : metaOf(cls.superclass)
    cls.meta = new RClass(null, above, 'singleton')
    cls.meta.cls = ClassClass
    cls.meta.attached = cls
  }
  return cls.meta
}

export function isA(value: Value, cls: RClass): boolean {
  return classOf(value).isSubclassOf(cls)
}

export type Arity = number | readonly [number, number]
export const ANY: Arity = [0, Number.POSITIVE_INFINITY]
export function atLeast(count: number): Arity {
  return [count, Number.POSITIVE_INFINITY]
}

/** Defines a method under one or more names, separated by spaces. */
export function define<T = Value>(
  cls: RClass,
  names: string,
  arity: Arity,
  call: (self: T, args: Value[], block: RProc | null) => Value,
  visibility: Visibility = 'public',
): void {
  const [min, max] = typeof arity === 'number' ? [arity, arity] : arity
  for (const name of names.split(' ')) {
    cls.methods.set(name, {
      name,
      owner: cls,
      visibility,
      call: call as NativeMethod,
      min,
      max,
      arity: min === max ? min : -min - 1,
      isNative: true,
    })
  }
  methodTables.version++
}

/** Defines a method of a class or module itself. */
export function defineStatic(
  cls: RClass,
  names: string,
  arity: Arity,
  call: (self: RClass, args: Value[], block: RProc | null) => Value,
): void {
  define(metaOf(cls), names, arity, call)
}

/** Calls a method after a check of the number of arguments. */
export function invoke(method: RMethod, self: Value, args: Value[], block: RProc | null): Value {
  if (method.isNative && (args.length < method.min || args.length > method.max))
    throw wrongCount(args.length, method.min, method.max)
  return method.call(self, args, block)
}

export function nameOf(cls: RClass): string {
  if (cls.name !== null) return cls.name
  if (cls.isSingleton) return `#<Class:${cls.attached instanceof RClass ? nameOf(cls.attached) : '#<Object>'}>`
  return cls.isModule ? '#<Module>' : '#<Class>'
}
