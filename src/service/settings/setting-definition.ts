/** The definition of a setting: when it may change, its valid values, and its default. */

import { ApiError, illegalArgument, notANumber } from '../../base/api-error.ts'
import { parseByteSize } from '../../base/byte-size.ts'
import { parseDuration } from '../../base/duration.ts'
import { noEnumConstant, notTrueOrFalse } from '../../base/errors/value-errors.ts'
import type { FlatSettings, SettingValue } from '../metadata/metadata.ts'
import { listOf, textOf } from './flat-settings.ts'

/**
 * - `dynamic`: at any time
 * - `static`: at creation, or while the index is closed
 * - `final`: at creation only
 * - `internal`: at creation, later only by a dedicated API
 * - `private`: by the service only
 */
export type SettingScope = 'dynamic' | 'static' | 'final' | 'internal' | 'private'

/** Throws Elasticsearch's error for an invalid value. */
export type SettingCheck = (value: SettingValue, name: string) => void

export interface SettingDefinition {
  readonly name: string
  readonly scope: SettingScope
  readonly check: SettingCheck
  /** Shown by `include_defaults`; a function if it depends on other settings, undefined if there is none. */
  readonly standard: SettingValue | ((settings: FlatSettings) => SettingValue) | undefined
}

/** A family of settings under one prefix with user-defined names: `index.analysis.…`. */
export interface SettingGroup {
  readonly prefix: string
  readonly scope: SettingScope
  readonly check: SettingCheck
}

export const anything: SettingCheck = () => {}

export const booleanValue: SettingCheck = (value) => {
  const text = textOf(value)
  if (text !== 'true' && text !== 'false') {
    throw notTrueOrFalse(text)
  }
}

/** Whole numbers. The limits are compared exactly: a value beyond 64 bits is too large, not malformed. */
export function integer(min: number | bigint, max: number | bigint = 2147483647): SettingCheck {
  return (value, name) => {
    const text = textOf(value)
    if (!/^[+-]?\d+$/.test(text)) throw unparsable(text, name)
    const number = BigInt(text)
    if (number < BigInt(min)) throw outOfRange(text, name, `must be >= ${min}`)
    if (number > BigInt(max)) throw outOfRange(text, name, `must be <= ${max}`)
  }
}

const LONG_MAX = 9223372036854775807n
export const INT_MIN = -2147483648
export const long = (min: number | bigint): SettingCheck => integer(min, LONG_MAX)

export function decimal(min: number, max = Number.MAX_VALUE): SettingCheck {
  return (value, name) => {
    const text = textOf(value)
    const number = text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isNaN(number)) throw unparsable(text, name)
    if (number < min) throw outOfRange(text, name, `must be >= ${min.toFixed(1)}`)
    if (number > max) throw outOfRange(text, name, `must be <= ${max.toFixed(1)}`)
  }
}

export function duration(min?: { ms: number; text: string }): SettingCheck {
  return (value, name) => {
    const ms = parseDuration(textOf(value), name)
    if (min !== undefined && ms < min.ms) throw belowMinimum(value, name, min.text)
  }
}

export function byteSize(min?: { bytes: number; text: string }): SettingCheck {
  return (value, name) => {
    let bytes: number
    try {
      bytes = parseByteSize(textOf(value), name)
    } catch (error) {
      throw error instanceof ApiError ? illegalArgument(error.message, error) : error
    }
    if (min !== undefined && bytes < min.bytes) throw belowMinimum(value, name, min.text)
  }
}

/** A Java enum; the class name is part of the error message. */
export function enumOf(javaClass: string, values: readonly string[]): SettingCheck {
  return (value) => {
    const text = textOf(value)
    if (!values.includes(text.toUpperCase())) throw noEnumConstant(javaClass, text.toUpperCase())
  }
}

export function oneOf(values: readonly string[], problem: (text: string, name: string) => string): SettingCheck {
  return (value, name) => {
    const text = textOf(value)
    if (!values.includes(text)) throw illegalArgument(problem(text, name))
  }
}

/** Checks each element of a list, given as a list or as comma-separated text. */
export function eachOf(check: (item: string, name: string) => void): SettingCheck {
  return (value, name) => {
    for (const item of listOf(value)) check(item, name)
  }
}

const unparsable = (text: string, name: string) =>
  illegalArgument(`Failed to parse value [${text}] for setting [${name}]`, notANumber(text))

const outOfRange = (text: string, name: string, problem: string) =>
  illegalArgument(`Failed to parse value [${text}] for setting [${name}] ${problem}`)

const belowMinimum = (value: SettingValue, name: string, min: string) =>
  illegalArgument(`failed to parse value [${textOf(value)}] for setting [${name}], must be >= [${min}]`)
