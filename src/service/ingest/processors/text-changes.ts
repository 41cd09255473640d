/** lowercase, uppercase, trim, bytes, html_strip and urldecode. */
import { illegalArgument } from '../../../base/api-error.ts'
import { parseByteSize } from '../../../base/byte-size.ts'
import { FilteredText } from '../../../engine/analysis/char-filters/filtered-text.ts'
import { htmlStripCharFilter } from '../../../engine/analysis/char-filters/html-strip.ts'
import { ComponentSettings } from '../../../engine/analysis/registry/component-settings.ts'
import { javaInteger } from '../document/document-json.ts'
import { textProcessor } from './text-processor.ts'

export const lowercase = textProcessor(() => (text) => text.toLowerCase())
export const uppercase = textProcessor(() => (text) => text.toUpperCase())
/** Java's String.trim: removes leading and trailing characters up to U+0020. */
export const trim = textProcessor(() => (text) => text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, ''))
export const bytes = textProcessor(() => bytesOf)
export const urldecode = textProcessor(() => urlDecoded)
export const htmlStrip = textProcessor(() => {
  const strip = htmlStripCharFilter(new ComponentSettings('html_strip'))
  return (text) => strip(FilteredText.of(text)).text
})

/** Parses a byte size such as `1kb` to a Java Long. */
export function bytesOf(text: string): bigint {
  return BigInt(parseByteSize(text, 'Ingest Field'))
}

/** Java's URLDecoder: `+` is a space, and escaped bytes are UTF-8. */
export function urlDecoded(text: string): string {
  if (!/[%+]/.test(text)) return text
  const out: Uint8Array[] = []
  const source = Buffer.from(text.replaceAll('+', ' '))
  let from = 0
  for (let at = source.indexOf(0x25); at >= 0; at = source.indexOf(0x25, at)) {
    const digits = source.toString('latin1', at + 1, at + 3)
    if (digits.length < 2) throw illegalArgument('URLDecoder: Incomplete trailing escape (%) pattern')
    if (!/^[0-9a-fA-F]{2}$/.test(digits)) throw illegalArgument(badEscape(digits))
    out.push(source.subarray(from, at), Uint8Array.of(Number.parseInt(digits, 16)))
    at += 3
    from = at
  }
  out.push(source.subarray(from))
  return Buffer.concat(out).toString('utf8')
}

function badEscape(digits: string): string {
  const at = /^[0-9a-fA-F]/.test(digits) ? 1 : 0
  return `URLDecoder: Illegal hex characters in escape (%) pattern - Error at index ${at} in: "${digits}"`
}

/** A Java Long, as in documents. */
export const longOf = (value: bigint): unknown => javaInteger(value)
