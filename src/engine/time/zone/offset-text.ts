/** Parses UTC offsets in the forms of the pattern letters `X`, `x` and `Z`. */
import { dateTime } from '../../../base/api-error.ts'
import { OFFSET_SECONDS } from '../format/date-fields.ts'
import type { OffsetNode } from '../format/format-node.ts'
import type { ParsedFields } from '../format/parsed-fields.ts'
import { digitAt, readLiteral } from '../format/text-scan.ts'

const PLUS = 0x2b
const MINUS = 0x2d
const COLON = 0x3a

/** `±HH`, then minutes and seconds as the node requires, or the text for offset zero. */
export function readOffset(node: OffsetNode, text: string, start: number, out: ParsedFields): number {
  if (start === text.length) return node.zero === '' ? setOffset(0, start, start, out) : ~start
  if (node.zero !== '' && readLiteral(node.zero, text, start, out.ignoreCase) >= 0) {
    return setOffset(0, start, start + node.zero.length, out)
  }
  const sign = text.charCodeAt(start)
  if (sign === PLUS || sign === MINUS) {
    const read = readOffsetDigits(node, text, start + 1)
    if (read !== undefined) {
      return setOffset((sign === MINUS ? -1 : 1) * read.seconds, start, read.end, out)
    }
  }
  return node.zero === '' ? setOffset(0, start, start, out) : ~start
}

function readOffsetDigits(node: OffsetNode, text: string, start: number): { seconds: number; end: number } | undefined {
  const hours = twoDigits(text, start)
  if (hours < 0 || hours > 59) return undefined
  let end = start + 2
  let minutes = 0
  let seconds = 0
  if (node.minutes !== 'none') {
    const found = separatedTwoDigits(text, end, node.colon)
    if (found < 0 && node.minutes === 'required') return undefined
    if (found >= 0) {
      minutes = found
      end += node.colon ? 3 : 2
      if (node.seconds !== 'none') {
        const foundSeconds = separatedTwoDigits(text, end, node.colon)
        if (foundSeconds < 0 && node.seconds === 'required') return undefined
        if (foundSeconds >= 0) {
          seconds = foundSeconds
          end += node.colon ? 3 : 2
        }
      }
    }
  }
  if (hours > 23 || minutes > 59 || seconds > 59) {
    throw dateTime('Value out of range: Hour[0-23], Minute[0-59], Second[0-59]')
  }
  return { seconds: hours * 3600 + minutes * 60 + seconds, end }
}

/** Two digits up to 59 after an optional colon; -1 if there are none. */
function separatedTwoDigits(text: string, at: number, colon: boolean): number {
  if (colon && text.charCodeAt(at) !== COLON) return -1
  const found = twoDigits(text, colon ? at + 1 : at)
  return found > 59 ? -1 : found
}

function twoDigits(text: string, at: number): number {
  const tens = digitAt(text, at)
  const ones = digitAt(text, at + 1)
  return tens < 0 || ones < 0 ? -1 : tens * 10 + ones
}

function setOffset(seconds: number, start: number, end: number, out: ParsedFields): number {
  return out.set(OFFSET_SECONDS, seconds) ? end : ~start
}
