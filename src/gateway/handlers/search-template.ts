/**
 * `_search/template` and `_msearch/template`: the shadow renders the templates, and the searches that come of them go the
 * way of every search. A single template that the shadow cannot render, such as a stored one that it does not know yet,
 * passes. One of several is answered by the shadow, like all mistakes in items.
 */

import { encodeJson } from '../../base/json/json-writer.ts'
import { readLent } from '../../base/memory/lent-bytes.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { requestOf } from '../shadow/shadow.ts'
import { type Item, readItems, responsesOf, searchItems } from './msearch.ts'
import { search } from './search.ts'

export async function searchTemplate(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const body = exchange.readBodyQuietly()
  const rendered = isObject(body) ? await render(body, bridge) : undefined
  const plain = rendered && withoutTemplate(exchange, bridge, encodeJson(rendered))
  if (plain === undefined) return (await bridge.veto(exchange)) ?? bridge.pass(exchange)
  return search(plain, bridge)
}

export async function multiSearchTemplate(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const items = readItems(exchange.incoming.body)
  if (items === undefined) return (await bridge.veto(exchange)) ?? bridge.pass(exchange)
  let rendered = await renderAll(items, bridge)
  // Stored templates may have been written through another gateway.
  if (rendered.includes(undefined) && (await bridge.shadow.sync())) rendered = await renderAll(items, bridge)
  const searches: Item[] = items.map(({ header }, i) => ({ header, body: rendered[i] ?? {} }))
  const plain = withoutTemplate(exchange, bridge, exchange.incoming.body)
  if (plain === undefined) return bridge.pass(exchange)
  if (!rendered.includes(undefined)) return searchItems(plain, bridge, searches, [])
  const own = await bridge.shadow.read(exchange.forShadow())
  if (own.status !== 200) return own
  const answers = responsesOf(readLent(own.body, parseJson))
  const errors = rendered.map((search, i) => (search === undefined ? (answers[i] ?? {}) : undefined))
  return searchItems(plain, bridge, searches, errors)
}

/** The exchange of a search without a template. */
function withoutTemplate(exchange: Exchange, bridge: Bridge, body: Buffer): Exchange | undefined {
  const path = exchange.path.replace(/\/template$/, '')
  const { headers, ...incoming } = exchange.incoming
  const uri = exchange.queryText === '' ? path : `${path}?${exchange.queryText}`
  const request = {
    ...incoming,
    uri,
    method: 'POST',
    headers: { ...headers, 'content-type': jsonType(headers['content-type']) },
    body,
  }
  const match = bridge.shadow.routes.find('POST', path)
  if (match.route === undefined) return undefined
  const media = { ...exchange.media, bodyFormat: 'json' as const }
  return new Exchange(request, path, exchange.queryText, media, match.route, match.values)
}

/** The media type of a JSON body. A vendor type stays one, because it must agree with that of the answer. */
function jsonType(given: string | string[] | undefined): string {
  const text = String(given ?? '')
  return text.includes('vnd.elasticsearch') ? text.replace(/\+[a-z-]+/, '+json') : 'application/json'
}

function renderAll(items: readonly Item[], bridge: Bridge): Promise<(JsonObject | undefined)[]> {
  return Promise.all(items.map(({ body }) => render(body, bridge)))
}

async function render(body: JsonObject, { shadow }: Bridge): Promise<JsonObject | undefined> {
  const { explain, profile, ...template } = body
  const answer = await shadow.read(requestOf('POST', '/_render/template', encodeJson(template)))
  if (answer.status !== 200) return undefined
  const { template_output: output } = readLent(answer.body, parseJson) as { template_output: JsonObject }
  return {
    ...output,
    ...(explain === undefined ? {} : { explain }),
    ...(profile === undefined ? {} : { profile }),
  }
}
