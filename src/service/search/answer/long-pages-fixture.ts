/** Searches for pages of several megabytes, in the main thread or in another one. */
import { encodeResponse } from '../../../base/json/json-writer.ts'
import { giveBackAnswerMemory } from '../../../base/memory/answer-memory.ts'
import { parseIndexDefinition } from '../../definitions/create-index-request.ts'
import { bulkOf } from '../../documents/bulk-fixture.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../../names/indices-options.ts'
import { SandpiperNode } from '../../sandpiper-node.ts'
import { parseSearchBody } from '../request/search-request.ts'

const DOCS = 4200
const LONGER_DOCS = 2500

interface Page {
  readonly bytes: Buffer
  readonly hits: string
}

async function search(node: SandpiperNode, body: object, cacheKey?: string): Promise<Page> {
  const answer = await node.search.search({
    scope: { expressions: ['long'], options: EXPAND_OPEN_FORBID_CLOSED, routing: undefined, limits: undefined },
    body: parseSearchBody(Buffer.from(JSON.stringify({ size: DOCS, sort: ['n'], ...body }))),
    allowPartialResults: true,
    totalAsInteger: false,
    globalFrequencies: false,
    cacheKey,
  })
  const bytes = encodeResponse(answer)
  return { bytes, hits: JSON.stringify(JSON.parse(bytes.toString()).hits.hits) }
}

/** What is different between pages as bytes, as objects, and from the request cache; empty if nothing is. */
export async function differencesOfLongPages(): Promise<string[]> {
  const node = await SandpiperNode.open({})
  const differences: string[] = []
  await node.indices.create('long', parseIndexDefinition({ mappings: { properties: { n: { type: 'integer' } } } }))
  const lines: unknown[] = []
  // Hits of about a kilobyte, then of three, and one that is longer than what is written at a time.
  for (let n = 0; n < DOCS + LONGER_DOCS; n++) {
    const length = n === 7 ? 200_000 : n < DOCS ? 900 + (n % 100) : 3000
    lines.push({ index: { _index: 'long', _id: `d${n}` } }, { n, t: `${n % 10}`.repeat(length) })
  }
  await node.documents.bulk(bulkOf(lines))
  for (const search_after of [[-1], [DOCS - 1]]) {
    const written = await search(node, { search_after })
    const made = await search(node, { search_after, fields: ['nowhere'] })
    if (written.hits !== made.hits) differences.push(`page after ${search_after}`)
    giveBackAnswerMemory(written.bytes)
  }
  const cached = await search(node, { size: 1000 }, 'key')
  giveBackAnswerMemory(cached.bytes)
  giveBackAnswerMemory((await search(node, { size: 1000, search_after: [2000] })).bytes)
  const again = await search(node, { size: 1000 }, 'key')
  if (again.hits !== cached.hits) differences.push('page of the request cache')
  await node.close()
  return differences
}
