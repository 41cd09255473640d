/**
 * Lucene's stored form of an `_id`. We do not store ids this way, but the slices of a scroll are determined by a hash
 * of it, and clients that use slices must find the same documents in them.
 */
const NUMERIC = 0xfe
const UTF8 = 0xff
/** Decoded base64 that starts with one of the marker bytes is prefixed with this one. */
const ESCAPE = 0xfd

export function storedIdBytes(id: string): Uint8Array {
  if (isDigits(id)) return packDigits(id)
  if (isBase64Url(id)) {
    const decoded = Buffer.from(id, 'base64url')
    return decoded[0]! >= ESCAPE ? Buffer.concat([Buffer.of(ESCAPE), decoded]) : decoded
  }
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(id) + 1)
  bytes[0] = UTF8
  bytes.write(id, 1)
  return bytes
}

function isDigits(id: string): boolean {
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i)
    if (code < 0x30 || code > 0x39) return false
  }
  return id.length > 0
}

/** Two digits per byte, high half first; an odd last digit is padded. */
function packDigits(id: string): Uint8Array {
  const bytes = new Uint8Array(1 + ((id.length + 1) >> 1))
  bytes[0] = NUMERIC
  for (let i = 0; i < id.length; i += 2) {
    const high = id.charCodeAt(i) - 0x30
    const low = i + 1 === id.length ? 0xf : id.charCodeAt(i + 1) - 0x30
    bytes[1 + (i >> 1)] = (high << 4) | low
  }
  return bytes
}

/** Whether encoding would reproduce the same text: the bits after the last byte must be zero. */
function isBase64Url(id: string): boolean {
  if (!/^[A-Za-z0-9_-]+$/.test(id)) return false
  switch (id.length & 3) {
    case 1:
      return false
    case 2:
      return /[AQgw]$/.test(id)
    case 3:
      return /[AEIMQUYcgkosw048]$/.test(id)
    default:
      return true
  }
}
