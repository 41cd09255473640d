/**
 * Records what Elasticsearch answers to requests, and what OpenSearch answers to the requests that the gateway sends instead.
 *
 *   node --import tsx scripts/record-pairs.ts --elasticsearch URL --opensearch URL
 *
 * Writes test/recorded/gateway-pairs.ndjson. The requests are in gateway-pairs.ts beside it.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { encodeJson } from '../src/base/json/json-writer.ts'
import { toClusterMapping } from '../src/gateway/rewrite/field-types.ts'
import { applyRewrites } from '../src/gateway/rewrite/search-rewrite.ts'
import { SEARCH_REWRITES } from '../src/gateway/rewrite/search-rewrites.ts'
import {
  DOCUMENTS,
  INDEX,
  type JsonObject,
  MAPPING,
  MISTAKES,
  type Pair,
  pairScope,
  SEARCHES,
} from '../test/recorded/gateway-pairs.ts'

const { values } = parseArgs({ options: { elasticsearch: { type: 'string' }, opensearch: { type: 'string' } } })
if (values.elasticsearch === undefined || values.opensearch === undefined) {
  console.error('usage: node --import tsx scripts/record-pairs.ts --elasticsearch URL --opensearch URL')
  process.exit(1)
}
const { elasticsearch, opensearch } = values as { elasticsearch: string; opensearch: string }

async function send(url: string, method: string, path: string, body?: Buffer | string) {
  const headers = { 'content-type': path.includes('_bulk') ? 'application/x-ndjson' : 'application/json' }
  const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
  return { status: answer.status, body: await answer.text() }
}

async function prepare(url: string, mappings: JsonObject): Promise<void> {
  await send(url, 'DELETE', `/${INDEX}`)
  const settings = { number_of_shards: 1, number_of_replicas: 0 }
  const made = await send(url, 'PUT', `/${INDEX}`, JSON.stringify({ settings, mappings }))
  if (made.status !== 200) throw new Error(made.body)
  const lines = DOCUMENTS.flatMap((document, i) => [{ index: { _id: String(i) } }, document])
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const written = await send(url, 'POST', `/${INDEX}/_bulk?refresh=true`, text)
  if (!written.body.includes('"errors":false')) throw new Error(written.body)
}

/** The search for the cluster; undefined if the gateway refuses it. */
function rewritten(request: JsonObject, target: string | undefined): JsonObject | undefined {
  try {
    return applyRewrites(request, SEARCH_REWRITES, pairScope(target))?.request
  } catch {
    return undefined
  }
}

await prepare(elasticsearch, MAPPING)
await prepare(opensearch, toClusterMapping(MAPPING))
const pairs: Pair[] = []
for (const { rewrite, request, target } of SEARCHES) {
  const path = `/${INDEX}/_search${target === undefined ? '' : `?${target}`}`
  const sent = rewritten(request, target)
  pairs.push({
    rewrite,
    request,
    ...(target === undefined ? {} : { target }),
    elasticsearch: await send(elasticsearch, 'POST', path, JSON.stringify(request)),
    ...(sent === undefined ? {} : { sent }),
    opensearch: await send(opensearch, 'POST', path, encodeJson(sent ?? request)),
  })
}
for (const { rewrite, method, path, request } of MISTAKES) {
  const body = method === 'GET' ? undefined : JSON.stringify(request)
  const ask = (url: string) => send(url, method!, path!, body)
  pairs.push({
    rewrite,
    method,
    path,
    request,
    elasticsearch: await ask(elasticsearch),
    opensearch: await ask(opensearch),
  } as Pair)
}
for (const url of [elasticsearch, opensearch]) await send(url, 'DELETE', `/${INDEX}`)
const file = fileURLToPath(new URL('../test/recorded/gateway-pairs.ndjson', import.meta.url))
writeFileSync(file, pairs.map((pair) => `${encodeJson(pair as never)}\n`).join(''))
console.log(`${pairs.length} pairs`)
