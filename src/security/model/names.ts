/** Rules for the names of users and roles. */
const NAME_LENGTH_MAX = 507
const PRINTABLE = /^[\x20-\x7e]+$/

export function isValidName(name: string): boolean {
  return name.length <= NAME_LENGTH_MAX && PRINTABLE.test(name) && name.trim() === name
}

/** `kind` is `User` or `Role`. */
export const invalidName = (kind: 'User' | 'Role') =>
  `${kind} names must be at least 1 and no more than ${NAME_LENGTH_MAX} characters. They can contain alphanumeric characters ` +
  '(a-z, A-Z, 0-9), spaces, punctuation, and printable symbols in the Basic Latin (ASCII) block. ' +
  'Leading or trailing whitespace is not allowed.'
