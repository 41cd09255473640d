/**
 * Whether a request may run a script. Member names that begin or end with the word count, also with escapes in them; a field called
 * `description` does not. In other formats than JSON names have no quotes, so the word counts wherever it is.
 */
const IN_JSON = /"_?script|_script"|runtime_mappings|\\u00/
const ANYWHERE = /script|runtime_mappings/

/** `text` is the body of the request as Latin-1: one conversion and searches in it cost less than searches in a buffer. */
export function mentionsScripts(text: string): boolean {
  return (text.startsWith('{') ? IN_JSON : ANYWHERE).test(text)
}
