/** Commands with commands of their own, such as `sandpiper users add NAME`. */
import { unknownWord, usageError } from './usage-error.ts'

/** What follows each subcommand on the command line: `{ list: [], add: ['NAME'] }`. */
export type Subcommands<Name extends string> = Readonly<Record<Name, readonly string[]>>

/** Returns the subcommand and its words. Throws a `SettingsError` of one line if `words` are no complete subcommand. */
export function readSubcommand<Name extends string>(
  help: string,
  words: readonly string[],
  table: Subcommands<Name>,
): { readonly command: Name; readonly words: readonly string[] } {
  const [command, ...rest] = words
  const names = Object.keys(table)
  if (command === undefined) throw usageError(help, `one of ${names.join(', ')} is missing`)
  if (!isOneOf(table, command)) throw unknownWord(help, 'command', command, names)
  const missing = table[command][rest.length]
  if (missing !== undefined) throw usageError(help, `${command} needs ${missing}`)
  const extra = rest[table[command].length]
  if (extra !== undefined) throw usageError(help, `unexpected argument "${extra}"`)
  return { command, words: rest }
}

function isOneOf<Name extends string>(table: Subcommands<Name>, word: string): word is Name {
  return Object.hasOwn(table, word)
}
