/** The characters that are equal when case is ignored. */

/** Characters whose case mapping leads to a character that is not theirs alone. */
const SPECIAL = [
  'kK\u212a',
  'sS\u017f',
  'åÅ\u212b',
  'µμΜ',
  'ßẞ',
  'βΒϐ',
  'εΕϵ',
  'θΘϑϴ',
  'ιΙ\u0345\u1fbe',
  'κΚϰ',
  'πΠϖ',
  'ρΡϱ',
  'σΣς',
  'φΦϕ',
  'ωΩ\u2126',
]
const SPECIAL_OF = new Map(SPECIAL.flatMap((group) => [...group].map((char) => [char.codePointAt(0)!, group] as const)))

/** The code point itself first. */
export function caseVariants(code: number): readonly number[] {
  const special = SPECIAL_OF.get(code)
  const text = String.fromCodePoint(code)
  const candidates = special === undefined ? [text.toLowerCase(), text.toUpperCase()] : [...special]
  const found = [code]
  for (const candidate of candidates) {
    const other = candidate.codePointAt(0)!
    // Only characters that remain a single one are equal to others here.
    if (candidate.length === (other > 0xffff ? 2 : 1) && !found.includes(other)) found.push(other)
  }
  return found
}
