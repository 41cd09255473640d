/** Indices, mappings, settings and templates: the shadow checks a definition before the cluster gets it. */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { toClusterMapping } from '../rewrite/field-types.ts'
import { keptIn, withoutKept } from '../rewrite/kept-definitions.ts'
import { toClusterSettings } from '../rewrite/settings.ts'

/** `PUT /{index}` */
export function createIndex(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(exchange, bridge, toClusterDefinition)
}

/** `PUT _index_template`, `_component_template` and `_template`. */
export function putTemplate(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(exchange, bridge, toClusterTemplate)
}

/** Requests that the cluster takes as they are, after the shadow has taken them. */
export function checkFirst(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(exchange, bridge, (body) => body)
}

/** `POST _aliases`. Elasticsearch's answer has `errors: false` in addition. */
export function changeAliases(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(
    exchange,
    bridge,
    (body) => body,
    (answer) => ({ ...answer, errors: false }),
  )
}

/** `POST _rollover`. Elasticsearch's answer has `lazy: false` in addition. */
export async function rollOver(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(exchange, bridge, toClusterDefinition, (answer) => ({ ...answer, lazy: false }))
}

/**
 * `PUT _mapping`. Definitions that the cluster cannot hold are kept in `_meta`, which an update replaces as a whole:
 * each index therefore gets its previous kept definitions together with those of the update.
 */
export async function changeMapping(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const names = await namesOf(exchange, bridge)
  const verdict = await bridge.judge(exchange)
  if (verdict !== undefined) return verdict
  const body = exchange.readBody()
  if (!isObject(body)) return bridge.pass(exchange)
  for (const name of names) {
    const whole = bridge.shadow.clusterMapping(name)
    // Without a `_meta` in the request, the user's own `_meta` stays.
    const meta = body['_meta'] ?? withoutKept(whole)['_meta']
    const before = keptIn(whole)
    const changed = toClusterMapping(body, {}, before)
    const needsMeta = Object.keys(before).length > 0 && meta !== undefined && changed['_meta'] !== undefined
    const sent = needsMeta
      ? { ...changed, _meta: { ...(meta as JsonObject), ...(changed['_meta'] as JsonObject) } }
      : changed
    const removesLast = Object.keys(before).length > 0 && sent['_meta'] === undefined
    const uri = exchange.uriFor(`/${encodeURIComponent(name)}/_mapping`)
    const upstream = await bridge.send(exchange, {
      uri,
      body: encodeJson(removesLast ? { ...sent, _meta: meta ?? {} } : sent),
    })
    if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  }
  return names.length === 0 ? bridge.pass(exchange) : exchange.answer(200, { acknowledged: true })
}

/** `PUT _settings`. Settings that the cluster does not know go into the mapping of each index. */
export async function changeSettings(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const names = await namesOf(exchange, bridge)
  const verdict = await bridge.judge(exchange)
  if (verdict !== undefined) return verdict
  const body = exchange.readBody()
  if (!isObject(body)) return bridge.pass(exchange)
  const { sent, kept } = toClusterSettings(isObject(body['settings']) ? body['settings'] : body)
  if (Object.keys(kept).length > 0) {
    for (const name of names) {
      const whole = bridge.shadow.clusterMapping(name)
      const mapping = toClusterMapping({ _meta: withoutKept(whole)['_meta'] ?? {} }, kept, keptIn(whole))
      const upstream = await bridge.cluster.ask('PUT', `/${encodeURIComponent(name)}/_mapping`, encodeJson(mapping))
      if (upstream.status >= 400) return bridge.refused(exchange, upstream)
    }
  }
  if (Object.keys(sent).length === 0) return exchange.answer(200, { acknowledged: true })
  const upstream = await bridge.send(exchange, { uri: exchange.uriFor(exchange.path), body: encodeJson(sent) })
  return bridge.answered(exchange, upstream)
}

/** Names of the indices that a change of metadata reaches, aliases and patterns resolved. */
async function namesOf(exchange: Exchange, bridge: Bridge): Promise<string[]> {
  await bridge.shadow.sync()
  return bridge.shadow.searchedIndices(exchange.params['index'] ?? '', exchange.query)
}

async function define(
  exchange: Exchange,
  bridge: Bridge,
  change: (body: JsonObject) => JsonObject,
  amend?: (answer: JsonObject) => JsonObject,
): Promise<Answer> {
  const verdict = await bridge.judge(exchange)
  if (verdict !== undefined) return verdict
  const body = exchange.readBody()
  const changed = isObject(body) ? { body: encodeJson(change(body)) } : {}
  const upstream = await bridge.send(exchange, { uri: exchange.uriFor(exchange.path), ...changed })
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  const answer = parseJson(upstream.body) as JsonObject
  return exchange.answer(upstream.status, amend?.(answer) ?? answer, upstream.headers)
}

/** `settings`, `mappings` and `aliases`, as in the body of a new index and in templates. */
function toClusterDefinition(definition: JsonObject): JsonObject {
  const { settings, mappings } = definition
  const split = isObject(settings) ? toClusterSettings(settings) : undefined
  const out: JsonObject = { ...definition }
  if (split !== undefined) out['settings'] = split.sent
  const kept = split?.kept ?? {}
  if (isObject(mappings)) out['mappings'] = toClusterMapping(mappings, kept)
  else if (Object.keys(kept).length > 0) out['mappings'] = toClusterMapping({}, kept)
  return out
}

/** Members of an index template that OpenSearch does not know and that change nothing there. */
const TEMPLATE_MEMBERS = ['allow_auto_create', 'deprecated', 'ignore_missing_component_templates']

function toClusterTemplate(template: JsonObject): JsonObject {
  const inner = template['template']
  const out = toClusterDefinition(template)
  for (const name of TEMPLATE_MEMBERS) delete out[name]
  return isObject(inner) ? { ...out, template: toClusterDefinition(inner) } : out
}
