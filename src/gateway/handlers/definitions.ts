/** Indices, mappings, settings and templates: the shadow checks a definition before the cluster gets it. */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject } from '../exchange/exchange.ts'
import { toClusterMapping } from '../rewrite/field-types.ts'
import { toClusterSettings } from '../rewrite/settings.ts'

/** `PUT /{index}` */
export async function createIndex(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  return define(exchange, bridge, (body) => toClusterDefinition(body))
}

async function define(exchange: Exchange, bridge: Bridge, change: (body: JsonObject) => JsonObject): Promise<Answer> {
  const verdict = await bridge.judge(exchange)
  if (verdict !== undefined) return verdict
  const body = exchange.readBody()
  const upstream = isObject(body)
    ? await bridge.send(exchange, { uri: exchange.uriFor(exchange.path), body: encodeJson(change(body)) })
    : await bridge.send(exchange)
  return bridge.answered(exchange, upstream)
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
