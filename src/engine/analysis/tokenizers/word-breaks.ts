/**
 * The automaton of the standard tokenizer, unpacked from its generated form.
 *
 * Class lookup is two steps over pages of 256 code points; most of the 4,352 pages are equal, so that the table takes a
 * few dozen kilobytes.
 */
import { ACCEPTS, CLASS_COUNT, CLASS_RUNS, TOKEN_TYPES, TRANSITIONS } from './word-breaks.generated.ts'

export { CLASS_COUNT, TOKEN_TYPES }

export const START_STATE = 1
export const DEAD_STATE = 0

export const nextState = Uint8Array.from(TRANSITIONS)
/** 0: no token ends in this state; else 1 + index into TOKEN_TYPES. */
export const acceptedType = Uint8Array.from(ACCEPTS)

const PAGE = 256
const pageOf = new Uint16Array(0x110000 / PAGE)
const pages = unpack()

export function wordBreakClass(codePoint: number): number {
  return pages[pageOf[codePoint >> 8]! * PAGE + (codePoint & 0xff)]!
}

function unpack(): Uint8Array {
  const flat = new Uint8Array(0x110000)
  let at = 0
  for (let i = 0; i < CLASS_RUNS.length; i += 2) {
    const end = at + CLASS_RUNS[i]!
    flat.fill(CLASS_RUNS[i + 1]!, at, end)
    at = end
  }
  const known = new Map<string, number>()
  const distinct: Uint8Array[] = []
  for (let page = 0; page < pageOf.length; page++) {
    const content = flat.subarray(page * PAGE, (page + 1) * PAGE)
    const key = content.join()
    let number = known.get(key)
    if (number === undefined) {
      number = distinct.push(content) - 1
      known.set(key, number)
    }
    pageOf[page] = number
  }
  const packed = new Uint8Array(distinct.length * PAGE)
  distinct.forEach((content, number) => {
    packed.set(content, number * PAGE)
  })
  return packed
}
