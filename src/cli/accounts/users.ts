/** `sandpiper users`: who may log in to a node. */
import { newPassword } from '../../security/model/password-hash.ts'
import { commandArguments } from '../arguments/command-arguments.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { type Accounts, openAccounts } from './accounts.ts'
import { readPassword } from './read-password.ts'

const HELP = `sandpiper users: who may log in to a node that was started with --security true

Usage
  sandpiper users list
  sandpiper users add NAME --roles ROLES     make a user; the password is asked for, or read from standard input
  sandpiper users passwd NAME                change a password; elastic's too, should nobody know it any more
  sandpiper users remove NAME                remove a user and end the API keys the user has made

Flags
  --data FOLDER   the data folder of the node (default ./data, or SANDPIPER_DATA)
  --roles ROLES   names of roles with commas between: superuser, viewer, or one of your own
  --generate      make up a password and print it

They work on a node that runs, as long as its data folder can be read, and on the data folder of one that does not.

Examples
  sandpiper users add ann --roles viewer
  sandpiper users passwd elastic --generate --data /var/lib/sandpiper
`

const TEXT = { type: 'string' } as const

export async function users(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) return void process.stdout.write(HELP)
  const { values, positionals } = commandArguments(args, HELP, {
    options: { data: TEXT, roles: TEXT, generate: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [command, name, ...rest] = positionals
  if (rest.length > 0) throw new SettingsError(`unexpected argument "${rest[0]}"\n\n${HELP}`)
  const accounts = openAccounts(values.data ?? process.env['SANDPIPER_DATA'] ?? './data')
  try {
    if (command === 'list' && name === undefined) return await list(accounts)
    if (name === undefined || !['add', 'passwd', 'remove'].includes(command ?? '')) throw new SettingsError(HELP)
    if (command === 'remove') {
      if (!(await accounts.removeUser(name))) throw new SettingsError(`there is no user ${name}`)
      process.stdout.write(`removed ${name}\n`)
      return
    }
    if (command === 'add' && values.roles === undefined) throw new SettingsError(`--roles says what ${name} may do`)
    const password = values.generate === true ? newPassword() : await readPassword(`Password of ${name}: `)
    if (command === 'add') await accounts.addUser(name, password, values.roles!.split(','))
    else await accounts.setPassword(name, password)
    process.stdout.write(
      values.generate === true ? `${password}\n` : `${command === 'add' ? 'added' : 'changed'} ${name}\n`,
    )
  } finally {
    await accounts.close()
  }
}

async function list(accounts: Accounts): Promise<void> {
  for (const { username, roles, enabled } of await accounts.users()) {
    process.stdout.write(
      `${String(username)}  ${(roles as string[]).join(',')}${enabled === true ? '' : '  (disabled)'}\n`,
    )
  }
}
