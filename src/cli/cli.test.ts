import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-cli-'))
after(() => rmSync(folder, { recursive: true, force: true }))

// The command as users run it: from the sources or the build, depending on where this test runs from.
const self = fileURLToPath(import.meta.url)
const extension = self.endsWith('.ts') ? 'ts' : 'js'
const loader = extension === 'ts' ? ['--import', 'tsx'] : []
const program = `import { main } from ${JSON.stringify(new URL(`./main.${extension}`, import.meta.url).href)}\nawait main(process.argv.slice(1))`

function sandpiper(...args: string[]): { child: ChildProcess; output: () => string; errors: () => string } {
  const { SANDPIPER_SLOW_TESTS: _own, NODE_TEST_CONTEXT: _context, ...env } = process.env
  const child = spawn(process.execPath, [...loader, '--input-type=module', '-e', program, '--', ...args], { env })
  let output = ''
  let errors = ''
  child.stdout!.on('data', (chunk) => (output += chunk))
  child.stderr!.on('data', (chunk) => (errors += chunk))
  return { child, output: () => output, errors: () => errors }
}

interface Finished {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

async function finished(run: ReturnType<typeof sandpiper>): Promise<Finished> {
  const [code] = (await once(run.child, 'close')) as [number | null]
  return { code, output: run.output(), errors: run.errors() }
}

async function ready(run: ReturnType<typeof sandpiper>): Promise<string> {
  for (;;) {
    const address = /address\s+(http:\S+)/.exec(run.output())
    if (address !== null) return address[1]!
    assert.equal(run.child.exitCode, null, run.errors())
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('--help and --version print their text and start nothing', async () => {
  const [help, settings, version] = (await Promise.all(
    [['--help'], ['serve', '--help'], ['--version']].map((args) => finished(sandpiper(...args))),
  )) as [Finished, Finished, Finished]
  assert.deepEqual([help.code, settings.code, version.code], [0, 0, 0])
  assert.match(help.output, /Commands[\s\S]*pipeline/)
  assert.match(settings.output, /Usage[\s\S]*--port N[\s\S]*Examples/)
  assert.match(version.output, /^\d+\.\d+\.\d+\n$/)
})

test('every command has a --help', async () => {
  const commands = [['pipeline'], ['pipeline', 'test'], ['pipeline', 'diff'], ['grok'], ['export'], ['import']]
  const helps = await Promise.all(commands.map((words) => finished(sandpiper(...words, '--help'))))
  for (const [i, { code, output, errors }] of helps.entries()) {
    assert.deepEqual([code, errors], [0, ''])
    assert.ok(output.startsWith(`sandpiper ${commands[i]!.join(' ')}: `), output)
    assert.match(output, /\nUsage\n/)
  }
})

test('a mistake on the command line prints one clear line and exits with a non-zero code', async () => {
  for (const [args, line] of [
    [['serv'], 'sandpiper: unknown command "serv" (did you mean serve?)\n'],
    [['--prot', '1'], 'sandpiper: unknown setting --prot (did you mean --port?)\n'],
    [
      ['--host', '0.0.0.0', '--data', join(folder, 'a')],
      'sandpiper: refusing to listen on 0.0.0.0: without authentication only this machine may connect (use 127.0.0.1, ::1 or localhost, or start it with --security true)\n',
    ],
    [['--data', '/proc/sandpiper'], /^sandpiper: cannot use the data folder \/proc\/sandpiper: .*\n$/],
    [['--data', '/dev/null'], /^sandpiper: cannot use the data folder \/dev\/null: .*\n$/],
  ] as const) {
    const { code, errors, output } = await finished(sandpiper(...args))
    assert.deepEqual([code, output], [1, ''], args.join(' '))
    if (typeof line === 'string') assert.equal(errors, line)
    else assert.match(errors, line)
  }
})

// Goal: on a small terminal a mistake is one line with its remedy.
test('mistakes in commands are one line that names the remedy', async () => {
  const dead = 'http://127.0.0.1:1'
  const nothing = join(folder, 'nothing-here')
  const mistakes: readonly [readonly string[], RegExp][] = [
    [['users', 'lst'], /^sandpiper: unknown command lst; did you mean list\? \(see sandpiper users --help\)\n$/],
    [['users', 'add'], /^sandpiper: add needs NAME \(see sandpiper users --help\)\n$/],
    [['keys', 'revoke'], /^sandpiper: revoke needs ID \(see sandpiper keys --help\)\n$/],
    [['keystore', 'create', 'x'], /^sandpiper: unexpected argument "x" \(see sandpiper keystore --help\)\n$/],
    [['move', '--too', 'x'], /^sandpiper: unknown flag --too; did you mean --to\? \(see sandpiper move --help\)\n$/],
    [['export', '--out', 'x'], /^sandpiper: --index names what to export \(see sandpiper export --help\)\n$/],
    [
      ['export', '--index', 'x', '--out', join(folder, 'x'), '--url', dead],
      /^sandpiper: .*ECONNREFUSED.*is the service started.*\n$/,
    ],
    [
      ['snapshot', '--nme', 'x'],
      /^sandpiper: unknown flag --nme; did you mean --name\? \(see sandpiper snapshot --help\)\n$/,
    ],
    [['grok', '%{IP:client} ('], /^sandpiper: end pattern with unmatched parenthesis: %\{IP:client\} \(\n$/],
    [['grok', '%{WRD:verb}'], /^sandpiper: pattern %\{WRD:verb\} not defined \(did you mean WORD\?\)\n$/],
    [['sincedb', 'list', '--path.data', nothing], /^sandpiper: there is no folder .*--path\.data.*\n$/],
    [['doctor', '--data', nothing], /^sandpiper: there is no folder .*\n$/],
    [
      ['pipeline', 'top', '--api', '127.0.0.1:1'],
      /^sandpiper: no monitoring API answers at http:\/\/127\.0\.0\.1:1: .*\n$/,
    ],
    [
      ['pipeline', 'tap', 'x', '--api', '127.0.0.1:1'],
      /^sandpiper: no monitoring API answers at http:\/\/127\.0\.0\.1:1: .*\n$/,
    ],
  ]
  const results = await Promise.all(mistakes.map(([args]) => finished(sandpiper(...args))))
  for (const [i, [args, line]] of mistakes.entries()) {
    const { code, errors, output } = results[i]!
    assert.deepEqual([code, output], [1, ''], args.join(' '))
    assert.match(errors, line)
  }
})

// Goal: the service prints its address, locks its port and folder, stops on SIGTERM, and finds its data again.
test('the service starts, stops on SIGTERM and finds its data after a restart', async () => {
  const data = join(folder, 'data')
  const first = sandpiper('serve', '--port', '0', '--data', data)
  const url = await ready(first)
  assert.equal(first.output().match(/^ {2}curl /gm)?.length, 3)
  const { cluster_uuid: uuid } = (await (await fetch(url)).json()) as { cluster_uuid: string }

  const [samePort, sameData] = await Promise.all([
    finished(sandpiper('--port', new URL(url).port, '--data', join(folder, 'other'))),
    finished(sandpiper('--port', '0', '--data', data)),
  ])
  assert.deepEqual([samePort.code, sameData.code], [1, 1])
  assert.match(samePort.errors, /^sandpiper: port \d+ on 127\.0\.0\.1 is in use \(choose another with --port\)\n$/)
  assert.match(
    sameData.errors,
    /^sandpiper: the data folder .* is in use by process \d+; stop it or choose another folder\n$/,
  )

  first.child.kill('SIGTERM')
  assert.equal((await finished(first)).code, 0)

  const second = sandpiper('--port', '0', '--data', data)
  const again = (await (await fetch(await ready(second))).json()) as { cluster_uuid: string }
  assert.equal(again.cluster_uuid, uuid)
  second.child.kill('SIGINT')
  assert.equal((await finished(second)).code, 0)
})
