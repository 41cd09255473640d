/** Goal: `sandpiper keystore` as people use it, and its secrets in a configuration. Method: the commands in processes of their own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-keystore-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const extension = fileURLToPath(import.meta.url).endsWith('.ts') ? 'ts' : 'js'
const loader = extension === 'ts' ? ['--import', 'tsx'] : []
const program = `import { main } from ${JSON.stringify(new URL(`../main.${extension}`, import.meta.url).href)}\nawait main(process.argv.slice(1))`

async function run(
  args: readonly string[],
  stdin = '',
  password = 'pass-word',
): Promise<[number | null, string, string]> {
  const { NODE_TEST_CONTEXT: _context, ...rest } = process.env
  const env = { ...rest, SANDPIPER_KEYSTORE_PASS: password }
  const child = spawn(process.execPath, [...loader, '--input-type=module', '-e', program, '--', ...args], { env })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  child.stdin.end(stdin)
  const [code] = (await once(child, 'close')) as [number | null]
  return [code, output, errors]
}

const SETTINGS = ['--path.settings', folder]

test('secrets are added, listed, replaced and removed, and the file is for its owner only', async () => {
  const path = join(folder, 'sandpiper.keystore')
  assert.deepEqual((await run(['keystore', 'create', ...SETTINGS])).slice(0, 2), [0, `created ${path}\n`])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const [added, replaced] = [
    await run(['keystore', 'add', 'ES_PWD', ...SETTINGS], 'first\n'),
    await run(['keystore', 'add', 'ES_PWD', ...SETTINGS], 'top-secret\n'),
  ]
  assert.deepEqual([added[1], replaced[1]], ['added ES_PWD\n', 'replaced ES_PWD\n'])
  assert.deepEqual((await run(['keystore', 'list', ...SETTINGS])).slice(0, 2), [0, 'ES_PWD\n'])
  assert.doesNotMatch(readFileSync(path, 'latin1'), /ES_PWD|top-secret/)
  const [wrongCode, , wrong] = await run(['keystore', 'list', ...SETTINGS], '', 'other-password')
  assert.notEqual(wrongCode, 0)
  assert.match(wrong, /sandpiper\.keystore/)
})

test('a configuration reads secrets by name, and no message shows them', async () => {
  const data = ['--path.data', join(folder, 'data')]
  const used =
    'filter { mutate { replace => { "message" => "%{message} ${ES_PWD}" } } } output { stdout { codec => line { format => "%{message}" } } }'
  const [code, output] = await run(['pipeline', ...SETTINGS, ...data, '-e', used], 'a\n')
  assert.deepEqual([code, output], [0, 'a top-secret\n'])
  const broken =
    'output { elasticsearch { hosts => ["http://localhost:1"] user => "u" password => ["${ES_PWD}", "x"] } }'
  const [brokenCode, shown, log] = await run([
    'pipeline',
    ...SETTINGS,
    ...data,
    '-t',
    '-e',
    broken,
    '--log.level',
    'debug',
  ])
  assert.equal(brokenCode, 1)
  assert.doesNotMatch(shown + log, /top-secret/)
  assert.match(shown + log, /password/)
  assert.deepEqual((await run(['keystore', 'remove', 'ES_PWD', ...SETTINGS])).slice(0, 2), [0, 'removed ES_PWD\n'])
  const [missing, , why] = await run(['pipeline', ...SETTINGS, ...data, '-t', '-e', used])
  assert.equal(missing, 1)
  assert.match(why, /ES_PWD/)
})
