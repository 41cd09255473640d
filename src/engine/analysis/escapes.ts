/** Escapes in the rules of analysis settings, as Java's: `\\n`, `\\u0041`. A character that needs no escape stands for itself. */
import { numberFormat, runtimeFailure } from '../../base/api-error.ts'

const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f' }

export function decodeEscapes(text: string): string {
  let decoded = ''
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '\\') {
      decoded += text[i]
      continue
    }
    const char = text[++i]
    if (char === undefined) throw runtimeFailure(`Invalid escaped char in [${text}]`)
    if (char !== 'u') decoded += CONTROLS[char] ?? char
    else {
      const digits = text.slice(i + 1, i + 5)
      if (digits.length < 4) throw runtimeFailure(`Invalid escaped char in [${text}]`)
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw numberFormat(`For input string: "${digits}" under radix 16`)
      decoded += String.fromCharCode(Number.parseInt(digits, 16))
      i += 4
    }
  }
  return decoded
}
