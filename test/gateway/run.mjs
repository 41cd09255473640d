// Tests of the gateway before a real OpenSearch cluster: recorded exchanges, a node that is killed under load, and gateways
// that are killed while clients page through them.
//   npm run test:gateway -- [--folder DIR] [--keep] [--cluster URL,URL] [--shared ../shared] [--update]
//                           [--oracle URL] [--seed 1] [--only contract|scripts|diff|kill-node|kill-gateway]
// It starts three nodes with test/differential/servers/start-opensearch-cluster.sh, which needs Java 17 and Maven; without them it says
// so and ends with status 0: nothing was tested. --folder is the folder of the cluster, which is used as it is if it runs
// already; --keep lets it run afterwards. --cluster names a cluster that somebody else has started: no node of it is killed.
// --oracle is the address of an Elasticsearch 8, which answers 1,000 random searches as well. The lists beside this file only grow. Three recorded cases that pass
// before one node are not in them, because they count the nodes of the cluster: cat health, cat nodes and cluster stats.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { send } from './http.mjs'
import { killGatewayInPaging } from './kill-gateway.mjs'
import { killNodeUnderLoad } from './kill-node.mjs'
import { NoOpenSearch, startOpenSearch } from './opensearch.mjs'
import { diffWithElasticsearch } from './oracle-diff.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const given = (name) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
const only = given('--only')
const runs = (name) => only === undefined || only === name
const update = process.argv.includes('--update')
const sharedFolder = resolve(given('--shared') ?? join(root, '..', 'shared'))

if (!existsSync(sharedFolder)) skip(`${sharedFolder} is missing: there are no recorded exchanges`)
const shared = realpathSync(sharedFolder)
const nodes = given('--cluster') === undefined ? await startNodes() : undefined
const cluster = given('--cluster') ?? nodes.urls.join(',')

/** Areas whose cases use indices of their own run side by side; the others tell about the whole cluster. */
const SIDE_BY_SIDE = ['paging', 'composite', 'nested', 'search', 'aggregations', 'runtime', 'documents', 'indices']
const ALONE = ['http', 'cluster']
/** The recordings come from one node, on which replicas never start. Writes count the copies that have. */
const ONE_COPY = { 'cluster.routing.allocation.enable': 'primaries' }

let passed = 0
let failed = 0
try {
  const gateway = await startGateway(cluster)
  try {
    if (runs('contract')) await compare('contract', gateway.url)
    if (runs('scripts')) await compare('scripts', gateway.url, 'recorded-scripts.ndjson')
    if (runs('diff')) {
      if (given('--oracle') === undefined)
        console.log('no --oracle: random searches are not compared with Elasticsearch')
      else {
        // Writes count the target of a shard that moves as a further copy. Elasticsearch has one node here and moves none.
        await set({ 'cluster.routing.rebalance.enable': 'none' })
        count(diffWithElasticsearch({ oracle: given('--oracle'), gateway: gateway.url, seed: given('--seed') }))
        await set({ 'cluster.routing.rebalance.enable': null })
      }
    }
    if (runs('kill-gateway')) count(await killGatewayInPaging(() => startGateway(cluster)))
    // The last one, because the cluster moves shards afterwards. A shard that was moved has dropped deleted documents, which count in scores.
    if (runs('kill-node') && nodes !== undefined)
      count(
        await killNodeUnderLoad(
          gateway.url,
          () => nodes.kill(1),
          () => nodes.again(1),
        ),
      )
  } finally {
    await gateway.stop()
  }
} finally {
  if (!process.argv.includes('--keep')) nodes?.stop()
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function startNodes() {
  try {
    return await startOpenSearch({ folder: given('--folder') })
  } catch (error) {
    if (!(error instanceof NoOpenSearch)) throw error
    skip(error.message)
  }
}

/** Settings of the cluster, not through the gateway. */
async function set(transient) {
  const { status, json } = await send(cluster.split(',')[0], 'PUT', '/_cluster/settings', { transient })
  if (status !== 200) throw new Error(`the cluster does not take settings: ${JSON.stringify(json)}`)
}

async function withOneCopy(work) {
  await set(ONE_COPY)
  try {
    await work()
  } finally {
    await set({ 'cluster.routing.allocation.enable': null })
  }
}

function count(checks) {
  for (const { name, problem } of checks) {
    if (problem === undefined) passed++
    else failed++
    console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${name}${problem === undefined ? '' : `: ${problem}`}`)
  }
}

/** Plays recorded exchanges and compares with the list of cases that must pass. */
async function compare(kind, url, file) {
  const source = file === undefined ? [] : ['--file', join(shared, 'contract', file)]
  const results = new Map()
  const play = async (...options) => {
    const replay = join(shared, 'contract', 'replay.mjs')
    for (const line of (await output([replay, '--url', url, '--verbose', ...source, ...options])).split('\n')) {
      if (line.startsWith('ok   ')) results.set(line.slice(5).replace(/ \(setup: .*$/, ''), true)
      else if (line.startsWith('{')) {
        const { area, name } = JSON.parse(line)
        results.set(`${area} / ${name}`, false)
      }
    }
  }
  if (file === undefined) {
    await withOneCopy(() => Promise.all(SIDE_BY_SIDE.map((area) => play('--area', area))))
    for (const area of ALONE) await play('--area', area)
  } else await play()
  if (results.size === 0) throw new Error(`${kind}: not a single case ran`)
  const list = join(here, `${kind}.txt`)
  const listed = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []
  const again = async (name) => {
    const area = name.split(' / ')[0]
    const replay = () => play('--area', area, '--name', name.slice(name.indexOf(' / ') + 3))
    // Areas that show the settings of the cluster run without this one at first. A health that waits for replicas needs it.
    await (file === undefined ? withOneCopy(replay) : replay())
    return results.get(name) === true
  }
  for (const name of listed) {
    // A busy machine can cause a timeout, and cases side by side may disturb each other.
    if (results.get(name) === true || (await again(name))) passed++
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
  const end = async (signal) => {
    child.kill(signal)
    await ended
  }
  return { url, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

/** What a Node program prints. Its exit status does not matter. */
function output(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((done) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    child.on('close', () => done(text))
  })
}

function skip(reason) {
  console.log(`SKIPPED: ${reason}. Nothing was tested.`)
  process.exit(0)
}
