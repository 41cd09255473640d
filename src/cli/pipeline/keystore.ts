/** `sandpiper keystore`: secrets for `${NAME}` in configurations of the pipeline tool. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Keystore, KeystoreError } from '../../pipeline/config/keystore.ts'
import { readPassword } from '../accounts/read-password.ts'
import { commandArguments } from '../arguments/command-arguments.ts'
import { printedHelp, printHelp } from '../arguments/help.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { readSubcommand } from '../arguments/subcommand.ts'
import { keystorePassword, keystorePath } from './keystore-password.ts'

const HELP = `sandpiper keystore: secrets for \${NAME} in configurations of the pipeline tool, in an encrypted file

Usage
  sandpiper keystore create             create an empty keystore
  sandpiper keystore add NAME           add a secret or replace it; the command prompts for the value, or reads it from standard input
  sandpiper keystore list               the names of the secrets
  sandpiper keystore remove NAME        remove a secret

Flags
  --path.settings FOLDER   the folder of the keystore; sandpiper pipeline needs the same flag (default ./config)

The file sandpiper.keystore is encrypted with a password: the value of the variable SANDPIPER_KEYSTORE_PASS (or
LOGSTASH_KEYSTORE_PASS), or else a prompt. Secrets take precedence over variables of the environment with the same name.

Examples
  export SANDPIPER_KEYSTORE_PASS="$(cat /etc/sandpiper/keystore-password)"
  sandpiper keystore create
  sandpiper keystore add ES_PWD < password.txt
  echo 'output { elasticsearch { user => "shipper" password => "\${ES_PWD}" } }'
`

const COMMANDS = { create: [], add: ['NAME'], list: [], remove: ['NAME'] }

export async function keystore(args: readonly string[]): Promise<void> {
  if (args.length === 0) return printHelp(HELP)
  if (printedHelp(args, HELP)) return
  const { values, positionals } = commandArguments(args, HELP, {
    options: { 'path.settings': { type: 'string' } },
    allowPositionals: true,
  })
  const { command, words } = readSubcommand(HELP, positionals, COMMANDS)
  const path = keystorePath(values['path.settings'] ?? 'config')
  try {
    await run(path, command, words[0] ?? '')
  } catch (error) {
    throw error instanceof KeystoreError ? new SettingsError(error.message) : error
  }
}

async function run(path: string, command: keyof typeof COMMANDS, name: string): Promise<void> {
  if (command === 'create') {
    mkdirSync(dirname(path), { recursive: true })
    Keystore.create(path, await keystorePassword(path, process.env))
    process.stdout.write(`created ${path}\n`)
    return
  }
  if (command === 'list') {
    for (const known of (await opened(path)).names) process.stdout.write(`${known}\n`)
    return
  }
  const secrets = await opened(path)
  if (command === 'remove') {
    if (!secrets.remove(name)) throw new SettingsError(`there is no secret ${name}`)
    process.stdout.write(`removed ${name}\n`)
    return
  }
  const replaces = secrets.has(name)
  secrets.set(name, await readPassword(`Value of ${name}: `))
  process.stdout.write(`${replaces ? 'replaced' : 'added'} ${name}\n`)
}

async function opened(path: string): Promise<Keystore> {
  if (!Keystore.exists(path))
    throw new SettingsError(`there is no keystore at ${path}. Make one with sandpiper keystore create`)
  return Keystore.open(path, await keystorePassword(path, process.env))
}
