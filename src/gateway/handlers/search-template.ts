/**
 * `_search/template`: the shadow renders the template, and the search that comes of it goes the way of every search. What
 * the shadow cannot render, such as a stored template that it does not know yet, passes.
 */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { requestOf } from '../shadow/shadow.ts'
import { search } from './search.ts'

export async function searchTemplate(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const rendered = await renderedSearch(exchange, bridge)
  if (rendered === undefined) return (await bridge.veto(exchange)) ?? bridge.pass(exchange)
  const path = exchange.path.replace(/\/template$/, '')
  const { headers, ...incoming } = exchange.incoming
  const uri = exchange.queryText === '' ? path : `${path}?${exchange.queryText}`
  const request = {
    ...incoming,
    uri,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: rendered,
  }
  const match = bridge.shadow.routes.find('POST', path)
  if (match.route === undefined) return bridge.pass(exchange)
  const media = { ...exchange.media, bodyFormat: 'json' as const }
  return search(new Exchange(request, path, exchange.queryText, media, match.route, match.values), bridge)
}

async function renderedSearch(exchange: Exchange, { shadow }: Bridge): Promise<Buffer | undefined> {
  let body: unknown
  try {
    body = exchange.readBody()
  } catch {
    // The shadow says what is wrong with the body.
  }
  if (!isObject(body)) return undefined
  const { explain, profile, ...template } = body
  const answer = await shadow.read(requestOf('POST', '/_render/template', encodeJson(template)))
  if (answer.status !== 200) return undefined
  const { template_output: output } = parseJson(answer.body) as { template_output: JsonObject }
  return encodeJson({
    ...output,
    ...(explain === undefined ? {} : { explain }),
    ...(profile === undefined ? {} : { profile }),
  })
}
