/** CSV lines according to RFC 4180, with exact numbers. */
import { type Json, textOf } from '../api/lossless-json.ts'

export function csvLine(values: readonly Json[]): string {
  return `${values.map((value) => cell(value === null || value === undefined ? '' : textOf(value))).join(',')}\r\n`
}

function cell(text: string): string {
  // Spreadsheets would evaluate a cell that begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
