/** Arguments of commands with a handful of plain flags, read by Node's own parser. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { SettingsError } from './settings-error.ts'

/** Throws a `SettingsError` with the command's help for what the parser does not accept. */
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
