// Clients through a gateway to three nodes of OpenSearch: those that refuse OpenSearch on their own must work unchanged. Needs Java and Maven; without them
// the clients are reported as not installed.
import { send } from '../gateway/http.mjs'
import { NoOpenSearch, startOpenSearch } from '../gateway/opensearch.mjs'
import { NotInstalled } from './runner/install.mjs'
import { startService } from './runner/service.mjs'

const NAMES = [
  '@elastic/elasticsearch 7.17',
  '@elastic/elasticsearch 8.19',
  '@elastic/elasticsearch 9',
  'elasticsearch-py 8',
]

let cluster

/** The clients of the list that also run through a gateway. */
export function throughGateway(clients) {
  return clients
    .filter(({ name }) => NAMES.includes(name))
    .map((client) => ({
      ...client,
      name: `${client.name} through a gateway`,
      runs: `${client.runs}, before OpenSearch`,
      service: { start: startGateway },
    }))
}

async function startGateway() {
  cluster ??= await clusterOrReason()
  if (typeof cluster === 'string') throw new NotInstalled(cluster)
  const service = await startService({ flags: ['--cluster', cluster.urls.join(',')] })
  const stop = async () => {
    await service.stop()
    await wipe(cluster.urls[0])
  }
  return { ...service, stop }
}

async function clusterOrReason() {
  try {
    const started = await startOpenSearch({ folder: process.env.SANDPIPER_OPENSEARCH_FOLDER })
    if (process.env.SANDPIPER_OPENSEARCH_FOLDER === undefined) process.once('exit', () => started.stop())
    return started
  } catch (error) {
    if (error instanceof NoOpenSearch) return error.message
    throw error
  }
}

/** Removes what a scenario left, because the next one begins with an empty service. */
async function wipe(url) {
  for (const path of [
    '/_data_stream/real-*',
    '/real-*',
    '/_index_template/real-*',
    '/_component_template/real-*',
    '/_ingest/pipeline/real-*',
    '/_scripts/real',
  ])
    await send(url, 'DELETE', path)
}
