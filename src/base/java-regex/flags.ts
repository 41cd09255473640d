/** The flags of `java.util.regex.Pattern`, with Java's numbers. */
export const UNIX_LINES = 1
export const CASE_INSENSITIVE = 2
export const COMMENTS = 4
export const MULTILINE = 8
export const LITERAL = 16
export const DOTALL = 32
export const UNICODE_CASE = 64
export const CANON_EQ = 128
export const UNICODE_CHARACTER_CLASS = 256

/** Flags by the names used in settings, such as `CASE_INSENSITIVE|COMMENTS`. */
export const FLAGS_BY_NAME: ReadonlyMap<string, number> = new Map([
  ['UNIX_LINES', UNIX_LINES],
  ['CASE_INSENSITIVE', CASE_INSENSITIVE],
  ['COMMENTS', COMMENTS],
  ['MULTILINE', MULTILINE],
  ['LITERAL', LITERAL],
  ['DOTALL', DOTALL],
  ['UNICODE_CASE', UNICODE_CASE],
  ['CANON_EQ', CANON_EQ],
  ['UNICODE_CHAR_CLASS', UNICODE_CHARACTER_CLASS],
])

/** Flags by the letters of inline groups such as `(?i)`. */
export const FLAGS_BY_LETTER: ReadonlyMap<string, number> = new Map([
  ['i', CASE_INSENSITIVE],
  ['m', MULTILINE],
  ['s', DOTALL],
  ['d', UNIX_LINES],
  ['u', UNICODE_CASE],
  ['c', CANON_EQ],
  ['x', COMMENTS],
  ['U', UNICODE_CHARACTER_CLASS | UNICODE_CASE],
])
