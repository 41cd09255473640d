import { invalidEscape, partialEscape, unterminatedEscape } from '../base/errors/http-errors.ts'

/**
 * Decodes `%xx` in a path segment or parameter. Invalid UTF-8 becomes replacement characters and `%%` is one percent
 * sign, so that every request names the same index as on Elasticsearch.
 */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text
  const source = Buffer.from(text)
  const bytes = Buffer.allocUnsafe(source.length)
  let length = 0
  for (let i = 0; i < source.length; i++) {
    if (source[i] !== PERCENT) {
      bytes[length++] = source[i]!
      continue
    }
    if (i === source.length - 1) throw unterminatedEscape(text)
    if (source[i + 1] === PERCENT) {
      bytes[length++] = PERCENT
      i++
      continue
    }
    if (i === source.length - 2) throw partialEscape(text)
    const digits = source.toString('latin1', i + 1, i + 3)
    if (!/^[0-9a-fA-F]{2}$/.test(digits)) throw invalidEscape(`%${digits}`, i, text)
    bytes[length++] = Number.parseInt(digits, 16)
    i += 2
  }
  return bytes.toString('utf8', 0, length)
}

const PERCENT = 0x25
