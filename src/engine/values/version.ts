/**
 * Software versions as terms that sort like versions: numbers by size (`1.10` after `1.9`), a pre-release before its
 * release, and invalid versions (`1.0.0-`, `latest`) after all valid ones.
 *
 * A group of digits is preceded by a marker and its length, so that a longer number is larger. After the main part a
 * byte states whether a pre-release follows.
 */
const NUMBER = '\u0001'
const PRE_RELEASE = '\u0002'
const RELEASE = '\u0003'
/** Keeps lengths distinct from the characters of a version. */
const LENGTH_BASE = 0x80

const NUMERIC = '(?:0|[1-9]\\d*)'
const VERSION = new RegExp(
  `^(${NUMERIC}(?:\\.${NUMERIC})*)` +
    `(-(?:${NUMERIC}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:${NUMERIC}|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?` +
    '(\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$',
)

export function encodeVersion(text: string): Uint8Array {
  const match = VERSION.exec(text)
  if (match === null) return Buffer.from(text)
  const [, main, preRelease, build = ''] = match as unknown as [string, string, string?, string?]
  const rest = preRelease === undefined ? RELEASE : PRE_RELEASE + withLengths(preRelease)
  return Buffer.from(withLengths(main) + rest + build, 'latin1')
}

export function decodeVersion(term: Uint8Array): string {
  // An invalid version is stored unchanged and may contain any character.
  if (term[0] !== NUMBER.charCodeAt(0)) return Buffer.from(term).toString()
  const text = Buffer.from(term).toString('latin1')
  return text.replace(/\u0001[\u0080-\u00ff]|[\u0002\u0003]/g, '')
}

function withLengths(text: string): string {
  return text.replace(
    /\d+/g,
    (digits) => NUMBER + String.fromCharCode(LENGTH_BASE + Math.min(digits.length, 127)) + digits,
  )
}
