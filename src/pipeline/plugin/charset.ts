/** Decodes bytes to text in the `charset` of a codec. */
import { PluginOptionError } from './plugin-context.ts'

export interface Charset {
  readonly name: string
  decode(bytes: Uint8Array): string
  /** Encodes a delimiter, so that it can be found before decoding. */
  encode(text: string): Buffer
}

export function charsetOf(name: string): Charset {
  const label = name.toLowerCase().replace(/^cp(125\d)$/, 'windows-$1')
  if (label === 'utf-8' || label === 'utf8') return utf8
  if (label === 'iso-8859-1' || label === 'latin1') return latin1
  if (/^(?:ascii|us-ascii|ansi_x3\.4-1968|646|binary|ascii-8bit)$/.test(label)) return asciiNamed(name)
  let decoder: InstanceType<typeof TextDecoder>
  try {
    decoder = new TextDecoder(label === 'utf-16' ? 'utf-16be' : label)
  } catch {
    throw new PluginOptionError(`unknown charset ${name}`)
  }
  const bigEndian = decoder.encoding === 'utf-16be'
  const encode = (text: string) => {
    if (!decoder.encoding.startsWith('utf-16')) return Buffer.from(text, 'latin1')
    const bytes = Buffer.from(text, 'utf16le')
    return bigEndian ? bytes.swap16() : bytes
  }
  return { name, decode: (bytes) => decoder.decode(bytes), encode }
}

const latin1: Charset = {
  name: 'ISO-8859-1',
  decode: (bytes) => asBuffer(bytes).toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1'),
}

/** Bytes that are no ASCII have no meaning in these charsets, and Ruby replaces each of them. */
function asciiNamed(name: string): Charset {
  return {
    name,
    decode: (bytes) =>
      asBuffer(bytes)
        .toString('latin1')
        .replaceAll(/[\x80-\xff]/g, REPLACEMENT),
    encode: (text) => Buffer.from(text, 'latin1'),
  }
}

const REPLACEMENT = '\ufffd'

/** Invalid UTF-8 bytes are shown as `\xE9`, so that no data is lost silently. */
export const utf8: Charset = {
  name: 'UTF-8',
  decode(bytes) {
    const text = asBuffer(bytes).toString('utf8')
    return text.includes(REPLACEMENT) ? decodeDamaged(bytes) : text
  },
  encode: (text) => Buffer.from(text),
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function decodeDamaged(bytes: Uint8Array): string {
  let text = ''
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length > 0) text += asBuffer(bytes).toString('utf8', at, at + length)
    else text += `\\x${bytes[at]!.toString(16).toUpperCase().padStart(2, '0')}`
    at += Math.max(length, 1)
  }
  return text
}

/** The length of the valid character at an offset; 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  if (lead < 0x80) return 1
  const length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0
  if (length === 0 || at + length > bytes.length) return 0
  for (let i = 1; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0
  const second = bytes[at + 1]!
  const tooLong = (lead === 0xe0 && second < 0xa0) || (lead === 0xf0 && second < 0x90)
  const tooLarge = (lead === 0xed && second > 0x9f) || (lead === 0xf4 && second > 0x8f)
  return tooLong || tooLarge ? 0 : length
}
