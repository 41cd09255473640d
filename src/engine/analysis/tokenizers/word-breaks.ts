/**
 * The automaton of the standard tokenizer, unpacked from its generated form.
 *
 * A class lookup takes two steps over pages of 256 code points. Most of the 4,352 pages are equal, so the table takes
 * only a few dozen kilobytes.
 */
import { ACCEPTS, CLASS_COUNT, CLASS_RUNS, TOKEN_TYPES, TRANSITIONS } from './word-breaks.generated.ts'

export { CLASS_COUNT, TOKEN_TYPES }

export const START_STATE = 1
export const DEAD_STATE = 0

export const nextState = Uint8Array.from(TRANSITIONS)
/** 0: no token ends in this state; otherwise 1 + index into TOKEN_TYPES. */
export const acceptedType = Uint8Array.from(ACCEPTS)

const PAGE = 256
const pageOf = new Uint16Array(0x110000 / PAGE)
const pages = unpack()

export function wordBreakClass(codePoint: number): number {
  return pages[pageOf[codePoint >> 8]! * PAGE + (codePoint & 0xff)]!
}

/** Runs at startup, so pages within one run (nearly all) are shared without being examined. */
function unpack(): Uint8Array {
  const packed: Uint8Array[] = []
  const uniform = new Map<number, number>()
  let run = 0
  let runEnd = CLASS_RUNS[0]!
  const toRunAt = (codePoint: number) => {
    while (runEnd <= codePoint) {
      run += 2
      runEnd += CLASS_RUNS[run]!
    }
    return CLASS_RUNS[run + 1]!
  }
  for (let page = 0; page < pageOf.length; page++) {
    const start = page * PAGE
    const first = toRunAt(start)
    let number = runEnd >= start + PAGE ? uniform.get(first) : undefined
    if (number === undefined) {
      const isUniform = runEnd >= start + PAGE
      const content = new Uint8Array(PAGE)
      for (let at = start; at < start + PAGE; at = runEnd) content.fill(toRunAt(at), at - start, PAGE)
      number = packed.push(content) - 1
      if (isUniform) uniform.set(first, number)
    }
    pageOf[page] = number
  }
  const flat = new Uint8Array(packed.length * PAGE)
  packed.forEach((content, number) => {
    flat.set(content, number * PAGE)
  })
  return flat
}
