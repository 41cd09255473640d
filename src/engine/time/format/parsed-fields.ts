/** The fields parsed from a date text, and its zone if it has one. Reused between texts. */

import type { TimeZone } from '../zone/time-zone.ts'
import { FIELD_COUNT } from './date-fields.ts'

export class ParsedFields {
  /** A bit per present field. */
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

  /** The value; undefined if the text has none. */
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

  /**
   * Sets a field that may have been parsed before. Returns false if the two values differ, which makes the text
   * invalid.
   */
  set(field: number, value: number): boolean {
    if (this.has(field)) return this.values[field] === value
    this.put(field, value)
    return true
  }
}
