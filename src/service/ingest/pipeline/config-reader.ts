/**
 * Reads the options of one processor. Reading an option removes it, so that the options that remain are unknown ones.
 * Values are plain JSON, except that whole numbers in decimal notation are `Double`s.
 */
import { ApiError, elasticsearchException } from '../../../base/api-error.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { javaClass, javaText } from '../../../engine/values/java-text.ts'
import { type CompiledText, compileText } from '../template/compiled-text.ts'
import { configError } from './config-errors.ts'

export type Config = Readonly<Record<string, unknown>>

export class ConfigReader {
  readonly type: string
  readonly tag: string | undefined
  readonly #options: Map<string, unknown>

  constructor(type: string, tag: string | undefined, config: Config) {
    this.type = type
    this.tag = tag
    this.#options = new Map(Object.entries(config))
  }

  /** The names of options that were not read. */
  get unread(): string[] {
    return [...this.#options.keys()]
  }

  /** The options that were not read. */
  get rest(): Config {
    return Object.fromEntries(this.#options)
  }

  error(property: string | undefined, reason: string): ApiError {
    return configError({ type: this.type, tag: this.tag, property }, reason)
  }

  has(name: string): boolean {
    return this.#options.has(name)
  }

  /** The value of an option; undefined if it is absent or null. */
  take(name: string): unknown {
    const value = this.#options.get(name)
    this.#options.delete(name)
    return value ?? undefined
  }

  /** All options that were not read. They count as read afterwards. */
  takeRest(): Config {
    const { rest } = this
    this.#options.clear()
    return rest
  }

  object(name: string): unknown {
    return this.#required(name, this.take(name))
  }

  optionalString(name: string): string | undefined {
    const value = this.take(name)
    if (value === undefined || typeof value === 'string') return value
    throw this.#wrongType(name, 'a string', value)
  }

  string(name: string): string {
    return this.#required(name, this.optionalString(name))
  }

  /** A string, or an integer converted to a string. */
  optionalStringOrInt(name: string): string | undefined {
    const value = this.take(name)
    if (value === undefined || typeof value === 'string') return value
    if (javaClass(value) === 'java.lang.Integer') return String(value)
    throw this.#wrongType(name, 'a string or int', value)
  }

  /** A long, or a string that contains one. */
  optionalLong(name: string): number | undefined {
    const value = this.take(name)
    if (value === undefined) return undefined
    if (typeof value === 'string') {
      if (/^[+-]?\d+$/.test(value) && isLong(BigInt(value))) return Number(value)
      throw new ApiError(400, 'number_format_exception', `For input string: "${value}"`)
    }
    if (/^java\.lang\.(Integer|Long)$/.test(configClass(value))) return Number(value)
    throw this.#wrongType(name, 'a string or long', value)
  }

  boolean(name: string, absent: boolean): boolean {
    const value = this.take(name)
    if (value === undefined) return absent
    if (typeof value === 'boolean') return value
    throw this.#wrongType(name, 'a boolean', value)
  }

  optionalInt(name: string): number | undefined {
    const value = this.take(name)
    if (value === undefined) return undefined
    const text = value instanceof Double ? `${value.value}.0` : javaText(value)
    const isInt = /^[+-]?\d+$/.test(text) && BigInt.asIntN(32, BigInt(text)) === BigInt(text)
    if (!isInt) throw this.error(name, `property cannot be converted to an int [${text}]`)
    return Number(text)
  }

  optionalList(name: string): readonly unknown[] | undefined {
    const value = this.take(name)
    if (value === undefined || Array.isArray(value)) return value as readonly unknown[] | undefined
    throw this.#wrongType(name, 'a list', value)
  }

  list(name: string): readonly unknown[] {
    return this.#required(name, this.optionalList(name))
  }

  strings(name: string): readonly string[] {
    return this.list(name).map(stringElement)
  }

  optionalStrings(name: string): readonly string[] | undefined {
    return this.optionalList(name)?.map(stringElement)
  }

  /** A list, or a single string as a list. */
  optionalStringOrList(name: string): readonly string[] | undefined {
    const value = this.take(name)
    if (value === undefined) return undefined
    if (typeof value === 'string') return [value]
    if (!Array.isArray(value)) throw this.#wrongType(name, 'a list', value)
    return value.map(stringElement)
  }

  optionalMap(name: string): Config | undefined {
    const value = this.take(name)
    if (value === undefined || isObject(value)) return value as Config | undefined
    throw this.#wrongType(name, 'a map', value)
  }

  map(name: string): Config {
    return this.#required(name, this.optionalMap(name))
  }

  /** A string that may be a template. */
  text(name: string): CompiledText {
    return compileText(this.string(name), this, name)
  }

  optionalText(name: string): CompiledText | undefined {
    const value = this.optionalString(name)
    return value === undefined ? undefined : compileText(value, this, name)
  }

  #required<T>(name: string, value: T | undefined): T {
    if (value === undefined) throw this.error(name, 'required property is missing')
    return value
  }

  #wrongType(name: string, wanted: string, value: unknown): ApiError {
    return this.error(name, `property isn't ${wanted}, but of type [${configClass(value)}]`)
  }
}

const isLong = (value: bigint) => BigInt.asIntN(64, value) === value

/** Elasticsearch fails with a ClassCastException on another element, or with a NullPointerException. */
function stringElement(element: unknown): string {
  if (typeof element === 'string') return element
  if (element === null) throw elasticsearchException('java.lang.NullPointerException')
  const name = configClass(element)
  throw elasticsearchException(
    `java.lang.ClassCastException: class ${name} cannot be cast to class java.lang.String (${name} and ` +
      "java.lang.String are in module java.base of loader 'bootstrap')",
  )
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Double)

/** The Java class name that Elasticsearch reports for a value of a definition. */
export function configClass(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Double) return 'java.lang.Double'
  const name = javaClass(value)
  return name === 'java.util.LinkedHashMap' ? 'java.util.HashMap' : name
}
