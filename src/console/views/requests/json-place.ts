/** The position of a cursor in a JSON text, which may be incomplete: the enclosing keys and the token being typed. */

export interface JsonPlace {
  /** Enclosing keys, outermost first. Array elements are not counted. */
  readonly path: readonly string[]
  /** Whether a key or a value is expected. */
  readonly expects: 'key' | 'value' | 'nothing'
  /** Whether the value is an element of an array. */
  readonly inArray: boolean
  /** The typed part of the token without its quote, and the offset where it begins. */
  readonly written: string
  readonly from: number
  /** Whether the cursor is inside quotes. */
  readonly quoted: boolean
}

interface Level {
  readonly kind: 'object' | 'array'
  key: string | undefined
  state: 'key' | 'colon' | 'value' | 'done'
}

/** `text` ends at the cursor. */
export function placeAt(text: string): JsonPlace | undefined {
  const stack: Level[] = []
  let at = 0
  let isFinished = false
  const top = () => stack.at(-1)
  const valueDone = () => {
    const level = top()
    if (level === undefined) isFinished = true
    else level.state = 'done'
  }
  const here = (written: string, from: number, quoted: boolean): JsonPlace => {
    const level = top()
    const path = stack.flatMap(({ kind, key }, i) =>
      kind === 'object' && key !== undefined && !(i === stack.length - 1 && level?.state === 'key') ? [key] : [],
    )
    const expects =
      level === undefined
        ? isFinished
          ? 'nothing'
          : 'value'
        : level.kind === 'object' && level.state === 'key'
          ? 'key'
          : level.state === 'value'
            ? 'value'
            : 'nothing'
    return { path, expects, inArray: level?.kind === 'array', written, from, quoted }
  }
  while (at < text.length) {
    const char = text[at]!
    const level = top()
    if (/\s/.test(char)) at++
    else if (char === '{' || char === '[') {
      stack.push(
        char === '{'
          ? { kind: 'object', key: undefined, state: 'key' }
          : { kind: 'array', key: undefined, state: 'value' },
      )
      at++
    } else if (char === '}' || char === ']') {
      stack.pop()
      valueDone()
      at++
    } else if (char === ',') {
      if (level !== undefined) level.state = level.kind === 'object' ? 'key' : 'value'
      at++
    } else if (char === ':') {
      if (level !== undefined) level.state = 'value'
      at++
    } else if (char === '"') {
      const start = at
      for (at++; at < text.length && text[at] !== '"' && text[at] !== '\n'; at++) if (text[at] === '\\') at++
      if (at >= text.length) return here(text.slice(start + 1), start + 1, true)
      const word = text.slice(start + 1, at++)
      if (level?.kind === 'object' && level.state === 'key') {
        level.key = word
        level.state = 'colon'
      } else valueDone()
    } else {
      const start = at
      while (at < text.length && !/[\s,:{}[\]"]/.test(text[at]!)) at++
      if (at >= text.length) return here(text.slice(start), start, false)
      if (!(level?.kind === 'object' && level.state === 'key')) valueDone()
    }
  }
  return here('', text.length, false)
}
