/** What one pass over a date text has found: field values, and the zone if it named one. Reused from text to text. */

import type { TimeZone } from '../zone/time-zone.ts'
import { FIELD_COUNT } from './date-fields.ts'

export class ParsedFields {
  /** Bit per field that has a value. */
  present = 0
  readonly values = new Float64Array(FIELD_COUNT)
  zone: TimeZone | undefined = undefined
  ignoreCase = false

  reset(): void {
    this.present = 0
    this.zone = undefined
    this.ignoreCase = false
  }

  has(field: number): boolean {
    return (this.present & (1 << field)) !== 0
  }

  /** The value; undefined where the text had none. */
  get(field: number): number | undefined {
    return this.has(field) ? this.values[field] : undefined
  }

  put(field: number, value: number): void {
    this.present |= 1 << field
    this.values[field] = value
  }

  remove(field: number): void {
    this.present &= ~(1 << field)
  }

  /** Sets a field that may have been read before. False when the two values differ: such a text is no date. */
  set(field: number, value: number): boolean {
    if (this.has(field)) return this.values[field] === value
    this.put(field, value)
    return true
  }
}
