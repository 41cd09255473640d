/** The password of the keystore, and the variables of a configuration with the secrets in it. */
import { join, resolve } from 'node:path'
import type { Environment } from '../../pipeline/config/environment.ts'
import { KEYSTORE_FILE, Keystore, KeystoreError } from '../../pipeline/config/keystore.ts'
import { readPassword } from '../accounts/read-password.ts'
import { SettingsError } from '../arguments/settings-error.ts'

/** Logstash's variable is read too. */
const VARIABLES = ['SANDPIPER_KEYSTORE_PASS', 'LOGSTASH_KEYSTORE_PASS']

export const keystorePath = (settingsFolder: string) => join(resolve(settingsFolder), KEYSTORE_FILE)

/** From the environment, or typed. Standard input is left to the pipeline unless it is a terminal. */
export async function keystorePassword(path: string, environment: Environment): Promise<string> {
  for (const name of VARIABLES) {
    const given = environment[name]
    if (given !== undefined && given !== '') return given
  }
  if (process.stdin.isTTY !== true) {
    throw new SettingsError(`${path} needs a password: put it into the variable ${VARIABLES[0]}`)
  }
  return await readPassword(`Password of ${path}: `)
}

/** The environment with the secrets of the keystore, which take precedence. Without a keystore it stays as it is. */
export async function withKeystore(settingsFolder: string, environment: Environment): Promise<Environment> {
  const path = keystorePath(settingsFolder)
  if (!Keystore.exists(path)) return environment
  const password = await keystorePassword(path, environment)
  try {
    return { ...environment, ...Keystore.open(path, password).secrets }
  } catch (error) {
    throw error instanceof KeystoreError ? new SettingsError(error.message) : error
  }
}
