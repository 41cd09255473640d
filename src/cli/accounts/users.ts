/** `sandpiper users`: the users of a node. */
import { newPassword } from '../../security/model/password-hash.ts'
import { commandArguments } from '../arguments/command-arguments.ts'
import { printedHelp, printHelp } from '../arguments/help.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { readSubcommand } from '../arguments/subcommand.ts'
import { type Accounts, openAccounts } from './accounts.ts'
import { readPassword } from './read-password.ts'

const HELP = `sandpiper users: manages the users of a node that was started with --security true

Usage
  sandpiper users list
  sandpiper users add NAME --roles ROLES     add a user; the command prompts for the password, or reads it from standard input
  sandpiper users passwd NAME                change a password, also that of elastic when it is lost
  sandpiper users remove NAME                remove a user and invalidate the API keys of that user

Flags
  --data FOLDER   the data folder of the node (default ./data, or SANDPIPER_DATA)
  --roles ROLES   names of roles, separated by commas: superuser, viewer, or your own
  --generate      generate a password and print it

The commands need read access to the data folder. The node may be running or stopped.

Examples
  sandpiper users add ann --roles viewer
  sandpiper users passwd elastic --generate --data /var/lib/sandpiper
`

const COMMANDS = { list: [], add: ['NAME'], passwd: ['NAME'], remove: ['NAME'] }
const TEXT = { type: 'string' } as const

export async function users(args: readonly string[]): Promise<void> {
  if (args.length === 0) return printHelp(HELP)
  if (printedHelp(args, HELP)) return
  const { values, positionals } = commandArguments(args, HELP, {
    options: { data: TEXT, roles: TEXT, generate: { type: 'boolean' } },
    allowPositionals: true,
  })
  const { command, words } = readSubcommand(HELP, positionals, COMMANDS)
  const name = words[0] ?? ''
  const accounts = openAccounts(values.data ?? process.env['SANDPIPER_DATA'] ?? './data')
  try {
    if (command === 'list') return await list(accounts)
    if (command === 'remove') {
      if (!(await accounts.removeUser(name))) throw new SettingsError(`there is no user ${name}`)
      process.stdout.write(`removed ${name}\n`)
      return
    }
    if (command === 'add' && values.roles === undefined) throw new SettingsError(`--roles says what ${name} may do`)
    const password = values.generate === true ? newPassword() : await readPassword(`Password of ${name}: `)
    if (command === 'add') {
      const roles = values.roles!.split(',')
      await accounts.addUser(name, password, roles)
      for (const role of await accounts.unknownRoles(roles)) {
        process.stderr.write(`warning: there is no role ${role} yet; it gives ${name} no privileges until it is made\n`)
      }
    } else await accounts.setPassword(name, password)
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
