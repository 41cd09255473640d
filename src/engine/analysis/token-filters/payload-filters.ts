/** `delimited_payload` and `type_as_payload`: attach bytes to a token. */

import { illegalNumber } from '../../../base/errors/value-errors.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'

const SHOWS_PAYLOAD = { attributes: ['payload'] as const }

export function delimitedPayloadFilter(settings: ComponentSettings): TokenFilter {
  const delimiter = (settings.string('delimiter') ?? '|').slice(0, 1)
  const encode = encoderOf(settings.string('encoding') ?? 'float')
  return Object.assign<TokenFilter, typeof SHOWS_PAYLOAD>((stream) => {
    for (const token of stream.tokens) {
      const at = token.term.indexOf(delimiter)
      if (at < 0) continue
      token.payload = encode(token.term.slice(at + 1))
      token.term = token.term.slice(0, at)
    }
    return stream
  }, SHOWS_PAYLOAD)
}

export function typeAsPayloadFilter(): TokenFilter {
  return Object.assign<TokenFilter, typeof SHOWS_PAYLOAD>((stream) => {
    for (const token of stream.tokens) token.payload = Buffer.from(token.type)
    return stream
  }, SHOWS_PAYLOAD)
}

function encoderOf(encoding: string): (text: string) => Uint8Array {
  if (encoding === 'identity') return (text) => Buffer.from(text)
  // As in Elasticsearch, a word that names no encoding means numbers with decimals.
  return (text) => {
    const value = Number(text)
    if (Number.isNaN(value) || text.trim() === '') throw illegalNumber(text)
    const bytes = Buffer.alloc(4)
    if (encoding !== 'int') bytes.writeFloatBE(value)
    else bytes.writeInt32BE(value)
    return bytes
  }
}
