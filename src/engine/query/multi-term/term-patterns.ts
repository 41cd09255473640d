/** Terms that match a prefix, a wildcard or a case-insensitive word. */

/** Lower-cases ASCII letters. */
export function foldCase(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte))
}

/** Whether `term`, with ASCII letters lower-cased, equals `folded`. */
export function lowerCaseEquals(term: Uint8Array, folded: Uint8Array): boolean {
  return term.length === folded.length && lowerCaseStartsWith(term, folded)
}

export function lowerCaseStartsWith(term: Uint8Array, folded: Uint8Array): boolean {
  if (term.length < folded.length) return false
  for (let i = 0; i < folded.length; i++) {
    const byte = term[i]!
    if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== folded[i]) return false
  }
  return true
}

/** The first byte string after all that start with `prefix`; undefined if there is none. */
export function prefixEnd(prefix: Uint8Array): Uint8Array | undefined {
  let length = prefix.length
  while (length > 0 && prefix[length - 1] === 0xff) length--
  if (length === 0) return undefined
  const end = Uint8Array.from(prefix.subarray(0, length))
  end[length - 1] = end[length - 1]! + 1
  return end
}

const STAR = -1
const ANY = -2

/** `*` matches any run, `?` any one character, a backslash escapes the next character. Works on code points. */
export class WildcardPattern {
  /** Text before the first wildcard: only terms with this prefix can match. */
  readonly literalPrefix: string
  readonly #parts: readonly number[]
  readonly #fold: boolean

  constructor(pattern: string, caseInsensitive: boolean) {
    const parts: number[] = []
    const characters = [...pattern]
    let prefixLength = -1
    for (let i = 0; i < characters.length; i++) {
      const character = characters[i]!
      if (character === '*' || character === '?') {
        if (prefixLength < 0) prefixLength = parts.length
        parts.push(character === '*' ? STAR : ANY)
      } else if (character === '\\' && i + 1 < characters.length) parts.push(characters[++i]!.codePointAt(0)!)
      else parts.push(character.codePointAt(0)!)
    }
    this.#fold = caseInsensitive
    this.#parts = caseInsensitive ? parts.map(foldCode) : parts
    const prefix = prefixLength < 0 ? parts : parts.slice(0, prefixLength)
    this.literalPrefix = caseInsensitive ? '' : String.fromCodePoint(...prefix)
  }

  /** Whether every term matches. */
  get matchesAll(): boolean {
    return this.#parts.length === 1 && this.#parts[0] === STAR
  }

  matches(text: string): boolean {
    const parts = this.#parts
    const codes = [...text].map((character) => character.codePointAt(0)!)
    // On a mismatch only the last star can match more, so one position to return to is enough.
    let at = 0
    let part = 0
    let star = -1
    let starAt = 0
    while (at < codes.length) {
      const code = this.#fold ? foldCode(codes[at]!) : codes[at]!
      if (part < parts.length && (parts[part] === ANY || parts[part] === code)) {
        at++
        part++
      } else if (part < parts.length && parts[part] === STAR) {
        star = part++
        starAt = at
      } else if (star >= 0) {
        part = star + 1
        at = ++starAt
      } else return false
    }
    while (part < parts.length && parts[part] === STAR) part++
    return part === parts.length
  }
}

function foldCode(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code
}
