/** Byte-level helpers of the JSON reader and of other code that works on its tokens. */

/** Whether the byte may follow a number. */
export function endsNumber(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2c || byte === 0x7d || byte === 0x5d || byte === 0x3a || byte === 0x2f
}

/** Whether the byte may follow `true`, `false` or `null`: any byte that cannot belong to a longer word. */
export function endsWord(byte: number): boolean {
  const lower = byte | 0x20
  const isWord = byte >= 0x80 || (lower >= 0x61 && lower <= 0x7a) || byte === 0x5f
  return byte < 0x30 || !(isWord || byte <= 0x39)
}

export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** Writes a code point and returns the offset after it. A lone surrogate becomes '?', as in Java. */
export function writeUtf8(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) bytes[at++] = code
  else if (code < 0x800) {
    bytes[at++] = 0xc0 | (code >> 6)
    bytes[at++] = 0x80 | (code & 0x3f)
  } else if (code >= 0xd800 && code < 0xe000) bytes[at++] = 0x3f
  else if (code < 0x10000) {
    bytes[at++] = 0xe0 | (code >> 12)
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f)
    bytes[at++] = 0x80 | (code & 0x3f)
  } else {
    bytes[at++] = 0xf0 | (code >> 18)
    bytes[at++] = 0x80 | ((code >> 12) & 0x3f)
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f)
    bytes[at++] = 0x80 | (code & 0x3f)
  }
  return at
}

export function parseSmallInteger(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === 0x2d
  let value = 0
  for (let i = negative ? start + 1 : start; i < end; i++) value = value * 10 + (bytes[i]! - 0x30)
  return negative ? -value : value
}

/** FNV-1a of `bytes[start, end)`, equal to the reader's `nameHash`. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash
}

/** Decodes bytes to a string. Short ASCII runs are decoded in JavaScript, because a native call costs more. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start
  if (length < 24) {
    let text = ''
    let at = start
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte >= 0x80) break
      text += String.fromCharCode(byte)
    }
    if (at === end) return text
  }
  return Buffer.prototype.utf8Slice.call(bytes, start, end)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Longer strings are searched for their end by a native function, whose call costs as much as so many bytes. */
const SHORT_BYTES = 32

/**
 * The position of the bracket that closes the object or array whose content begins at `at`. The content must be valid JSON.
 * -1 if there is none, or if something is not JSON, such as a comment.
 */
export function endOfChecked(bytes: Uint8Array, at: number, limit: number): number {
  let position = at
  for (let open = 1; position < limit; position++) {
    const byte = bytes[position]!
    if (byte === QUOTE) {
      position = endOfString(bytes, position + 1, limit)
      if (position < 0) return -1
    } else if (byte === 0x7b || byte === 0x5b) open++
    else if (byte === 0x7d || byte === 0x5d) {
      if (--open === 0) return position
    } else if (byte === 0x2f) return -1
  }
  return -1
}

/** The position of the quote that ends the string whose content begins at `at`; -1 if there is none. */
export function endOfString(bytes: Uint8Array, at: number, limit: number): number {
  let position = at
  const near = Math.min(limit, at + SHORT_BYTES)
  for (; position < near; position++) {
    const byte = bytes[position]!
    if (byte === QUOTE) return position
    if (byte === BACKSLASH) position++
  }
  for (let from = position; ; from++) {
    from = bytes.indexOf(QUOTE, from)
    if (from < 0 || from >= limit) return -1
    let backslashes = 0
    while (from - backslashes > position && bytes[from - backslashes - 1] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return from
  }
}
