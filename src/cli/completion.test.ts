import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { completion } from './completion.ts'

const COMMANDS = ['serve', 'export', 'import', 'doctor']

/** The script that the command prints. */
async function script(shell: string): Promise<string> {
  const write = process.stdout.write
  let printed = ''
  process.stdout.write = ((chunk: string) => {
    printed += chunk
    return true
  }) as typeof write
  try {
    await completion([shell], COMMANDS)
  } finally {
    process.stdout.write = write
  }
  return printed
}

/** What bash offers for `words`, the last of which is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const commands = `sandpiper() { test "$2" = --help && printf '  sandpiper %s list [flags]\\n  sandpiper %s --index X\\n%s knows --%s-flag, --data FOLDER and --data.x\\n' $1 $1 $1 $1; }
${await script('bash')}
COMP_WORDS=(sandpiper ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_sandpiper
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', commands], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

test('bash completes the first word from the commands', async () => {
  assert.deepEqual(await offered('e'), ['export'])
  assert.deepEqual(await offered(''), ['doctor', 'export', 'import', 'serve'])
})

test('bash completes flags from the help of the command', async () => {
  assert.deepEqual(await offered('export', '--'), ['--data', '--data.x', '--export-flag', '--index'])
  assert.deepEqual(await offered('export', 'name', '--e'), ['--export-flag'])
})

test('bash completes the second word from the usage of the command', async () => {
  assert.deepEqual(await offered('export', ''), ['list'])
  assert.deepEqual(await offered('export', 'x'), [])
  assert.deepEqual(await offered('export', 'list', ''), [])
})

test('bash completes the settings of serve when no command is given', async () => {
  assert.deepEqual(await offered('--s'), ['--serve-flag'])
})

test('the scripts for zsh and fish name every command', async () => {
  for (const shell of ['zsh', 'fish']) {
    const text = await script(shell)
    for (const command of COMMANDS) assert.ok(text.includes(command), `${shell}: ${command}`)
  }
})

test('an unknown shell is refused in one line', async () => {
  await assert.rejects(
    completion(['tcsh'], COMMANDS),
    /^SettingsError: the shell is bash, zsh or fish \(see sandpiper completion --help\)$/,
  )
})
