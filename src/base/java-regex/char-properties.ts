/** The character sets behind `\w`, `\p{Alpha}`, `\p{IsGreek}`, `\p{InCyrillic}` and `\p{javaLowerCase}`. */
import { CharSet } from './char-set.ts'
import { UNICODE_BLOCKS } from './unicode-blocks.ts'

const ranges = CharSet.ranges
const property = CharSet.property

export const LINE_TERMINATORS = ranges(0x0a, 0x0a, 0x0d, 0x0d, 0x85, 0x85, 0x2028, 0x2029)
export const ANY = ranges(0, 0x10ffff)
export const VERTICAL_SPACE = ranges(0x0a, 0x0d, 0x85, 0x85, 0x2028, 0x2029)
export const HORIZONTAL_SPACE = ranges(
  ...[0x20, 0x20, 0x09, 0x09, 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a, 0x202f, 0x202f],
  ...[0x205f, 0x205f, 0x3000, 0x3000],
)

const DIGIT = ranges(0x30, 0x39)
const SPACE = ranges(0x20, 0x20, 0x09, 0x0d)
const WORD = ranges(0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a)
const ALPHA = ranges(0x41, 0x5a, 0x61, 0x7a)
const LOWER = ranges(0x61, 0x7a)
const UPPER = ranges(0x41, 0x5a)

type Maker = () => CharSet

const once = (make: Maker): Maker => {
  let made: CharSet | undefined
  return () => {
    made ??= make()
    return made
  }
}

const UNICODE_WORD = once(() =>
  CharSet.union([...['Alphabetic', 'M', 'Nd', 'Pc', 'Join_Control'].map((name) => property(name))]),
)

/** `\d`, `\s` and `\w`, plain or with UNICODE_CHARACTER_CLASS. */
export function shorthand(letter: string, unicode: boolean): CharSet {
  if (letter === 'd') return unicode ? property('Nd') : DIGIT
  if (letter === 's') return unicode ? property('White_Space') : SPACE
  return unicode ? UNICODE_WORD() : WORD
}

const POSIX: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['ASCII', () => ranges(0, 0x7f)],
  ['Alnum', () => ranges(0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a)],
  ['Alpha', () => ALPHA],
  ['Blank', () => ranges(0x20, 0x20, 0x09, 0x09)],
  ['Cntrl', () => ranges(0, 0x1f, 0x7f, 0x7f)],
  ['Digit', () => DIGIT],
  ['Graph', () => ranges(0x21, 0x7e)],
  ['Lower', () => LOWER],
  ['Print', () => ranges(0x20, 0x7e)],
  ['Punct', () => ranges(0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e)],
  ['Space', () => SPACE],
  ['Upper', () => UPPER],
  ['XDigit', () => ranges(0x30, 0x39, 0x41, 0x46, 0x61, 0x66)],
])

const union = (...names: readonly string[]): Maker => once(() => CharSet.union(names.map((name) => property(name))))

/**
 * POSIX names under UNICODE_CHARACTER_CLASS, and properties written as `IsAlphabetic`. Keys are upper case without
 * underscores.
 */
const UNICODE_PROPERTIES: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['ALPHA', union('Alphabetic')],
  ['ALPHABETIC', union('Alphabetic')],
  ['ALNUM', union('Alphabetic', 'Nd')],
  ['LETTER', union('L')],
  ['IDEOGRAPHIC', union('Ideographic')],
  ['LOWER', union('Lowercase')],
  ['LOWERCASE', union('Lowercase')],
  ['UPPER', union('Uppercase')],
  ['UPPERCASE', union('Uppercase')],
  ['TITLECASE', union('Lt')],
  ['WHITESPACE', union('White_Space')],
  ['SPACE', union('White_Space')],
  ['CONTROL', union('Cc')],
  ['CNTRL', union('Cc')],
  ['PUNCT', union('P')],
  ['PUNCTUATION', union('P')],
  ['HEXDIGIT', union('Nd', 'Hex_Digit')],
  ['XDIGIT', union('Nd', 'Hex_Digit')],
  ['ASSIGNED', once(() => property('Cn').negate())],
  ['NONCHARACTERCODEPOINT', union('Noncharacter_Code_Point')],
  ['DIGIT', union('Nd')],
  ['BLANK', union('Zs')],
  ['WORD', UNICODE_WORD],
  ['JOINCONTROL', union('Join_Control')],
  ['EMOJI', union('Emoji')],
  ['EMOJIPRESENTATION', union('Emoji_Presentation')],
  ['EMOJIMODIFIER', union('Emoji_Modifier')],
  ['EMOJIMODIFIERBASE', union('Emoji_Modifier_Base')],
  ['EMOJICOMPONENT', union('Emoji_Component')],
  ['EXTENDEDPICTOGRAPHIC', union('Extended_Pictographic')],
  ['GRAPH', once(() => CharSet.union(['White_Space', 'Cc', 'Cs', 'Cn'].map((name) => property(name))).negate())],
  ['PRINT', once(() => CharSet.union(['Zl', 'Zp', 'Cc', 'Cs', 'Cn'].map((name) => property(name))).negate())],
])

