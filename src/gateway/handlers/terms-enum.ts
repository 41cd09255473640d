/** `_terms_enum`, which OpenSearch does not have: a terms aggregation over the values that begin with the text. */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'

const DEFAULT_SIZE = 10

export async function termsEnum(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const verdict = await bridge.veto(exchange)
  if (verdict !== undefined) return verdict
  const request = exchange.readBody()
  if (!isObject(request)) return bridge.pass(exchange)
  const { field, string: prefix = '', size = DEFAULT_SIZE, case_insensitive, search_after, index_filter } = request
  const after = typeof search_after === 'string' ? search_after : undefined
  const include = `${anyCase(String(prefix), case_insensitive === true)}.*`
  // Values up to the last one of the previous page are skipped here, because a terms aggregation cannot.
  const wanted = after === undefined ? Number(size) : MANY
  const search = {
    size: 0,
    ...(index_filter === undefined ? {} : { query: index_filter }),
    aggs: { terms: { terms: { field, size: wanted, order: { _key: 'asc' }, include } } },
  }
  const index = encodeURIComponent(exchange.params['index'] ?? '')
  const upstream = await bridge.send(exchange, { method: 'POST', uri: `/${index}/_search`, body: encodeJson(search) })
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  const { _shards, aggregations } = parseJson(upstream.body) as {
    _shards: JsonObject
    aggregations: { terms: { buckets: readonly { key: string }[] } }
  }
  const keys = aggregations.terms.buckets.map(({ key }) => key).filter((key) => after === undefined || key > after)
  const { total, successful, failed } = _shards
  return exchange.answer(200, {
    _shards: { total, successful, failed },
    terms: keys.slice(0, Number(size)),
    complete: true,
  })
}

const MANY = 10_000

/** A regular expression of Lucene that matches the text. */
function anyCase(text: string, ignoresCase: boolean): string {
  let pattern = ''
  for (const character of text) {
    const escaped = /[\p{L}\p{N}\s]/u.test(character) ? character : `\\${character}`
    const [lower, upper] = [character.toLowerCase(), character.toUpperCase()]
    pattern += ignoresCase && lower !== upper && lower.length === upper.length ? `[${lower}${upper}]` : escaped
  }
  return pattern
}
