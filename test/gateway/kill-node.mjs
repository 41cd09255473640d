// A node of the cluster is killed while clients write, read and page through a gateway. Every acknowledged write must be
// there afterwards, no read may fail, each connection sees at most one 502, and no page may be short.
import http from 'node:http'
import { send, sleep } from './http.mjs'

const INDEX = 'gateway-kill'
const WRITERS = 4
const READERS = 4
const PAGED = 600

/** `kill` ends a node, `again` starts it again. Returns checks with their problems. */
export async function killNodeUnderLoad(url, kill, again) {
  const checks = []
  const check = (name, problem) => checks.push({ name, problem })
  await send(url, 'DELETE', `/${INDEX},${INDEX}-paged`)
  const settings = { number_of_shards: 3, number_of_replicas: 1 }
  for (const name of [INDEX, `${INDEX}-paged`]) await send(url, 'PUT', `/${name}`, { settings })
  const lines = Array.from({ length: PAGED }, (_, i) => `{"index":{"_id":"p${i}"}}\n{"n":${i % 7}}\n`).join('')
  await send(url, 'POST', `/${INDEX}-paged/_bulk?refresh=true`, lines)
  await send(url, 'GET', '/_cluster/health?wait_for_status=green&timeout=60s')

  const state = {
    stops: false,
    acknowledged: new Set(),
    lost502: new Array(WRITERS).fill(0),
    otherWrites: [],
    reads: [],
    short: [],
  }
  const clients = [
    ...Array.from({ length: WRITERS }, (_, i) => write(url, i, state)),
    ...Array.from({ length: READERS }, () => read(url, state)),
    page(url, state),
  ]
  await sleep(3000)
  kill()
  await sleep(12_000)
  state.stops = true
  await Promise.all(clients)
  again()
  await send(url, 'GET', '/_cluster/health?wait_for_status=green&timeout=120s')
  await send(url, 'POST', `/${INDEX}/_refresh`)
  const missing = await missingIds(url, [...state.acknowledged])
  const count = state.acknowledged.size
  check(
    `no acknowledged write is lost (${count} acknowledged)`,
    count === 0 ? 'nothing was written' : missing.length === 0 ? undefined : `${missing.length} missing`,
  )
  check('no read fails', first(state.reads))
  check(
    'at most one 502 for each connection that writes',
    state.lost502.every((n) => n <= 1) ? undefined : state.lost502.join(', '),
  )
  check('writes see no other error', first(state.otherWrites))
  check('no page of a point in time is short', first(state.short))
  await send(url, 'DELETE', `/${INDEX},${INDEX}-paged`)
  return checks
}

const first = (problems) => (problems.length === 0 ? undefined : `${problems.length} times, first: ${problems[0]}`)

async function write(url, writer, state) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  for (let i = 0; !state.stops; i++) {
    const ids = Array.from({ length: 10 }, (_, k) => `w${writer}-${i}-${k}`)
    const body = ids.map((id) => `{"index":{"_id":"${id}"}}\n{"n":1}\n`).join('')
    const { status, json } = await send(url, 'POST', `/${INDEX}/_bulk`, body, agent)
    if (status === 502) state.lost502[writer]++
    else if (status !== 200) state.otherWrites.push(`${status} ${JSON.stringify(json)?.slice(0, 200)}`)
    else for (const { index } of json.items) if (index.status < 300) state.acknowledged.add(index._id)
    await sleep(20)
  }
  agent.destroy()
}

async function read(url, state) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  while (!state.stops) {
    const { status, json } = await send(url, 'POST', `/${INDEX}-paged/_search`, { size: 1 }, agent)
    if (status !== 200) state.reads.push(`${status} ${JSON.stringify(json)?.slice(0, 200)}`)
    else if (json._shards.failed > 0) state.reads.push(`failed shards: ${JSON.stringify(json._shards)}`)
    await sleep(20)
  }
  agent.destroy()
}

/** Pages through points in time. A lost context is an error, never a page with fewer documents. */
async function page(url, state) {
  while (!state.stops) {
    const { status, json } = await send(url, 'POST', `/${INDEX}-paged/_pit?keep_alive=1m`)
    if (status !== 200) continue
    const seen = new Set()
    let after
    for (;;) {
      const search = {
        size: 50,
        sort: ['n'],
        pit: { id: json.id },
        track_total_hits: false,
        ...(after === undefined ? {} : { search_after: after }),
      }
      const answer = await send(url, 'POST', '/_search', search)
      if (answer.status !== 200) break
      for (const hit of answer.json.hits.hits) seen.add(hit._id)
      after = answer.json.hits.hits.at(-1)?.sort
      if (answer.json.hits.hits.length < 50) {
        if (seen.size !== PAGED) state.short.push(`${seen.size} of ${PAGED} documents`)
        break
      }
      await sleep(20)
    }
    await send(url, 'DELETE', '/_pit', { id: json.id })
  }
}

async function missingIds(url, ids) {
  const missing = []
  for (let i = 0; i < ids.length; i += 1000) {
    const { json } = await send(url, 'POST', `/${INDEX}/_mget?_source=false`, { ids: ids.slice(i, i + 1000) })
    for (const doc of json.docs) if (doc.found !== true) missing.push(doc._id)
  }
  return missing
}
