import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTransferOptions } from '../transfer/transfer-options.ts'
import { commandArguments } from './command-arguments.ts'
import { SettingsError } from './settings-error.ts'

const refused = (pattern: RegExp) => (error: unknown) => error instanceof SettingsError && pattern.test(error.message)

const HELP = 'sandpiper x: does things\n'

test('wrong arguments are rejected in one line that names the help', () => {
  const options = { options: { url: { type: 'string' } } } as const
  assert.throws(
    () => commandArguments(['--ulr', 'x'], HELP, options),
    refused(/^unknown flag --ulr; did you mean --url\? \(see sandpiper x --help\)$/),
  )
  assert.throws(
    () => commandArguments(['--url'], HELP, options),
    refused(/^Option '--url <value>' argument missing \(see sandpiper x --help\)$/),
  )
  assert.throws(
    () => commandArguments(['stray'], HELP, options),
    refused(/^Unexpected argument 'stray'[^\n]* \(see sandpiper x --help\)$/),
  )
})

test('flags of export and import take their value after a space or an equals sign', () => {
  const { file, size, index, restart, isQuiet } = parseTransferOptions(
    ['--out=a.ndjson', '--size', '50', '--index=books', '--quiet'],
    'out',
    HELP,
  )
  assert.deepEqual(
    { file, size, index, restart, isQuiet },
    {
      file: 'a.ndjson',
      size: 50,
      index: 'books',
      restart: false,
      isQuiet: true,
    },
  )
})

test('export and import reject a missing file, an invalid size and a query that is not JSON', () => {
  const parse =
    (...args: string[]) =>
    () =>
      parseTransferOptions(args, 'in', HELP)
  assert.throws(parse('--index', 'a'), refused(/--in names the file/))
  assert.throws(parse('--in', 'f', '--size', '0'), refused(/--size is between 1 and 10000/))
  assert.throws(parse('--in', 'f', '--with', 'pipelines'), refused(/--with takes all, none or some of/))
  const query = ['--out', 'f', '--query', '{']
  assert.throws(() => parseTransferOptions(query, 'out', HELP), refused(/--query is not JSON/))
})