const JAVA_METHODS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['javaLowerCase', union('Lowercase')],
  ['javaUpperCase', union('Uppercase')],
  ['javaAlphabetic', union('Alphabetic')],
  ['javaIdeographic', union('Ideographic')],
  ['javaTitleCase', union('Lt')],
  ['javaDigit', union('Nd')],
  ['javaDefined', once(() => property('Cn').negate())],
  ['javaLetter', union('L')],
  ['javaLetterOrDigit', union('L', 'Nd')],
  ['javaSpaceChar', union('Z')],
  [
    'javaWhitespace',
    once(() =>
      CharSet.union([
        property('Z').and(ranges(0xa0, 0xa0, 0x2007, 0x2007, 0x202f, 0x202f).negate()),
        ranges(0x09, 0x0d, 0x1c, 0x1f),
      ]),
    ),
  ],
  ['javaISOControl', () => ranges(0, 0x1f, 0x7f, 0x9f)],
  [
    'javaMirrored',
    // JavaScript has the property under this name only.
    once(() => property('Bidi_Mirrored')),
  ],
])

/** The set for a name in `\p{…}`. Undefined when Java does not know the name either. */
export function namedProperty(name: string, unicodeClasses: boolean, ignoreCase: boolean): CharSet | undefined {
  const equals = name.indexOf('=')
  if (equals >= 0) return keyedProperty(name.slice(0, equals).toLowerCase(), name.slice(equals + 1), ignoreCase)
  if (name.startsWith('In')) return block(name.slice(2))
  if (name.startsWith('Is')) {
    const rest = name.slice(2)
    return UNICODE_PROPERTIES.get(plain(casedName(rest, ignoreCase)))?.() ?? category(rest, ignoreCase) ?? script(rest)
  }
  const posix = POSIX.get(name)
  if (posix !== undefined) {
    if (unicodeClasses) return UNICODE_PROPERTIES.get(casedName(name, ignoreCase).toUpperCase())?.() ?? posix()
    return ignoreCase && (name === 'Lower' || name === 'Upper') ? ALPHA : posix()
  }
  if (ignoreCase && /^java(?:Lower|Upper|Title)Case$/.test(name)) return namedProperty('IsAlphabetic', false, false)
  return JAVA_METHODS.get(name)?.() ?? category(name, ignoreCase)
}

function keyedProperty(key: string, value: string, ignoreCase: boolean): CharSet | undefined {
  if (key === 'sc' || key === 'script') return script(value)
  if (key === 'blk' || key === 'block') return block(value)
  if (key === 'gc' || key === 'general_category') return category(value, ignoreCase)
  return undefined
}

/** In case-insensitive mode the upper-case and lower-case properties match letters of any case. */
function casedName(name: string, ignoreCase: boolean): string {
  return ignoreCase && /^(?:lower|upper|title)/i.test(name) ? 'Alphabetic' : name
}

const plain = (name: string) => name.replaceAll('_', '').toUpperCase()

const CATEGORY = /^(?:L[ultmoCD1]?|M[nce]?|N[dlo]?|Z[slp]?|C[cfson]?|P[dsecifo]?|S[mcko]?|all)$/u

function category(name: string, ignoreCase: boolean): CharSet | undefined {
  if (!CATEGORY.test(name)) return undefined
  if (name === 'L1') return ranges(0, 0xff)
  if (name === 'all') return ANY
  if (name === 'LD') return CharSet.union([property('L'), property('Nd')])
  if (name === 'LC' || (ignoreCase && /^L[ult]$/.test(name))) return property('LC')
  return property(name)
}

function script(name: string): CharSet | undefined {
  const title = name
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('_')
  for (const candidate of [name, title]) {
    if (!/^\w+$/.test(candidate)) continue
    try {
      return property(`Script=${candidate}`)
    } catch {
      // Try the next spelling.
    }
  }
  return undefined
}

function block(name: string): CharSet | undefined {
  const bounds = UNICODE_BLOCKS.get(name.replaceAll(/[\s_-]/g, '').toUpperCase())
  return bounds === undefined ? undefined : ranges(bounds[0], bounds[1])
}
