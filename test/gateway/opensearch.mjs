// Three nodes of OpenSearch on this machine, started with test/differential/servers/start-opensearch-cluster.sh.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { send } from './http.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const starter = join(root, 'test', 'differential', 'servers', 'start-opensearch-cluster.sh')
const FIRST_PORT = 9251
const PORTS = [0, 1, 2].map((i) => FIRST_PORT + i)

/** OpenSearch cannot be started here, with the reason. */
export class NoOpenSearch extends Error {}

/**
 * `folder` is where the cluster lies; one that runs there already is used as it is. Fails with `NoOpenSearch` without Java or Maven.
 */
export async function startOpenSearch({ folder: given } = {}) {
  const folder = resolve(given ?? join(tmpdir(), 'sandpiper-gateway-cluster'))
  const urls = PORTS.map((port) => `http://127.0.0.1:${port}`)
  if (!(await isRunning(folder, urls))) {
    for (const tool of ['java', 'mvn'])
      if (run(tool, ['-version']).status !== 0)
        throw new NoOpenSearch(`${tool} is missing: OpenSearch cannot be started`)
    console.log('starting three nodes of OpenSearch …')
    const started = run('bash', [starter, folder, String(PORTS.length), String(FIRST_PORT)])
    if (started.status !== 0) throw new NoOpenSearch(`OpenSearch did not start:\n${started.stderr}`)
  }
  return {
    urls,
    kill: (node) => run('bash', [starter, 'kill', folder, String(PORTS[node])]),
    again: (node) => run('bash', [starter, 'again', folder, String(PORTS[node])]),
    stop: () => run('bash', [starter, 'stop', folder]),
  }
}

async function isRunning(folder, urls) {
  if (!PORTS.every((port) => existsSync(join(folder, `node-${port}`, 'pid')))) return false
  const { json } = await send(urls[0], 'GET', '/_cluster/health?timeout=5s')
  return json?.number_of_nodes === PORTS.length
}

function run(command, args) {
  return spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
}
