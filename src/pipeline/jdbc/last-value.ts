/**
 * The value of `:sql_last_value`: the tracked column of the last row, or the time of the last run. It is kept in a file in Logstash's
 * format, so that a pipeline moved from Logstash continues where Logstash stopped.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from '../../base/bytes/crc32.ts'
import type { FieldValue } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import { UTC } from '../time/zone.ts'
import { parseDatabaseTime } from './database-times.ts'

/** Before the checksum of the line above; a comment for Logstash. Its files have none. */
const CHECKSUM = '# checksum '

export type LastValue = number | bigint | Timestamp

export function firstValue(isNumber: boolean): LastValue {
  return isNumber ? 0 : new Timestamp(0)
}

/**
 * Undefined if there is no file, or if it holds a value of the other kind. Throws if it cannot be read or does not match
 * its checksum: starting from the beginning would read every row again, and a wrong value would leave rows out.
 */
export function readLastValue(path: string, isNumber: boolean): LastValue | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const [line = '', checksum] = text.split(CHECKSUM)
  if (checksum !== undefined && Number(checksum) !== crc32(Buffer.from(line))) {
    throw new Error(`${path} is damaged: it does not match its checksum. Remove it to read all rows again`)
  }
  const value = line
    .replace(/^---\s*/, '')
    .replace(/^!ruby\S+\s*/, '')
    .trim()
    .replace(/^'(.*)'$/s, '$1')
  if (!isNumber) return parseDatabaseTime(value.replace(/ (Z|[+-]\d\d:?\d\d)$/, '$1'), UTC)
  // BigDecimal writes its precision before the number.
  const digits = value.replace(/^\d+:(?=\d)/, '')
  if (/^-?\d+$/.test(digits)) return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits)
  return /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(digits) ? Number(digits) : undefined
}

/** Replaced atomically: a crash leaves the old or the new file. */
export function writeLastValue(path: string, value: LastValue): void {
  const text = value instanceof Timestamp ? value.toString().replace('T', ' ').replace('Z', '000000 Z') : String(value)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const line = `--- ${text}\n`
  writeFileSync(`${path}.new`, `${line}${CHECKSUM}${crc32(Buffer.from(line))}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** The tracked value of a row; undefined if the column does not fit. */
export function trackedValue(value: FieldValue | undefined, isNumber: boolean): LastValue | undefined {
  if (!isNumber) {
    if (value instanceof Timestamp) return value
    return typeof value === 'string' ? parseDatabaseTime(value, UTC) : undefined
  }
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return value !== null && value !== undefined && Number.isFinite(Number(value)) ? Number(value) : undefined
}
