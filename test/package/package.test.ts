/**
 * Goal: the package works for its users: packed, unpacked into an empty folder with only its runtime dependencies, and
 * run. `npm run test:package` installs it with npm instead, on every supported Node version.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAX_PACKED_BYTES = 4 * 1024 * 1024

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const work = mkdtempSync(join(tmpdir(), 'sandpiper-package-'))
after(() => rmSync(work, { recursive: true, force: true }))

interface Packed {
  readonly name: string
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

const packed = pack()
const installed = process.env['SANDPIPER_PACKAGE_WITH_NPM'] === undefined ? unpack() : install()

test('the tarball holds the bundle, public types and documentation, and nothing else', () => {
  const unexpected = packed.files
    .map(({ path }) => path)
    .filter(
      (path) =>
        !/^(bin|dist\/bundle|docs|examples)\//.test(path) &&
        ![
          'package.json',
          'README.md',
          'LICENSE',
          'NOTICE',
          'CHANGELOG.md',
          'dist/testing/index.d.ts',
          'dist/testing/types.d.ts',
        ].includes(path),
    )
  assert.deepEqual(unexpected, [])
  const built = packed.files.filter(({ path }) => path.startsWith('dist/'))
  assert.ok(!built.some(({ path }) => path.endsWith('.map') || path.includes('.test.')))
  assert.ok(packed.size < MAX_PACKED_BYTES, `${packed.size} bytes packed`)
})

test('every path in the exports of package.json is in the tarball', () => {
  const { exports, bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const paths = [exports['./testing'].types, exports['./testing'].default, bin.sandpiper]
  for (const path of paths) assert.ok(existsSync(join(installed, path)), path)
})

test('an import of the package itself says what to import', () => {
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', "import 'sandpiper-search'"], {
    encoding: 'utf8',
    cwd: work,
  })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /Error: sandpiper-search has no main entry: import \{ startSearch \} from 'sandpiper-search\/testing'/,
  )
})

test('the installed command prints its version and its help', () => {
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal(run(['--version']).stdout.trim(), version)
  assert.match(run(['--help']).stdout, /pipeline +run a Logstash configuration file/)
})

test('the installed service starts with threads and serves a first search', async () => {
  const service = spawn(process.execPath, [command(), 'serve', '--port', '0', '--data', join(work, 'data')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await addressOf(service.stdout)
    const body = JSON.stringify({ title: 'Sandpipers of the world' })
    const headers = { 'content-type': 'application/json' }
    assert.equal((await fetch(`${url}/books/_doc/1?refresh=true`, { method: 'PUT', headers, body })).status, 201)
    const found = (await (await fetch(`${url}/books/_search?q=title:sandpipers`)).json()) as {
      hits: { total: { value: number } }
    }
    assert.equal(found.hits.total.value, 1)
  } finally {
    service.kill('SIGTERM')
  }
  const code = await new Promise((resolve) => service.once('exit', resolve))
  assert.equal(code, 0)
})

test('the installed pipeline tool runs grok on a line', () => {
  const config = `input { stdin {} }
    filter { grok { match => { "message" => "%{IP:client} %{WORD:method}" } } }
    output { stdout { codec => json_lines } }`
  const { stdout } = run(['pipeline', '-e', config], '192.0.2.7 GET\n')
  const event = JSON.parse(stdout.split('\n').find((line) => line.startsWith('{'))!)
  assert.deepEqual([event.client, event.method], ['192.0.2.7', 'GET'])
})

test('the testing module works from an importing package', () => {
  const script = join(work, 'uses-testing.mjs')
  writeFileSync(
    script,
    `import { startSearch } from '${packed.name}/testing'
     const search = await startSearch({ listen: false })
     await search.request('PUT', '/books/_doc/1?refresh=true', { title: 'a' })
     const { body } = await search.request('GET', '/books/_count')
     await search.stop()
     process.stdout.write(String(body.count))`,
  )
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  assert.equal(stdout, '1', stderr)
})

function pack(): Packed {
  const npm = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  assert.equal(npm.status, 0, npm.stderr)
  const output = JSON.parse(npm.stdout) as Packed[] | Record<string, Packed>
  return Object.values(output)[0]!
}

/** Unpacks the tarball where npm would install it, with copies of the runtime dependencies beside it. */
function unpack(): string {
  const folder = join(work, 'node_modules', packed.name)
  mkdirSync(folder, { recursive: true })
  const tarball = join(work, packed.filename)
  assert.ok(statSync(tarball).size > 0)
  const tar = spawnSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder], { encoding: 'utf8' })
  assert.equal(tar.status, 0, tar.stderr)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies))
    cpSync(join(root, 'node_modules', name), join(work, 'node_modules', name), { recursive: true })
  return folder
}

/** Installs the tarball with npm, which fetches the runtime dependencies. */
function install(): string {
  writeFileSync(join(work, 'package.json'), '{"private":true}')
  const npm = spawnSync('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', join(work, packed.filename)], {
    cwd: work,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  assert.equal(npm.status, 0, npm.stderr)
  return join(work, 'node_modules', packed.name)
}

function command(): string {
  return join(installed, 'bin', 'sandpiper.js')
}

function run(args: readonly string[], input = ''): { readonly stdout: string } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [command(), ...args], {
    encoding: 'utf8',
    input,
    cwd: work,
  })
  assert.equal(status, 0, stderr)
  return { stdout }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += chunk
    const address = /address\s+(http:\S+)/.exec(text)
    if (address !== null) return address[1]!
  }
  throw new Error(`the service printed no address: ${text}`)
}
