/**
 * A fast parser for the most common dates: `2024-05-06`, `2024-05-06T07:08:09.123Z`, with fewer parts or an offset.
 *
 * It accepts only texts that all our ISO formats parse in the same way. All others are left to the general parser,
 * which also has the error messages.
 */
import { daysInMonth, MS_PER_DAY, toEpochDay } from './civil-date.ts'

const ZERO = 0x30
const DASH = 0x2d
const PLUS = 0x2b
const COLON = 0x3a
const DOT = 0x2e
const LETTER_T = 0x54
const LETTER_Z = 0x5a

/** The parts of a text; a format may require some. */
export const HAS_MONTH = 1
export const HAS_DAY = 2
export const HAS_HOUR = 4
export const HAS_MINUTE = 8
export const HAS_SECOND = 16
export const HAS_FRACTION = 32
export const HAS_ZONE = 64
/** All parts down to the second are present, so nothing needs to be filled in. */
export const DOWN_TO_SECONDS = HAS_MONTH | HAS_DAY | HAS_HOUR | HAS_MINUTE | HAS_SECOND

/** Additional results of the last successful parse. */
export const lastIso = { nanosOfMs: 0, parts: 0 }

const SCRATCH = new Uint8Array(40)

/** Milliseconds since the epoch of the ISO instant in `bytes[start, end)`; NaN if it is not one. */
export function parseIsoMs(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  if (length < 4) return Number.NaN
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2)
  if (!(year >= 0)) return Number.NaN
  lastIso.nanosOfMs = 0
  lastIso.parts = 0
  if (length === 4) return toEpochDay(year, 1, 1) * MS_PER_DAY

  if (length < 7 || bytes[start + 4] !== DASH) return Number.NaN
  const month = twoDigits(bytes, start + 5)
  if (!(month >= 1 && month <= 12)) return Number.NaN
  if (length === 7) {
    lastIso.parts = HAS_MONTH
    return toEpochDay(year, month, 1) * MS_PER_DAY
  }

  if (length < 10 || bytes[start + 7] !== DASH) return Number.NaN
  const day = twoDigits(bytes, start + 8)
  if (!(day >= 1 && (day <= 28 || day <= daysInMonth(year, month)))) return Number.NaN
  const dateMs = toEpochDay(year, month, day) * MS_PER_DAY
  if (length === 10) {
    lastIso.parts = HAS_MONTH | HAS_DAY
    return dateMs
  }
  return bytes[start + 10] === LETTER_T ? dateMs + timeMs(bytes, start + 11, end) : Number.NaN
}

/** Like `parseIsoMs`, for a string. */
export function parseIsoTextMs(text: string): number {
  const length = text.length
  if (length > SCRATCH.length) return Number.NaN
  // A character beyond one byte could be truncated to a digit, so it ends the copy.
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) return Number.NaN
    SCRATCH[i] = code
  }
  return parseIsoMs(SCRATCH, 0, length)
}

function timeMs(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 2) return Number.NaN
  let parts = HAS_MONTH | HAS_DAY | HAS_HOUR
  const hour = twoDigits(bytes, start)
  if (!(hour <= 23)) return Number.NaN
  let at = start + 2
  let ms = hour * 3_600_000
  if (at < end && bytes[at] === COLON) {
    if (end - at < 3) return Number.NaN
    const minute = twoDigits(bytes, at + 1)
    if (!(minute <= 59)) return Number.NaN
    parts |= HAS_MINUTE
    ms += minute * 60_000
    at += 3
    if (at < end && bytes[at] === COLON) {
      if (end - at < 3) return Number.NaN
      const second = twoDigits(bytes, at + 1)
      if (!(second <= 59)) return Number.NaN
      parts |= HAS_SECOND
      ms += second * 1000
      at += 3
      if (at < end && bytes[at] === DOT) {
        at = fractionEnd(bytes, at + 1, end)
        if (at < 0) return Number.NaN
        parts |= HAS_FRACTION
        ms += fractionMs
      }
    }
  }
  if (at < end) {
    ms -= offsetMs(bytes, at, end)
    parts |= HAS_ZONE
  }
  lastIso.parts = parts
  return ms
}

let fractionMs = 0

/** Parses up to nine fraction digits. Returns the position after them, or -1. */
function fractionEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  let nanos = 0
  let scale = 100_000_000
  while (at < end && scale >= 1) {
    const digit = bytes[at]! - ZERO
    if (digit < 0 || digit > 9) break
    nanos += digit * scale
    scale /= 10
    at++
  }
  if (at === start) return -1
  fractionMs = (nanos / 1e6) | 0
  lastIso.nanosOfMs = nanos - fractionMs * 1e6
  return at
}

/** `Z`, `±hh`, `±hhmm` or `±hh:mm` up to the end; NaN for anything else, including zone ids. */
function offsetMs(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start]!
  const length = end - start
  if (first === LETTER_Z) return length === 1 ? 0 : Number.NaN
  if ((first !== PLUS && first !== DASH) || length < 3) return Number.NaN
  const hours = twoDigits(bytes, start + 1)
  let minutes = 0
  if (length === 6 && bytes[start + 3] === COLON) minutes = twoDigits(bytes, start + 4)
  else if (length === 5) minutes = twoDigits(bytes, start + 3)
  else if (length !== 3) return Number.NaN
  // Offsets are limited to 18 hours; the general parser has the error message.
  if (!(hours < 18 && minutes <= 59)) return Number.NaN
  const ms = hours * 3_600_000 + minutes * 60_000
  return first === DASH ? -ms : ms
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO
  const ones = bytes[at + 1]! - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}
