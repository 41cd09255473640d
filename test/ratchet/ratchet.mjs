// Plays recorded exchanges and the conformance suites against the built service and compares with the lists beside this
// file: a case on a list may never fail again. The lists only grow.
//   node test/ratchet/ratchet.mjs --shared ../shared [--update] [--only contract|modules|scripts|painless|conformance]
// The last line reads `N passed, N failed` and counts the cases on the lists.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
// The real path, because the replay tool runs only under its real path.
const shared = realpathSync(resolve(optionValue('--shared') ?? join(root, '..', 'shared')))
const update = process.argv.includes('--update')
const only = optionValue('--only')
const work = mkdtempSync(join(tmpdir(), 'sandpiper-ratchet-'))

const KINDS = {
  contract: (url) => playRecorded(url),
  modules: (url) => playRecorded(url, 'contract/recorded-modules.ndjson'),
  scripts: (url) => playRecorded(url, 'contract/recorded-scripts.ndjson'),
  painless: (url) => playRecorded(url, 'painless/cases.ndjson'),
  conformance: playConformance,
}

let passed = 0
let failed = 0
try {
  for (const [kind, play] of Object.entries(KINDS)) {
    if (only !== undefined && only !== kind) continue
    const service = await startService(join(work, `data-${kind}`))
    try {
      compare(kind, play(service.url))
    } finally {
      await service.stop()
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** Compares the results with the list. `results` maps case names to success. */
function compare(kind, { results, again }) {
  if (results.size === 0) throw new Error(`${kind}: not a single case ran`)
  const file = join(here, `${kind}.txt`)
  const listed = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const known = new Set(listed)
  for (const name of listed) {
    // Failed cases run a second time, because a busy machine can cause a timeout.
    if (results.get(name) === true || again(name)) passed++
    else {
      failed++
      console.log(`FAILED ${kind}: ${name}${results.has(name) ? '' : ' (no such case)'}`)
    }
  }
  const fresh = [...results].filter(([name, ok]) => ok && !known.has(name)).map(([name]) => name)
  const total = results.size
  const ok = [...results.values()].filter(Boolean).length
  console.log(`${kind}: ${ok} of ${total} cases pass, ${listed.length} must, ${fresh.length} pass that need not yet`)
  if (fresh.length === 0) return
  if (update) {
    writeFileSync(file, `${[...listed, ...fresh].sort().join('\n')}\n`)
    console.log(`${file}: ${fresh.length} added`)
  } else for (const name of fresh) console.log(`new ${kind}: ${name}`)
}

/** Plays the recorded exchanges of `file`, or those of the contract without a file. */
function playRecorded(url, file) {
  const script = join(shared, 'contract', 'replay.mjs')
  const source = file === undefined ? [] : ['--file', join(shared, file)]
  const play = (...options) => {
    const { stdout } = run(process.execPath, [script, '--url', url, '--verbose', ...source, ...options])
    const results = new Map()
    const note = (name, ok) => results.set(name, ok && results.get(name) !== false)
    for (const line of stdout.split('\n')) {
      if (line.startsWith('ok   ')) note(line.slice(5).replace(/ \(setup: .*$/, ''), true)
      else if (line.startsWith('{')) {
        const { area, name } = JSON.parse(line)
        note(`${area} / ${name}`, false)
      }
    }
    return results
  }
  const again = (name) => {
    const [area, title] = splitOnce(name, ' / ')
    return play('--area', area, '--name', title).get(name) === true
  }
  return { results: play(), again }
}

function playConformance(url) {
  // The shared folder is read-only, and the runner needs its dependency beside it.
  const kit = join(work, 'conformance')
  cpSync(join(shared, 'conformance'), kit, { recursive: true })
  const install = run('npm', ['ci', '--no-audit', '--no-fund'], kit)
  if (install.status !== 0) throw new Error(`the conformance kit could not be installed:\n${install.stderr}`)
  const play = (...options) => {
    const out = join(work, 'conformance.json')
    run(process.execPath, ['run.mjs', '--url', url, '--json', out, ...options], kit)
    const { tests } = JSON.parse(readFileSync(out, 'utf8'))
    return new Map(tests.map(({ id, status }) => [id, status === 'passed']))
  }
  const again = (name) => play('--only', `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`).get(name) === true
  return { results: play('--set', 'all'), again }
}

async function startService(data) {
  const child = spawn(
    process.execPath,
    [
      join(root, 'bin', 'sandpiper.js'),
      'serve',
      '--port',
      '0',
      '--data',
      data,
      '--error-help',
      'false',
      '--path-repo',
      `${data}-repository`,
      // The servers that the suites were played on have none.
      '--stack-templates',
      'false',
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const url = await new Promise((found, fail) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const address = /address\s+(http:\S+)/.exec(text)
      if (address !== null) found(address[1])
    })
    child.on('exit', (code) => fail(new Error(`the service ended with code ${code} before it was ready`)))
  })
  const ended = new Promise((done) => child.on('exit', done))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, stop }
}

function run(command, args, cwd = root) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
}

function splitOnce(text, separator) {
  const at = text.indexOf(separator)
  return [text.slice(0, at), text.slice(at + separator.length)]
}

function optionValue(option) {
  const at = process.argv.indexOf(option)
  return at < 0 ? undefined : process.argv[at + 1]
}
