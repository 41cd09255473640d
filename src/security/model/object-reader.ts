/** Reads members of JSON objects of the security API, with Elasticsearch's error messages. */
import { parseFailure } from '../../base/api-error.ts'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The token name of a value in error messages about its type. */
export function tokenName(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL'
  if (typeof value === 'string') return 'VALUE_STRING'
  if (typeof value === 'number' || typeof value === 'bigint') return 'VALUE_NUMBER'
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN'
  return Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT'
}

export const wrongType = (field: string, type: string, value: unknown) =>
  parseFailure(`expected field [${field}] to be of type ${type}, but found [${tokenName(value)}] instead`)

export function readString(value: unknown, field: string): string {
  if (typeof value !== 'string') throw wrongType(field, 'string', value)
  return value
}

export function readBoolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value
  throw wrongType(field, 'boolean', value)
}

/** A list of strings; a single string is a list of one. */
export function readStrings(value: unknown, fail: () => Error): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) throw fail()
  return value as string[]
}
