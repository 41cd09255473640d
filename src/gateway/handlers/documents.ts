/** Writes of documents and gets: what OpenSearch does not take, parts of documents, and the errors of single items. */

import { encodeJson, RawJson } from '../../base/json/json-writer.ts'
import { giveBackBodyMemory } from '../../base/memory/body-memory.ts'
import { readLent } from '../../base/memory/lent-bytes.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge, Changed } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { parseAnswer } from '../rewrite/answer-tree.ts'
import { bulkDocuments, failedLines, withItemErrors } from '../rewrite/bulk-errors.ts'
import { translateErrorObject } from '../rewrite/errors.ts'
import { hidePointNulls, mayHaveNullInList, pointsOf } from '../rewrite/point-nulls.ts'
import {
  type DocumentFilter,
  filterOf,
  NO_SOURCE_PARAMETERS,
  selectionOf,
  targetSelection,
} from '../rewrite/source-excludes.ts'

/** Larger bodies are not parsed again to find the positions of errors. */
const KEPT_BYTES = 1024 * 1024
/** The answer of a bulk request without errors says so at its beginning. */
const HEADER_BYTES = 100

/** Writes one document. */
export async function write(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const { body } = exchange.incoming
  if (isJsonBody(exchange) && mayHaveNullInList(body))
    hidePointNulls(body, await pointsIn(exchange.params['index'] ?? '', exchange, bridge))
  return bridge.pass(exchange)
}

const isJsonBody = ({ media }: Exchange) => (media.bodyFormat ?? 'json') === 'json'

/** The points of the index that a write goes to, which may be named by an alias or a data stream. */
async function pointsIn(name: string, exchange: Exchange, { shadow }: Bridge): Promise<ReadonlySet<string>> {
  const find = () => shadow.searchedIndices(name, exchange.query)
  const known = find()
  const names = known.length > 0 || !(await shadow.sync()) ? known : find()
  const mappings = names
    .map((found) => shadow.node.state.index(found)?.mapping)
    .filter((mapping) => mapping !== undefined)
  return mappings.length === 1 ? pointsOf(mappings[0]!) : new Set(mappings.flatMap((mapping) => [...pointsOf(mapping)]))
}

/** Whether an index has points, by the generation of the metadata: bodies are searched only if one has. */
const POINTS = new WeakMap<Bridge, { readonly generation: number; readonly has: boolean }>()

function hasPoints(bridge: Bridge): boolean {
  const { generation, node } = bridge.shadow
  const known = POINTS.get(bridge)
  if (known?.generation === generation) return known.has
  const has = [...node.state.indices.values()].some(({ mapping }) => pointsOf(mapping).size > 0)
  POINTS.set(bridge, { generation, has })
  return has
}

async function hideInBulk(exchange: Exchange, bridge: Bridge): Promise<void> {
  const { body } = exchange.incoming
  if (!isJsonBody(exchange) || !hasPoints(bridge) || !mayHaveNullInList(body)) return
  for (const { index, document } of bulkDocuments(body))
    if (mayHaveNullInList(document))
      hidePointNulls(document, await pointsIn(index ?? exchange.params['index'] ?? '', exchange, bridge))
}

export async function bulk(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  await hideInBulk(exchange, bridge)
  const upstream = await bridge.send(exchange)
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  if (!upstream.body.subarray(0, HEADER_BYTES).includes('"errors":true')) {
    // The cluster has read and answered all of the body.
    giveBackBodyMemory(exchange.incoming.body)
    return exchange.passed(upstream)
  }
  const answer = parseJson(upstream.body) as JsonObject
  const items = answer['items'] as JsonObject[]
  const { body } = exchange.incoming
  const failed = body.length <= KEPT_BYTES ? failedLines(body, items) : undefined
  const verdict =
    failed === undefined || failed.length === 0
      ? undefined
      : await bridge.shadow.judge(
          () => ({ ...exchange.incoming, body: Buffer.concat(failed.map(({ lines }) => lines)) }),
          true,
        )
  const judged = verdict?.status === 200 ? (readLent(verdict.body, parseJson) as JsonObject) : undefined
  const errors = isObject(judged) && Array.isArray(judged['items']) ? (judged['items'] as JsonObject[]) : []
  return exchange.answer(200, { ...answer, items: withItemErrors(items, failed ?? [], errors) }, upstream.headers)
}

const EXCLUDES = '_source_excludes'

/**
 * `_doc/{id}` and `_source/{id}`. The function itself is not asynchronous, because a promise of a promise costs two
 * more microtasks.
 */
export function get(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const filter = exchange.queryText.includes(EXCLUDES) ? filterOf(targetOf(exchange)) : undefined
  return filter === undefined ? bridge.pass(exchange) : getFiltered(exchange, bridge, filter)
}

async function getFiltered(exchange: Exchange, bridge: Bridge, filter: DocumentFilter): Promise<Answer> {
  const upstream = await bridge.send(exchange, { uri: exchange.uriFor(exchange.path, NO_SOURCE_PARAMETERS) })
  if (upstream.status !== 200) return bridge.answered(exchange, upstream)
  bridge.statistics.met(NAME)
  const isBare = exchange.route?.path.includes('/_source/') === true
  const answer = isBare ? { _source: new RawJson(upstream.body) } : parseAnswer(upstream.body)
  filter(answer)
  return exchange.answer(200, (isBare ? answer['_source'] : answer) as JsonObject, upstream.headers)
}

const NAME = 'source_excludes'
const targetOf = ({ query }: Exchange) => targetSelection((name) => query.string(name))

export async function multiGet(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const filtered = mayExclude(exchange) ? filteredGets(exchange) : undefined
  const upstream = await bridge.send(exchange, filtered)
  const hasErrors = upstream.body.includes('"error":{')
  if (upstream.status >= 400 || (!hasErrors && filtered === undefined)) return bridge.answered(exchange, upstream)
  const answer = parseAnswer(upstream.body)
  const docs = (answer['docs'] as JsonObject[]).map((doc) =>
    isObject(doc['error']) ? { ...doc, error: translateErrorObject(doc['error']) } : doc,
  )
  if (filtered !== undefined) bridge.statistics.met(NAME)
  for (const [i, filter] of filtered?.filters.entries() ?? []) if (docs[i] !== undefined) filter?.(docs[i])
  return exchange.answer(200, { ...answer, docs }, upstream.headers)
}

function mayExclude({ queryText, incoming }: Exchange): boolean {
  return queryText.includes(EXCLUDES) || incoming.body.includes('exclude')
}

interface FilteredGets extends Changed {
  readonly filters: readonly (DocumentFilter | undefined)[]
}

/** The request for whole documents, and the filters of those that the gateway filters. Undefined if there are none. */
function filteredGets(exchange: Exchange): FilteredGets | undefined {
  let body: unknown
  try {
    body = exchange.readBody()
  } catch {
    // The cluster refuses the body, and the shadow says what is wrong with it.
    return undefined
  }
  if (!isObject(body)) return undefined
  const ids = Array.isArray(body['ids']) ? body['ids'].map((_id) => ({ _id })) : []
  const items = [...(Array.isArray(body['docs']) ? body['docs'] : []), ...ids]
  const byDefault = targetOf(exchange)
  const filters = items.map((item) => {
    const source = isObject(item) ? item['_source'] : undefined
    return filterOf(source === undefined ? byDefault : selectionOf(source))
  })
  if (filters.every((filter) => filter === undefined)) return undefined
  const docs = items.map((item, i) => (filters[i] === undefined ? item : { ...item, _source: true }))
  return { uri: exchange.uriFor(exchange.path), body: encodeJson({ docs }), filters }
}
