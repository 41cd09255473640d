/** The first password of the user `elastic`: from the environment, a file, or the settings file. */
import { readFileSync, statSync } from 'node:fs'
import { SettingsError } from '../arguments/settings-error.ts'

export function bootstrapPassword(environment: NodeJS.ProcessEnv, inSettings: string | undefined): string | undefined {
  const { ELASTIC_PASSWORD: password, ELASTIC_PASSWORD_FILE: file } = environment
  if (password !== undefined && file !== undefined) {
    throw new SettingsError(
      'ERROR: Both ELASTIC_PASSWORD_FILE and ELASTIC_PASSWORD are set. These are mutually exclusive.',
    )
  }
  if (file !== undefined) return readPasswordFile(file)
  return password === undefined || password === '' ? inSettings : password
}

function readPasswordFile(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) throw new SettingsError(`ERROR: File ${file} from ELASTIC_PASSWORD_FILE does not exist`)
  const mode = (stat.mode & 0o777).toString(8)
  if (process.platform !== 'win32' && mode !== '400' && mode !== '600') {
    throw new SettingsError(
      `ERROR: File ${file} from ELASTIC_PASSWORD_FILE must have file permissions 400 or 600, but actually has: ${mode}`,
    )
  }
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
}
