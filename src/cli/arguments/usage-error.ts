/** Mistakes in the arguments of a command: one line that says what is wrong, and where the help is. */
import { closestWords } from '../../base/suggest.ts'
import { SettingsError } from './settings-error.ts'

/** The help of a command begins with its name: `sandpiper users: manages…`. */
export function usageError(help: string, problem: string): SettingsError {
  return new SettingsError(`${problem} (see ${help.slice(0, help.indexOf(':'))} --help)`)
}

/** The error for a word that is none of `known`. `kind` is what the word should be, such as `flag`. */
export function unknownWord(help: string, kind: string, word: string, known: readonly string[]): SettingsError {
  const [close] = closestWords(word, known)
  return usageError(help, `unknown ${kind} ${word}${close === undefined ? '' : `; did you mean ${close}?`}`)
}
