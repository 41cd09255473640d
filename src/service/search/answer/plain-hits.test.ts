import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeJson } from '../../../base/json/json-writer.ts'
import { parseIndexDefinition } from '../../definitions/create-index-request.ts'
import { bulkOf } from '../../documents/bulk-fixture.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../../names/indices-options.ts'
import { SandpiperNode } from '../../sandpiper-node.ts'
import { parseSearchBody } from '../request/search-request.ts'

// Goal: hits written as bytes equal hits built as objects. Method: each search runs as it is, and again with
// `fields` that find nothing, which forces objects.
let node: SandpiperNode

before(async () => {
  node = await SandpiperNode.open({})
  const properties = {
    n: { type: 'integer', ignore_malformed: true },
    k: { type: 'keyword' },
    t: { type: 'text' },
    parts: { type: 'nested', properties: { p: { type: 'keyword' } } },
  }
  await node.indices.create('plain', parseIndexDefinition({ mappings: { properties } }))
  await node.indices.create('bare', parseIndexDefinition({ mappings: { _source: { enabled: false }, properties } }))
  const lines: unknown[] = []
  for (const _index of ['plain', 'bare']) {
    for (let i = 0; i < 150; i++) {
      const _id = i % 10 === 3 ? `"${i}"\\é` : `d${i}`
      const action = i % 7 === 0 ? { _index, _id, routing: `r${i}` } : { _index, _id }
      const n = i % 9 === 0 ? 'none' : i
      lines.push(
        { index: action },
        { n, k: `k${i % 4}`, t: `word ${i % 3}`.repeat(1 + (i % 5)), parts: { p: `p${i}` } },
      )
    }
  }
  await node.documents.bulk(bulkOf(lines))
})

after(() => node.close())

async function search(body: object): Promise<{ hits: { hits: Record<string, unknown>[] } }> {
  const answer = await node.search.search({
    scope: {
      expressions: ['plain', 'bare'],
      options: EXPAND_OPEN_FORBID_CLOSED,
      routing: undefined,
      limits: undefined,
    },
    body: parseSearchBody(Buffer.from(JSON.stringify(body))),
    allowPartialResults: true,
    totalAsInteger: false,
    globalFrequencies: false,
  })
  return JSON.parse(encodeJson(answer).toString())
}

const SEARCHES = {
  everything: {},
  'by score': { query: { match: { t: 'word 2' } } },
  'by several keys': { sort: [{ k: 'desc' }, { n: { order: 'asc', missing: '_last' } }, '_doc'] },
  'without a source': { _source: false, query: { term: { k: 'k2' } } },
  'objects inside documents': { query: { term: { _nested_path: 'parts' } } },
  'with versions': { version: true, seq_no_primary_term: true, query: { term: { k: 'k1' } } },
  nothing: { query: { term: { k: 'elsewhere' } } },
}

for (const [name, body] of Object.entries(SEARCHES)) {
  test(`hits are the same as bytes and as objects: ${name}`, async () => {
    for (const size of [1, 10, 99, 100, 300]) {
      const written = (await search({ ...body, size })).hits
      const made = (await search({ ...body, size, fields: ['nowhere'] })).hits
      assert.deepEqual(written, made)
      // The order of members must be equal too.
      assert.equal(JSON.stringify(written.hits), JSON.stringify(made.hits))
    }
  })
}
