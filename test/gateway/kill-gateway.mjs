// Gateways are killed while clients page through them. Another gateway must continue with the pages that one gateway would
// have given: points in time with `search_after`, composite aggregations with `after`, and scrolls.
import { need, send } from './http.mjs'

const INDEX = 'gateway-paging'
const DOCUMENTS = 900
const SIZE = 50
const GATEWAYS = 4

const POINT_IN_TIME_WALKS = [
  ['a point in time sorted by a field with many equal values', { sort: [{ n: 'desc' }] }],
  ['a point in time without a sort', {}],
  ['a point in time sorted by a formatted date', { sort: [{ at: { order: 'asc', format: 'yyyy-MM-dd' } }] }],
  ['a point in time in descending _shard_doc', { sort: [{ _shard_doc: 'desc' }] }],
]

/** `start` starts a gateway: `url`, and `kill`, which ends it with SIGKILL. Returns checks with their problems. */
export async function killGatewayInPaging(start) {
  const first = await start()
  await makeIndex(first.url)
  const checks = []
  for (const [name, body] of POINT_IN_TIME_WALKS) {
    const { id } = await need(first.url, 'POST', `/${INDEX}/_pit?keep_alive=5m`)
    checks.push(await compare(start, first, name, (one) => pointInTimePages(one, id, body)))
    await need(first.url, 'DELETE', '/_pit', { id })
  }
  checks.push(await compare(start, first, 'a composite aggregation', compositePages))
  checks.push(await compare(start, first, 'a scroll', scrollPages))
  await need(first.url, 'DELETE', `/${INDEX}`)
  await first.kill()
  return checks
}

/** Three shards, documents that were written again, equal values: what a tiebreaker can get wrong. */
async function makeIndex(url) {
  await send(url, 'DELETE', `/${INDEX}`)
  const properties = { n: { type: 'integer' }, at: { type: 'date' }, tag: { type: 'keyword' } }
  await need(url, 'PUT', `/${INDEX}`, {
    settings: { number_of_shards: 3, number_of_replicas: 0 },
    mappings: { properties },
  })
  const line = (i) =>
    `{"index":{"_id":"d${i}"}}\n{"n":${i % 4},"at":"2024-0${1 + (i % 3)}-15","tag":"t${i % 170}","place":${i}}\n`
  const all = Array.from({ length: DOCUMENTS }, (_, i) => i)
  await need(url, 'POST', `/${INDEX}/_bulk`, all.map(line).join(''))
  const again = all.filter((i) => i % 5 === 0)
  await need(url, 'POST', `/${INDEX}/_bulk?refresh=true`, again.map(line).join(''))
}

/**
 * Walks once through one gateway, then again through gateways that are killed on the way. `walk` asks through `one`, which
 * finds a gateway that lives, and sends a request again that a killed one did not answer.
 */
async function compare(start, steady, name, walk) {
  const expected = await walk((...request) => need(steady.url, ...request))
  let kills = 0
  let asked = 0
  let current = await start()
  const one = async (method, path, body, { isRepeatable = true } = {}) => {
    asked++
    const dies = asked % 4 === 0 && kills < GATEWAYS - 1
    const next = dies ? await start() : undefined
    const { url, kill } = current
    // A request that cannot be repeated is answered before its gateway dies. Others are killed while they are under way.
    const answering = send(url, method, path, body)
    const answered = dies && isRepeatable ? undefined : await answering
    if (dies) {
      await kill()
      kills++
      current = next
      await answering
    }
    if (answered !== undefined && answered.status === 200) return answered.json
    return need(current.url, method, path, body)
  }
  const pages = await walk(one)
  await current.kill()
  return {
    name: `another gateway continues ${name} (${pages.length} pages, ${kills} gateways killed)`,
    problem: kills === 0 ? 'no gateway was killed' : problemOf(expected, pages),
  }
}

function problemOf(expected, pages) {
  const seen = new Set(pages.flat().map(([key]) => key))
  const counted = pages.flat().reduce((sum, [, , count = 1]) => sum + count, 0)
  if (counted !== DOCUMENTS) return `${counted} of ${DOCUMENTS} documents`
  if (seen.size !== pages.flat().length) return 'a document is on two pages'
  const at = expected.findIndex((page, i) => JSON.stringify(page) !== JSON.stringify(pages[i]))
  if (at >= 0 || expected.length !== pages.length)
    return `page ${at} differs: ${JSON.stringify(pages[at])?.slice(0, 200)}`
  return undefined
}

const hitsOf = ({ hits }) => hits.hits.map(({ _id, sort }) => [_id, sort])

async function pointInTimePages(one, id, body) {
  const pages = []
  for (let after; ; ) {
    const search = { size: SIZE, pit: { id }, track_total_hits: false, ...body }
    const answer = await one('POST', '/_search', after === undefined ? search : { ...search, search_after: after })
    if (answer.hits.hits.length === 0) return pages
    pages.push(hitsOf(answer))
    after = answer.hits.hits.at(-1).sort
  }
}

async function compositePages(one) {
  const sources = [{ tag: { terms: { field: 'tag' } } }, { n: { terms: { field: 'n', order: 'desc' } } }]
  const pages = []
  for (let after; ; ) {
    const composite = { size: 20, sources, ...(after === undefined ? {} : { after }) }
    const search = { size: 0, aggs: { c: { composite } } }
    const { aggregations } = await one('POST', `/${INDEX}/_search`, search)
    const { buckets, after_key } = aggregations.c
    if (buckets.length === 0) return pages
    pages.push(buckets.map(({ key, doc_count }) => [JSON.stringify(key), key, doc_count]))
    after = after_key
  }
}

async function scrollPages(one) {
  const sort = [{ n: 'asc' }, { place: 'asc' }]
  let answer = await one('POST', `/${INDEX}/_search?scroll=2m`, { size: SIZE, sort }, { isRepeatable: false })
  const pages = []
  while (answer.hits.hits.length > 0) {
    pages.push(hitsOf(answer))
    const body = { scroll: '2m', scroll_id: answer._scroll_id }
    answer = await one('POST', '/_search/scroll', body, { isRepeatable: false })
  }
  await one('DELETE', '/_search/scroll', { scroll_id: answer._scroll_id }, { isRepeatable: false })
  return pages
}
