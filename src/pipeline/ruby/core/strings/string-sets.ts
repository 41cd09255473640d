/** String methods with character sets such as `a-z` and `^0-9`: tr, delete, count, squeeze. */
import { ANY, atLeast, define, StringClass } from '../../runtime/classes.ts'
import { toText } from '../../runtime/convert.ts'
import { argumentError } from '../../runtime/errors.ts'
import { charsOf, type RString } from '../../runtime/string.ts'
import { both } from './string-change.ts'

interface CharacterSet {
  readonly negated: boolean
  readonly chars: readonly string[]
}

function parseSet(text: string): CharacterSet {
  const all = charsOf(text)
  const negated = all.length > 1 && all[0] === '^'
  const source = negated ? all.slice(1) : all
  const chars: string[] = []
  for (let i = 0; i < source.length; i++) {
    const char = source[i]!
    if (char === '\\' && i + 1 < source.length) chars.push(source[++i]!)
    else if (source[i + 1] === '-' && i + 2 < source.length) {
      const [low, high] = [char.codePointAt(0)!, source[i + 2]!.codePointAt(0)!]
      if (low > high) throw argumentError(`invalid range "${char}-${source[i + 2]}" in string transliteration`)
      for (let code = low; code <= high; code++) chars.push(String.fromCodePoint(code))
      i += 2
    } else chars.push(char)
  }
  return { negated, chars }
}

const known = new Map<string, (char: string) => boolean>()

/** Whether a character is in all sets. */
function memberTest(sets: readonly string[]): (char: string) => boolean {
  const key = sets.join('\0')
  let test = known.get(key)
  if (test === undefined) {
    const parsed = sets.map((set) => {
      const { negated, chars } = parseSet(set)
      return { negated, members: new Set(chars) }
    })
    test = (char) => parsed.every(({ negated, members }) => members.has(char) !== negated)
    if (known.size > 1000) known.clear()
    known.set(key, test)
  }
  return test
}

define<RString>(StringClass, 'count', atLeast(1), (self, sets) => {
  const test = memberTest(sets.map(toText))
  let count = 0
  for (const char of self.text) if (test(char)) count++
  return count
})
both('delete', atLeast(1), ({ text }, sets) => {
  const test = memberTest(sets.map(toText))
  return charsOf(text)
    .filter((char) => !test(char))
    .join('')
})
both('squeeze', ANY, ({ text }, sets) => {
  const test = sets.length === 0 ? () => true : memberTest(sets.map(toText))
  return charsOf(text)
    .filter((char, i, all) => i === 0 || char !== all[i - 1] || !test(char))
    .join('')
})

/** Replaces characters of one set by characters of another. */
function translated(text: string, from: string, to: string, squeezes: boolean): string {
  const source = parseSet(from)
  const target = to === '' ? [] : parseSet(to).chars
  const last = target[target.length - 1] ?? ''
  const places = new Map<string, number>()
  source.chars.forEach((char, i) => {
    if (!places.has(char)) places.set(char, i)
  })
  let out = ''
  let before: string | undefined
  for (const char of charsOf(text)) {
    const place = places.get(char)
    const isMember = (place !== undefined) !== source.negated
    if (!isMember) {
      out += char
      before = undefined
      continue
    }
    const replacement = source.negated ? last : (target[place!] ?? last)
    if (squeezes && replacement === before) continue
    out += replacement
    before = replacement
  }
  return out
}
both('tr', 2, ({ text }, [from, to]) => translated(text, toText(from!), toText(to!), false))
both('tr_s', 2, ({ text }, [from, to]) => translated(text, toText(from!), toText(to!), true))
