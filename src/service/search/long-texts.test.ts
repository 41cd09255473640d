import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { bulkOf } from '../documents/bulk-fixture.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import { SandpiperNode } from '../sandpiper-node.ts'
import { parseSearchBody } from './request/search-request.ts'
import { TooMuchWork } from './request-guard.ts'

// Goal: what a page does with the texts of its documents counts as work, however little the query did.
let node: SandpiperNode

before(async () => {
  node = await SandpiperNode.open({})
  await node.indices.create('texts', parseIndexDefinition({}))
  const short = Array.from({ length: 10 }, (_, i) => [
    { index: { _id: `s${i}` } },
    { kind: 'short', t: 'lorem '.repeat(300) },
  ])
  const long = [{ index: { _id: 'long' } }, { kind: 'long', t: 'lorem '.repeat(80_000) }]
  await node.documents.bulk(bulkOf([...short.flat(), ...long], { defaultIndex: 'texts', refresh: 'true' }))
})

after(() => node.close())

const PARTS: Readonly<Record<string, object>> = {
  highlight: { highlight: { max_analyzed_offset: 1_000_000, fields: { t: {} } } },
  fields: { fields: ['k*'] },
  'a filter of the source': { _source: ['k*'] },
}

for (const [what, part] of Object.entries(PARTS)) {
  test(`${what} of a long text exceeds the limits of the main thread, that of a page of short ones does not`, async () => {
    const search = async (kind: string) =>
      await node.search.search({
        scope: { expressions: ['texts'], options: EXPAND_OPEN_FORBID_CLOSED, routing: undefined, limits: undefined },
        body: parseSearchBody(Buffer.from(JSON.stringify({ query: { match: { kind } }, ...part }))),
        allowPartialResults: true,
        totalAsInteger: false,
        globalFrequencies: false,
        limits: { steps: 5_000 },
      })
    await search('short')
    await assert.rejects(search('long'), TooMuchWork)
  })
}
