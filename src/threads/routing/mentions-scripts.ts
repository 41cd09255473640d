/**
 * Whether a request may run a script. Member names that begin or end with the word count, also with escapes in them; a field called
 * `description` does not. In other formats than JSON names have no quotes, so the word counts wherever it is.
 */
const IN_JSON = /"_?script|_script"|runtime_mappings|\\u00/
const ANYWHERE = /script|runtime_mappings/
const OPENING_BRACE = 0x7b

export function mentionsScripts(body: Buffer): boolean {
  // One conversion to a string and a search in it cost less than searches in a buffer.
  return (body[0] === OPENING_BRACE ? IN_JSON : ANYWHERE).test(body.toString('latin1'))
}
