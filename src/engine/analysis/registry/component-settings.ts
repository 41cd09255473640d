/** The settings of one analysis component. As in index settings, every value is a string or a list of strings. */

import { ApiError, numberFormat } from '../../../base/api-error.ts'
import { notTrueOrFalse } from '../../../base/errors/value-errors.ts'

export type SettingValue = string | readonly string[]

export class ComponentSettings {
  /** The name of the component; `__anonymous__<type>` for an inline definition. */
  readonly name: string
  readonly #values: ReadonlyMap<string, SettingValue>

  constructor(name: string, values: ReadonlyMap<string, SettingValue> = new Map()) {
    this.name = name
    this.#values = values
  }

  has(key: string): boolean {
    return this.#values.has(key)
  }

  keys(): Iterable<string> {
    return this.#values.keys()
  }

  string(key: string): string | undefined {
    const value = this.#values.get(key)
    return typeof value === 'object' ? `[${value.join(', ')}]` : value
  }

  /** A list may also be a comma-separated string. */
  list(key: string): string[] | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    if (typeof value === 'object') return [...value]
    return value === '' ? [] : value.split(',').map((item) => item.trim())
  }

  integer(key: string, fallback: number): number
  integer(key: string, fallback: undefined): number | undefined
  integer(key: string, fallback: number | undefined): number | undefined {
    const text = this.string(key)
    if (text === undefined) return fallback
    const value = Number(text)
    if (!/^[+-]?\d+$/.test(text) || value > 0x7fffffff || value < -0x80000000) {
      throw unreadable('int', key, text, noNumber(text))
    }
    return value
  }

  float(key: string, fallback: number): number {
    const text = this.string(key)
    if (text === undefined) return fallback
    const value = Number(text)
    if (text.trim() === '' || Number.isNaN(value)) throw unreadable('float', key, text, noNumber(text))
    return value
  }

  boolean(key: string, fallback: boolean): boolean {
    const text = this.string(key)
    if (text === undefined) return fallback
    if (text === 'true') return true
    if (text === 'false') return false
    throw notTrueOrFalse(text)
  }
}

const noNumber = (text: string) => numberFormat(text === '' ? 'empty String' : `For input string: "${text}"`)

const unreadable = (type: string, key: string, text: string, causedBy: ApiError) =>
  new ApiError(500, 'settings_exception', `Failed to parse ${type} setting [${key}] with value [${text}]`, { causedBy })
