/** Indices, mappings, settings and templates: the shadow checks a definition before the cluster gets it. */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { toClusterMapping } from '../rewrite/field-types.ts'
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

/** Elasticsearch says of a change of aliases that it had no errors. */
export function changeAliases(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(
    exchange,
    bridge,
    (body) => body,
    (answer) => ({ ...answer, errors: false }),
  )
}

/** `POST _rollover`: Elasticsearch says whether the rollover was put off until the next write. */
export async function rollOver(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(exchange, bridge, toClusterDefinition, (answer) => ({ ...answer, lazy: false }))
}

/**
 * `PUT _mapping`. What the cluster has no place for lies in `_meta`, which a change replaces as a whole: it is sent
 * complete, as it is after the change.
 */
export function changeMapping(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(exchange, bridge, toClusterMapping)
}

/** `PUT _settings`. Settings that the cluster does not know go into the mapping of each index. */
export async function changeSettings(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(exchange, bridge, (body) => {
    const settings = isObject(body['settings']) ? body['settings'] : body
    return toClusterSettings(settings).sent
  })
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
