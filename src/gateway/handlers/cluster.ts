/** Answers about the cluster and its indices that lack members of Elasticsearch's, or have others. */
import { ApiError } from '../../base/api-error.ts'
import type { Answer, IncomingRequest } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { withPrimaries } from '../rewrite/answer-members.ts'
import { notInCluster } from '../rewrite/not-in-cluster.ts'

/** `GET _cluster/health`. The number of unassigned primaries comes from the list of shards. */
export async function health(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const verdict = isPlain(exchange) ? undefined : await bridge.veto(exchange, () => withoutWaiting(exchange))
  if (verdict !== undefined && verdict.status === 400) return verdict
  const upstream = await bridge.send(exchange, { uri: exchange.uriFor(exchange.path) })
  const answer = parseJson(upstream.body)
  // A wait that timed out answers 408 with the health.
  if (!isObject(answer) || answer['error'] !== undefined) return bridge.refused(exchange, upstream)
  const unassigned = Number(answer['unassigned_shards'] ?? 0) === 0 ? [] : await unassignedPrimaries(bridge)
  const count = (index?: string, shard?: string) =>
    unassigned.filter(
      (copy) => (index === undefined || copy.index === index) && (shard === undefined || copy.shard === shard),
    ).length
  return exchange.answer(upstream.status, withPrimaries(answer, count), upstream.headers)
}

const isPlain = ({ queryText }: Exchange) => queryText === ''

const DURATION = /^(-1|0|\d+(nanos|micros|ms|s|m|h|d))$/

/**
 * The request for the shadow, which only checks the parameters: without a wait, because only the cluster has the health
 * that is waited for.
 */
function withoutWaiting(exchange: Exchange): IncomingRequest {
  const timeout = exchange.query.string('timeout')
  const isValid = timeout === undefined || DURATION.test(timeout)
  const uri = isValid ? exchange.uriFor(exchange.path, { timeout: '0s' }, true) : exchange.incoming.uri
  return { ...exchange.forShadow(), uri }
}

interface ShardRow {
  readonly index: string
  readonly shard: string
  readonly prirep: string
  readonly state: string
}

async function unassignedPrimaries({ cluster }: Bridge): Promise<ShardRow[]> {
  const { status, body } = await cluster.ask(
    'GET',
    '/_cat/shards?format=json&h=index,shard,prirep,state&expand_wildcards=all',
  )
  if (status !== 200) return []
  const rows = JSON.parse(body.toString('utf8')) as ShardRow[]
  return rows.filter(({ prirep, state }) => prirep === 'p' && state === 'UNASSIGNED')
}

/** `_stats`: Elasticsearch shows the health and the state of each index. */
export async function stats(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const verdict = exchange.queryText === '' ? undefined : await bridge.veto(exchange)
  if (verdict !== undefined) return verdict
  const upstream = await bridge.send(exchange, { uri: exchange.uriFor(exchange.path) })
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  const answer = parseJson(upstream.body) as JsonObject
  const { indices } = answer
  if (isObject(indices) && Object.keys(indices).length > 0) {
    const { body } = await bridge.cluster.ask('GET', '/_cluster/health?level=indices&expand_wildcards=all')
    const known = (parseJson(body) as { indices?: Record<string, { status: string }> }).indices ?? {}
    for (const [name, index] of Object.entries(indices)) {
      const { uuid, ...rest } = index as JsonObject
      indices[name] = { uuid, health: known[name]?.status ?? 'red', status: 'open', ...rest }
    }
  }
  return exchange.answer(200, answer, upstream.headers)
}

/** `GET _cluster/settings`: the default of `search.max_buckets` is that of Elasticsearch, which the gateway keeps to. */
export async function clusterSettings(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const upstream = await bridge.send(exchange, { uri: exchange.uriFor(exchange.path) })
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  const answer = parseJson(upstream.body) as JsonObject
  const defaults = answer['defaults']
  const search = isObject(defaults) ? defaults['search'] : undefined
  if (isObject(search) && search['max_buckets'] === '65535') search['max_buckets'] = '65536'
  if (isObject(defaults) && defaults['search.max_buckets'] === '65535') defaults['search.max_buckets'] = '65536'
  return exchange.answer(200, answer, upstream.headers)
}

/** Operations on indices without a body: the shadow checks what OpenSearch would ignore. */
export async function checkedOperation(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const verdict = exchange.hasBody || exchange.queryText !== '' ? await bridge.judge(exchange) : undefined
  return verdict ?? bridge.pass(exchange)
}

/** Points in time and scrolls are in the cluster, which counts those of each shard and lists none. */
export async function openContexts(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const { status, body } = await bridge.cluster.ask('GET', '/_stats/search?filter_path=_all.total.search.open_contexts')
  if (status !== 200) throw new ApiError(503, 'no_living_connections', 'the statistics of the cluster cannot be read')
  const { _all: all } = JSON.parse(body.toString('utf8')) as { _all?: { total: { search: { open_contexts: number } } } }
  return exchange.answer(200, { total: all?.total.search.open_contexts ?? 0, contexts: [] })
}

export function closeContext(): Promise<Answer> {
  throw notInCluster('closing a context by an operator')
}
