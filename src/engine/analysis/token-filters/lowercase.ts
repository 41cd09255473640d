/** `lowercase` and `uppercase`, with variants for three languages. */

import { illegalArgument } from '../../../base/api-error.ts'
import { lowerCase, mapCodePoints, upperCase } from '../letter-case.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { mapTerms } from './map-terms.ts'

export function lowercaseFilter(settings: ComponentSettings): TokenFilter {
  const language = settings.string('language')
  if (language === undefined) return Object.assign(mapTerms(lowerCase), { inBytes: { kind: 'lowercase' } as const })
  if (language.toLowerCase() === 'greek') return mapTerms(greekLowerCase)
  if (language.toLowerCase() === 'irish') return mapTerms(irishLowerCase)
  if (language.toLowerCase() === 'turkish') return mapTerms(turkishLowerCase)
  throw illegalArgument(`language [${language}] not support for lower case`)
}

export function uppercaseFilter(): TokenFilter {
  return mapTerms(upperCase)
}

const GREEK_VARIANTS: Record<string, string> = {
  ς: 'σ',
  ά: 'α',
  Ά: 'α',
  έ: 'ε',
  Έ: 'ε',
  ή: 'η',
  Ή: 'η',
  ί: 'ι',
  Ί: 'ι',
  ϊ: 'ι',
  Ϊ: 'ι',
  ΐ: 'ι',
  ό: 'ο',
  Ό: 'ο',
  ύ: 'υ',
  Ύ: 'υ',
  ϋ: 'υ',
  Ϋ: 'υ',
  ΰ: 'υ',
  ώ: 'ω',
  Ώ: 'ω',
  '΢': 'ς',
}

/** Also removes tonos and dialytika, and writes a final sigma as a regular one. */
export function greekLowerCase(text: string): string {
  let out = ''
  for (const char of text) out += GREEK_VARIANTS[char] ?? lowerCase(char)
  return out
}

const isIrishVowel = (char: string | undefined) => char !== undefined && /[AEIOUÁÉÍÓÚ]/.test(char)

/** Keeps the prefix of nAthair and tUisce separate: n-athair, t-uisce. */
export function irishLowerCase(text: string): string {
  if (text.length > 1 && (text[0] === 'n' || text[0] === 't') && isIrishVowel(text[1])) {
    return `${text[0]}-${lowerCase(text.slice(1))}`
  }
  return lowerCase(text)
}

const DOT_ABOVE = 0x307

/** I is the capital of ı, and İ that of i, whether the dot is part of the letter or follows it. */
export function turkishLowerCase(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (char === 'İ') out += 'i'
    else if (char === 'I') {
      let j = i + 1
      while (j < text.length && /\p{Mn}/u.test(text[j]!) && text.charCodeAt(j) !== DOT_ABOVE) j++
      const dotted = text.charCodeAt(j) === DOT_ABOVE
      out += dotted ? 'i' : 'ı'
      if (dotted) {
        out += text.slice(i + 1, j)
        i = j
      }
    } else if (char >= '\ud800' && char <= '\udfff') out += char
    else out += mapCodePoints(char, (codePoint) => lowerCase(String.fromCodePoint(codePoint)).codePointAt(0)!)
  }
  return out
}
