/** The Java class of a value, and whether a value is an instance of a class. */
import { apiClass } from '../api/api-lines.ts'
import { classCast, JavaThrowable } from '../errors/java-throwable.ts'
import { JByte, JChar, JDouble, JFloat, JShort } from './boxed.ts'
import { JArray, JObject } from './java-object.ts'

/** Binary name of the class. */
export function classOf(value: unknown): string {
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
  if (value instanceof JObject) return value.$class
  if (value instanceof JDouble) return 'java.lang.Double'
  if (value instanceof JFloat) return 'java.lang.Float'
  if (value instanceof JChar) return 'java.lang.Character'
  if (value instanceof JByte) return 'java.lang.Byte'
  if (value instanceof JShort) return 'java.lang.Short'
  if (value instanceof JavaThrowable) return value.javaClass
  return 'null'
}

/** The class of the allow-list that provides the members of a value. */
export function listedClassOf(value: unknown): string {
  if (value instanceof JObject) return value.$listed
  const name = classOf(value)
  if (!(value instanceof JavaThrowable)) return name
  return apiClass(name) === undefined ? 'java.lang.Exception' : name.replaceAll('$', '.')
}

/** Java's `instanceof`: false for null. */
export function isInstance(value: unknown, type: string): boolean {
  if (value === null || value === undefined) return false
  if (type === 'java.lang.Object' || type === 'def') return true
  if (value instanceof JArray) return arrayIs(value.$class, type)
  const name = listedClassOf(value)
  if (name === type) return true
  const own = apiClass(name)
  if (own?.supers.includes(type) === true) return true
  return type === 'java.lang.Comparable' && typeof value !== 'object'
}

function arrayIs(actual: string, type: string): boolean {
  if (actual === type) return true
  if (!type.endsWith('[]')) return false
  const element = type.slice(0, -2)
  return (element === 'java.lang.Object' || element === 'def') && !/^[a-z]+\[\]$/.test(actual)
}

const MODULE_BASE = /^(\[L)?java\./

/** The JVM's text for a failed cast. */
export function castFailure(value: unknown, type: string) {
  return castBetween(classOf(value), type.replace(/\.([A-Z]\w*)\.(?=[A-Z])/, '.$1$'))
}

export function castBetween(from: string, to: string) {
  const base = (name: string) => MODULE_BASE.test(name)
  const where =
    base(from) && base(to)
      ? `(${from} and ${to} are in module java.base of loader 'bootstrap')`
      : base(from)
        ? `(${from} is in module java.base of loader 'bootstrap'; ${to} is in module org.elasticsearch.server of loader 'app')`
        : !base(to)
          ? `(${from} and ${to} are in module org.elasticsearch.server of loader 'app')`
          : `(${from} is in module org.elasticsearch.server of loader 'app'; ${to} is in module java.base of loader 'bootstrap')`
  return classCast(`class ${from} cannot be cast to class ${to} ${where}`)
}

export function checkInstance<T>(value: T, type: string): T {
  if (value === null || isInstance(value, type)) return value
  throw castFailure(value, type)
}
