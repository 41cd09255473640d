import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FlagError, loadSettings, parseFlags } from './pipeline-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-pipeline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const extension = fileURLToPath(import.meta.url).endsWith('.ts') ? 'ts' : 'js'
const loader = extension === 'ts' ? ['--import', 'tsx'] : []
const program = `import { main } from ${JSON.stringify(new URL(`../main.${extension}`, import.meta.url).href)}\nawait main(process.argv.slice(1))`

/** The command as users run it, with a data folder of its own. */
async function run(args: string[], stdin = ''): Promise<{ code: number | null; output: string; errors: string }> {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const data = mkdtempSync(join(folder, 'data-'))
  const all = [...loader, '--input-type=module', '-e', program, '--', 'pipeline', '--path.data', data, ...args]
  const child = spawn(process.execPath, all, { env })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  child.stdin.end(stdin)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output, errors }
}

function config(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const LINES = 'output { stdout { codec => line { format => "%{message} %{type}" } } }'

test('lines pass from stdin through the filters to stdout, and the process exits with 0', async () => {
  const { code, output } = await run(['-e', `filter { mutate { uppercase => ["message"] } } ${LINES}`], 'a\nb')
  assert.deepEqual([code, output], [0, 'A stdin\nB stdin\n'])
})

test('the files of a folder form one configuration, and -t only checks it', async () => {
  const conf = join(folder, 'conf.d')
  mkdirSync(conf)
  writeFileSync(join(conf, '1.conf'), 'input { stdin { } }')
  writeFileSync(join(conf, '2.conf'), LINES)
  writeFileSync(join(conf, '2.conf~'), 'not read {')
  const { code, output } = await run(['-f', conf, '-w', '1'], 'x\n')
  assert.deepEqual([code, output], [0, 'x %{type}\n'])
  const checked = await run(['-t', '-f', conf])
  assert.deepEqual([checked.code, checked.output], [0, 'Configuration OK\n'])
})

test('an invalid configuration exits with 1 and prints the position of the error', async () => {
  const path = config('bad.conf', 'filter {\n  mutate { add_tag => [ "a" "b" ] }\n}')
  const { code, errors } = await run(['-f', path])
  assert.equal(code, 1)
  assert.ok(errors.includes(`${path}:2:29`), errors)
  const checked = await run(['-t', '-f', path])
  assert.equal(checked.code, 1)
  assert.match(checked.errors, /FATAL.*The given configuration is invalid. Reason: Expected one of/)
  assert.equal((await run(['-f', join(folder, 'nothing-here')])).code, 1)
})

test('a dry run shows events, or the differences from an older configuration', async () => {
  const before = config('before.conf', 'filter { grok { match => { "message" => "%{INT:n}" } } }')
  const after = config(
    'after.conf',
    'filter { grok { match => { "message" => "%{INT:n:int}" } } }\noutput { nowhere { } }',
  )
  const shown = await run(['--dry-run', '-f', before], '7\n')
  assert.equal(shown.code, 0)
  assert.match(shown.output, /^\{\n {7}"message" => "7",[\s\S]* {13}"n" => "7"\n\}\n$/)
  assert.match(shown.errors, /1 line, 1 event\n$/)
  assert.match(
    (await run(['--dry-run', '-f', before], 'x\ny\n')).errors,
    /2 lines, 2 events, 2 tagged _grokparsefailure\n$/,
  )
  const differs = await run(['--dry-run', '-f', after, '--against', before], '7\nx\n')
  assert.deepEqual(
    [differs.code, differs.output],
    [1, '7\n  - [n] "7"\n  + [n] 7\n1 of 2 lines come out differently\n'],
  )
  const repeated = await run(['--dry-run', '-f', after, '--against', before], '7\n8\n9\n')
  assert.equal(
    repeated.output,
    '7\n  - [n] "7"\n  + [n] 7\n2 further lines with -[n] +[n]\n3 of 3 lines come out differently\n',
  )
  const same = await run(['--dry-run', '-f', after, '--against', after], '7\n')
  assert.deepEqual([same.code, same.output], [0, '0 of 1 lines come out differently\n'])
  assert.equal((await run(['--dry-run', '-f', config('no.conf', 'filter { nope { } }')])).code, 1)
})

test('a dry run sends nothing unless it may', async () => {
  const path = config('sends.conf', 'filter { dns { resolve => ["host"] } }')
  const refused = await run(['--dry-run', '-f', path], '7\n')
  assert.equal(refused.code, 1)
  assert.match(refused.errors, /the filter dns is not tried here, since it reaches the network[\s\S]*--allow-network/)
  const allowed = await run(['--dry-run', '--allow-network', '-f', path], '7\n')
  assert.equal(allowed.code, 0)
  assert.match(allowed.output, /"message" => "7"/)
})

test('settings that contradict each other are rejected', async () => {
  const refused = async (...args: string[]) => {
    const { code, errors } = await run(['-e', '', ...args])
    assert.equal(code, 1)
    return errors
  }
  assert.match(await refused('--pipeline.ordered', 'true', '-w', '2'), /requires the use of a single pipeline worker/)
  assert.match(await refused('--queue.type', 'paper'), /must be one of memory, persisted, not "paper"/)
})

test('flags and settings have the names and messages of Logstash', () => {
  const { flags } = parseFlags([
    '-f',
    'a',
    '--pipeline.workers=3',
    '-b',
    '5',
    '-r',
    'false',
    '-S',
    'queue.type=persisted',
    '--debug',
  ])
  assert.deepEqual(Object.fromEntries(flags), {
    'path.config': 'a',
    'pipeline.workers': 3,
    'pipeline.batch.size': 5,
    'config.reload.automatic': false,
    'queue.type': 'persisted',
    'log.level': 'debug',
  })
  assert.throws(
    () => parseFlags(['--pipeline.worker', '1']),
    /Unrecognised option '--pipeline.worker'.*pipeline.workers/,
  )
  assert.throws(() => parseFlags(['start']), /Unknown command 'start'/)

  const settings = mkdtempSync(join(folder, 'settings-'))
  writeFileSync(join(settings, 'logstash.yml'), 'pipeline:\n  workers: 7\n  batch.size: 9\nnode.name: n\n')
  const own = parseFlags(['--path.settings', settings, '-b', '4']).flags
  const { settings: values } = loadSettings(own, {})
  assert.deepEqual([values.number('pipeline.workers'), values.number('pipeline.batch.size')], [7, 4])
  assert.equal(values.durationMs('config.reload.interval'), 3000)
  writeFileSync(join(settings, 'logstash.yml'), 'pipeline.wrokers: 7\n')
  assert.throws(
    () => loadSettings(own, {}),
    (error) => error instanceof FlagError && /doesn't exist.*pipeline.workers/.test(error.message),
  )
})

test('a report on a folder says what runs, what is missing, and what to write instead', async () => {
  const conf = join(folder, 'strangers')
  mkdirSync(join(conf, 'deep'), { recursive: true })
  writeFileSync(join(conf, 'fine.conf'), 'filter { ruby { code => "event.set(\'a\', 1)" } }')
  writeFileSync(
    join(conf, 'old.conf'),
    'filter { translate { field => "a" destination => "b" dictionary => { "x" => "y" } } }',
  )
  writeFileSync(join(conf, 'deep', 'bad.conf'), 'input { sqs { queue => "x" } }')
  writeFileSync(join(conf, 'notes.txt'), 'not a configuration {')
  const { code, output } = await run(['-t', '--report', conf])
  assert.equal(code, 1)
  assert.match(output, /^3 configurations below .*: 1 run, 1 run with differences, 1 do not run$/m)
  assert.match(output, /^✗ deep\/bad\.conf$/m)
  assert.match(output, /^~ old\.conf$/m)
  assert.match(output, /input sqs \(1 file\): services of Amazon other than S3 are not reached/)
  assert.match(output, /filter ruby: an interpreter without files/)
  assert.match(output, /--> .*bad\.conf:1:9\n {7}1 \| input \{ sqs/, 'the position, as -t shows it')
  writeFileSync(join(conf, 'rules.pfelk'), '# of a firewall\n\nfilter { ruby { codee => 1 } }')
  const named = await run(['-t', '--report', join(conf, '*.pfelk')])
  assert.match(named.output, /Unknown setting 'codee' for ruby(?:.|\n)*rules\.pfelk:3:17(?:.|\n)*did you mean code\?/)
  assert.match((await run(['-t', '--report', conf])).output, /^4 configurations/m)
  assert.equal((await run(['--report', conf])).code, 1)
})
