// Tests of the gateway before a real OpenSearch cluster: recorded exchanges, and a node that is killed under load.
//   npm run test:gateway -- [--cluster URL,URL] [--shared ../shared] [--update] [--only contract|scripts|kill]
// Without --cluster it starts three nodes with ../shared/oracle/start-opensearch-cluster.sh, which needs Java 17 and
// Maven. Without them it says so and ends with status 0: nothing was tested. The lists beside this file only grow.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { killNodeUnderLoad } from './kill-node.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const given = (name) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
const only = given('--only')
const update = process.argv.includes('--update')
const sharedFolder = resolve(given('--shared') ?? join(root, '..', 'shared'))

const FIRST_PORT = 9251
const folder = join(tmpdir(), 'sandpiper-gateway-cluster')

if (!existsSync(sharedFolder)) skip(`${sharedFolder} is missing: there are no recorded exchanges`)
const shared = realpathSync(sharedFolder)
const starter = join(shared, 'oracle', 'start-opensearch-cluster.sh')
let cluster = given('--cluster')
let stopCluster = () => {}
if (cluster === undefined) {
  for (const tool of ['java', 'mvn'])
    if (run(tool, ['-version']).status !== 0) skip(`${tool} is missing: OpenSearch cannot be started`)
  console.log('starting three nodes of OpenSearch …')
  const started = run('bash', [starter, folder, '3', String(FIRST_PORT)])
  if (started.status !== 0) skip(`OpenSearch did not start:\n${started.stderr}`)
  stopCluster = () => run('bash', [starter, 'stop', folder])
  cluster = [0, 1, 2].map((i) => `http://127.0.0.1:${FIRST_PORT + i}`).join(',')
}

let passed = 0
let failed = 0
try {
  const gateway = await startGateway(cluster)
  try {
    if (only === undefined || only === 'contract') compare('contract', gateway.url)
    if (only === undefined || only === 'scripts') compare('scripts', gateway.url, 'recorded-scripts.ndjson')
    if ((only === undefined || only === 'kill') && given('--cluster') === undefined) {
      const kill = () => run('bash', [starter, 'kill', folder, String(FIRST_PORT + 1)])
      const again = () => run('bash', [starter, 'again', folder, String(FIRST_PORT + 1)])
      for (const { name, problem } of await killNodeUnderLoad(gateway.url, kill, again)) {
        if (problem === undefined) passed++
        else failed++
        console.log(
          `${problem === undefined ? 'ok    ' : 'FAILED'} ${name}${problem === undefined ? '' : `: ${problem}`}`,
        )
      }
    }
  } finally {
    await gateway.stop()
  }
} finally {
  stopCluster()
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** Plays recorded exchanges and compares with the list of cases that must pass. */
function compare(kind, url, file) {
  const source = file === undefined ? [] : ['--file', join(shared, 'contract', file)]
  const play = (...options) => {
    const { stdout } = run(process.execPath, [
      join(shared, 'contract', 'replay.mjs'),
      '--url',
      url,
      '--verbose',
      ...source,
      ...options,
    ])
    const results = new Map()
    for (const line of stdout.split('\n')) {
      if (line.startsWith('ok   ')) results.set(line.slice(5).replace(/ \(setup: .*$/, ''), true)
      else if (line.startsWith('{')) {
        const { area, name } = JSON.parse(line)
        results.set(`${area} / ${name}`, false)
      }
    }
    return results
  }
  const results = play()
  if (results.size === 0) throw new Error(`${kind}: not a single case ran`)
  const list = join(here, `${kind}.txt`)
  const listed = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []
  const again = (name) =>
    play('--area', name.split(' / ')[0], '--name', name.slice(name.indexOf(' / ') + 3)).get(name) === true
  for (const name of listed) {
    // A busy machine can cause a timeout.
    if (results.get(name) === true || again(name)) passed++
    else {
      failed++
      console.log(`FAILED ${kind}: ${name}`)
    }
  }
  const known = new Set(listed)
  const fresh = [...results].filter(([name, ok]) => ok && !known.has(name)).map(([name]) => name)
  const succeeded = [...results.values()].filter(Boolean).length
  console.log(
    `${kind}: ${succeeded} of ${results.size} cases pass, ${listed.length} must, ${fresh.length} pass that need not yet`,
  )
  if (update && fresh.length > 0) writeFileSync(list, `${[...listed, ...fresh].sort().join('\n')}\n`)
}

async function startGateway(urls) {
  const args = [join(root, 'bin', 'sandpiper.js'), 'serve', '--port', '0', '--cluster', urls, '--error-help', 'false']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((done) => child.on('exit', done))
  const url = await new Promise((found, fail) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const address = /address\s+(http:\S+)/.exec(text)
      if (address !== null) found(address[1])
    })
    child.on('exit', (code) => fail(new Error(`the gateway ended with code ${code} before it was ready`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, stop }
}

function run(command, args) {
  return spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
}

function skip(reason) {
  console.log(`SKIPPED: ${reason}. Nothing was tested.`)
  process.exit(0)
}
