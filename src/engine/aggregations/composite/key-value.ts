/** The values composite keys are made of: how they compare over shards, and how they print. */
import { Double } from '../../../base/json/json-writer.ts'
import { formatTile, tileOfKey } from '../../values/geotile.ts'
import { formatIp } from '../../values/ip.ts'
import { compareTerms } from '../global-ordinals.ts'
import type { DateValueFormat, ValueFormat } from '../value-format.ts'

/** Null is the bucket of documents without a value; tiles are the packed number of theirs. */
export type KeyValue = null | number | bigint | Uint8Array

export type KeyPrinter = (value: KeyValue) => unknown

/** Ascending, null apart. */
export function compareValues(a: KeyValue, b: KeyValue): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareTerms(a, b)
  return a! < b! ? -1 : a! > b! ? 1 : 0
}

const shown =
  (print: (value: number | bigint | Uint8Array) => unknown): KeyPrinter =>
  (value) =>
    value === null ? null : print(value)

export const printText = shown((value) => Buffer.from(value as Uint8Array).toString())
export const printIp = shown((value) => formatIp(value as Uint8Array))
export const printWhole = shown((value) => value)
export const printDouble = shown((value) => new Double(value as number))
export const printBoolean = shown((value) => value !== 0)
export const printTile = shown((value) => formatTile(tileOfKey(BigInt(value as bigint))))
export const printDate = (format: DateValueFormat | ValueFormat) => shown((value) => format.text(value as number))
