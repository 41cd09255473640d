/** `sandpiper keys`: API keys of a node. */
import { readFileSync } from 'node:fs'
import { commandArguments } from '../arguments/command-arguments.ts'
import { printedHelp, printHelp } from '../arguments/help.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { readSubcommand } from '../arguments/subcommand.ts'
import { type Accounts, openAccounts } from './accounts.ts'

const HELP = `sandpiper keys: manages the API keys of a node that was started with --security true

Usage
  sandpiper keys list
  sandpiper keys create NAME [flags]   create a key and print it once, in the form that clients expect
  sandpiper keys revoke ID

Flags
  --data FOLDER         the data folder of the node (default ./data, or SANDPIPER_DATA)
  --index NAMES         the indices of the key: names or patterns such as logs-*, separated by commas
  --privileges NAMES    index privileges of the key (default read)
  --role FILE           a role descriptor in JSON instead
  --expiration TIME     time until the key expires: 30d, 12h

A key without --index and --role has all privileges. The commands need read access to the data folder. The node may be running or
stopped.

Examples
  sandpiper keys create shipper --index 'logs-*' --privileges create_doc,auto_configure --expiration 90d
  sandpiper keys list --data /var/lib/sandpiper
`

const COMMANDS = { list: [], create: ['NAME'], revoke: ['ID'] }
const TEXT = { type: 'string' } as const

export async function keys(args: readonly string[]): Promise<void> {
  if (args.length === 0) return printHelp(HELP)
  if (printedHelp(args, HELP)) return
  const { values, positionals } = commandArguments(args, HELP, {
    options: { data: TEXT, index: TEXT, privileges: TEXT, role: TEXT, expiration: TEXT },
    allowPositionals: true,
  })
  const { command, words } = readSubcommand(HELP, positionals, COMMANDS)
  const name = words[0] ?? ''
  const accounts = openAccounts(values.data ?? process.env['SANDPIPER_DATA'] ?? './data')
  try {
    if (command === 'list') return await list(accounts)
    if (command === 'revoke') {
      if (!(await accounts.revokeKey(name))) throw new SettingsError(`there is no key ${name} that could be revoked`)
      process.stdout.write(`revoked ${name}\n`)
      return
    }
    const { id, encoded } = await accounts.createKey({
      name,
      ...(values.expiration === undefined ? {} : { expiration: values.expiration }),
      ...roleOf(values),
    })
    process.stdout.write(`id   ${id}\nkey  ${encoded}\n`)
  } finally {
    await accounts.close()
  }
}

function roleOf({ index, privileges = 'read', role }: { index?: string; privileges?: string; role?: string }) {
  if (role !== undefined) {
    try {
      return { role_descriptors: { role: JSON.parse(readFileSync(role, 'utf8')) as unknown } }
    } catch (error) {
      throw new SettingsError(`cannot read a role from ${role}: ${(error as Error).message}`)
    }
  }
  if (index === undefined) return {}
  return { role_descriptors: { role: { indices: [{ names: index.split(','), privileges: privileges.split(',') }] } } }
}

async function list(accounts: Accounts): Promise<void> {
  for (const { id, name, username, invalidated, expiration } of await accounts.keys()) {
    const until = typeof expiration === 'number' ? `  until ${new Date(expiration).toISOString()}` : ''
    process.stdout.write(
      `${String(id)}  ${String(name)}  ${String(username)}${until}${invalidated === true ? '  (revoked)' : ''}\n`,
    )
  }
}
