/** Calls methods on values of any representation. */
import { illegalArgument, JavaThrowable, nullPointer } from '../errors/java-throwable.ts'
import { classOf } from './class-of.ts'
import { compareTo, equals, hashCode } from './equality.ts'
import { JObject } from './java-object.ts'
import { textOf } from './java-text.ts'
import { type Implementation, primitiveMethod } from './registry.ts'

type Methods = Record<string, Implementation | undefined>

const COMMON: Readonly<Record<string, Implementation>> = Object.assign(Object.create(null), {
  equals_1: equals,
  hashCode_0: hashCode,
  toString_0: textOf,
})

/** The function that implements a method of a value. The value is its first argument. */
export function methodOf(target: unknown, key: string): Implementation | undefined {
  if (target instanceof JObject) {
    const method = (target as unknown as Methods)[key]
    return method === undefined
      ? undefined
      : (self: JObject, ...args: unknown[]) => (self as unknown as Methods)[key]!(...args)
  }
  if (target instanceof JavaThrowable) return THROWABLE[key] ?? COMMON[key]
  return primitiveMethod(classOf(target), key) ?? COMMON[key]
}

const THROWABLE: Readonly<Record<string, Implementation>> = Object.assign(Object.create(null), {
  getMessage_0: (e: JavaThrowable) => e.detail,
  getLocalizedMessage_0: (e: JavaThrowable) => e.detail,
})

const missing = (target: unknown, key: string) =>
  illegalArgument(`[${classOf(target)}.${key.replace('_', '/')}] is not supported`)

export function invoke(target: unknown, key: string, args: readonly unknown[]): unknown {
  if (target instanceof JObject) {
    const method = (target as unknown as Methods)[key]
    if (method === undefined) throw missing(target, key)
    // The caller may know no more than that the target is a Comparable.
    if (key === 'compareTo_1') return compareTo(target, args[0])
    return method.apply(target, args as unknown[])
  }
  const method = methodOf(target, key)
  if (method === undefined) throw missing(target, key)
  return method(target, ...args)
}

export const call0 = (target: unknown, key: string): unknown => invoke(target, key, [])
export const call1 = (target: unknown, key: string, a: unknown): unknown => invoke(target, key, [a])
export const call2 = (target: unknown, key: string, a: unknown, b: unknown): unknown => invoke(target, key, [a, b])
export const call3 = (target: unknown, key: string, a: unknown, b: unknown, c: unknown): unknown =>
  invoke(target, key, [a, b, c])
export const call4 = (target: unknown, key: string, ...args: unknown[]): unknown => invoke(target, key, args)

/** Returns the value unless it is null. The second argument sets the position of a failure. */
export function nonNull<T>(value: T | null, _position: number, message: string): T {
  if (value === null || value === undefined) throw nullPointer(message)
  return value
}
