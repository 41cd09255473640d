/** Lines of CSV as RFC 4180 has them, with exact numbers. */
import { type Json, textOf } from '../api/lossless-json.ts'

export function csvLine(values: readonly Json[]): string {
  return `${values.map((value) => cell(value === null || value === undefined ? '' : textOf(value))).join(',')}\r\n`
}

function cell(text: string): string {
  // A cell that begins like a formula would be computed by spreadsheets.
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
