/** Parses the arguments of commands with a few plain flags, using Node's own parser. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { SettingsError } from './settings-error.ts'

/** Throws a `SettingsError` with the command's help when the arguments are invalid. */
export function commandArguments<T extends ParseArgsConfig>(
  args: readonly string[],
  help: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs<T>({ ...config, args: [...args] })
  } catch (error) {
    throw new SettingsError(`${(error as Error).message}\n\n${help}`)
  }
}
