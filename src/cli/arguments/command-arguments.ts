/** Parses the arguments of commands with a few plain flags, using Node's own parser. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { unknownWord, usageError } from './usage-error.ts'

/** Throws a `SettingsError` of one line when the arguments are invalid. `help` is the text of the command's `--help`. */
export function commandArguments<T extends ParseArgsConfig>(
  args: readonly string[],
  help: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs<T>({ ...config, args: [...args] })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const flag = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']*)'/.exec(message)?.[1] : undefined
    if (flag === undefined) throw usageError(help, firstSentence(message))
    const known = Object.keys(config.options ?? {}).map((name) => `--${name}`)
    throw unknownWord(help, 'flag', flag, known)
  }
}

/** Node adds advice about `--` behind its first sentence, which is about texts that begin with a dash. */
function firstSentence(message: string): string {
  return (/^.*?(?=\.(?:\s|$)|\n|$)/s.exec(message)?.[0] ?? message).trim()
}
