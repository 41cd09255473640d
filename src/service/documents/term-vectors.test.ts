import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeJson } from '../../base/json/json-writer.ts'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { SandpiperNode } from '../sandpiper-node.ts'
import { bulkOf } from './bulk-fixture.ts'
import { TermVectorService } from './term-vectors.ts'
import { parseMultiTermVectors, parseTermVectors, type TermVectorsRequest } from './term-vectors-request.ts'

const DEFAULTS: TermVectorsRequest = {
  index: 'idx',
  id: undefined,
  doc: undefined,
  routing: undefined,
  realtime: true,
  version: undefined,
  fields: undefined,
  positions: true,
  offsets: true,
  termStatistics: false,
  fieldStatistics: true,
  perFieldAnalyzer: {},
  filter: undefined,
  limits: undefined,
}

let node: SandpiperNode
let vectors: TermVectorService

before(async () => {
  node = await SandpiperNode.open({})
  vectors = new TermVectorService({
    documents: node.documents,
    host: node.host,
    readTarget: (name) => node.writeTargets.resolveRead(name),
    index({ indexUuid }) {
      const index = node.state.indexByUuid(indexUuid)!
      return { mapping: node.mappingCache.of(index), analysis: node.mappingCache.analysis(index) }
    },
  })
  const properties = {
    text: { type: 'text', term_vector: 'with_positions_offsets' },
    plain: { type: 'text' },
    empty: { type: 'text' },
    k: { type: 'keyword' },
  }
  await node.indices.create('idx', parseIndexDefinition({ mappings: { properties } }))
  const lines = [
    { index: { _id: '1' } },
    { text: 'The quick brown fox is brown.', plain: ['foo bar', 'foo'], k: 'key one' },
    { index: { _id: '2' } },
    { text: 'brown cow' },
  ]
  await node.documents.bulk(bulkOf(lines, { defaultIndex: 'idx' }))
})
after(() => node.close())

async function get(request: Partial<TermVectorsRequest>, body: unknown = {}) {
  const parsed = parseTermVectors(encodeJson(body), { ...DEFAULTS, ...request })
  const { took: _took, ...answer } = JSON.parse(encodeJson(await vectors.get(parsed)).toString())
  return answer
}

test('_termvectors shows fields with term vectors, with positions and frequencies', async () => {
  const answer = await get({ id: '1', termStatistics: true })
  assert.deepEqual(Object.keys(answer.term_vectors), ['text'])
  const { field_statistics, terms } = answer.term_vectors.text
  assert.deepEqual(field_statistics, { sum_doc_freq: 7, doc_count: 2, sum_ttf: 8 })
  assert.deepEqual(Object.keys(terms), ['brown', 'fox', 'is', 'quick', 'the'])
  assert.deepEqual(terms.brown, {
    doc_freq: 2,
    ttf: 3,
    term_freq: 2,
    tokens: [
      { position: 2, start_offset: 10, end_offset: 15 },
      { position: 5, start_offset: 23, end_offset: 28 },
    ],
  })
})

test('_termvectors analyzes requested fields without term vectors, with several values in sequence', async () => {
  const answer = await get({ id: '1', fields: ['pl*', 'k'], fieldStatistics: false })
  assert.deepEqual(answer.term_vectors.plain.terms.foo.tokens, [
    { position: 0, start_offset: 0, end_offset: 3 },
    { position: 102, start_offset: 8, end_offset: 11 },
  ])
  assert.deepEqual(Object.keys(answer.term_vectors.k.terms), ['key one'])
})

test('_termvectors analyzes an artificial document', async () => {
  const answer = await get({}, { doc: { text: 'brown new', plain: 'x' }, term_statistics: true, offsets: false })
  assert.deepEqual(answer.term_vectors.text.terms, {
    brown: { doc_freq: 2, ttf: 3, term_freq: 1, tokens: [{ position: 0 }] },
    new: { term_freq: 1, tokens: [{ position: 1 }] },
  })
})

test('_termvectors with a filter keeps the terms with the highest scores', async () => {
  const answer = await get({ id: '1', positions: false, offsets: false }, { filter: { max_num_terms: 2 } })
  assert.deepEqual(answer.term_vectors.text.terms, {
    brown: { term_freq: 2, score: 2 },
    fox: { term_freq: 1, score: 1.4054651 },
  })
})

test('_termvectors with a filter rates the terms of a field that the shard has no terms of by the document alone', async () => {
  const { term_vectors } = await get(
    { doc: { empty: 'new new words' }, positions: false, offsets: false },
    { filter: { min_doc_freq: 1 } },
  )
  assert.deepEqual(term_vectors.empty, {
    field_statistics: { sum_doc_freq: 0, doc_count: 0, sum_ttf: 0 },
    terms: { new: { term_freq: 2, score: 2 }, words: { term_freq: 1, score: 1 } },
  })
})

test('_termvectors lists fields by name', async () => {
  const { term_vectors } = await get({ doc: { text: 'a', plain: 'b', k: 'c' } })
  assert.deepEqual(Object.keys(term_vectors), ['k', 'plain', 'text'])
})

test('_termvectors with a filter keeps those of equal scores that the queue of Lucene keeps', async () => {
  const request = { positions: false, offsets: false }
  const body = { doc: { plain: 'a b c d e' }, filter: { max_num_terms: 3, min_doc_freq: 0 } }
  const { term_vectors: found } = await get(request, body)
  assert.deepEqual(Object.keys(found.plain.terms), ['a', 'b', 'c'])
  // The first of the equal terms is at the top of the queue: it is the one that a higher score replaces.
  const higher = { ...body, doc: { plain: 'a b c d e e' } }
  assert.deepEqual(Object.keys((await get(request, higher)).term_vectors.plain.terms), ['b', 'c', 'e'])
})

test('a missing document is not an error, a malformed request is', async () => {
  assert.deepEqual(await get({ id: '9' }), { _index: 'idx', _id: '9', _version: 0, found: false })
  assert.throws(() => parseTermVectors(Buffer.from('{"versionType":"x"}'), DEFAULTS), {
    message: 'failed to parse term vectors request. unknown field [versionType]',
  })
  assert.throws(() => parseMultiTermVectors(Buffer.from('{}'), [], DEFAULTS), {
    message: 'Validation Failed: 1: multi term vectors: no documents requested;',
  })
  await assert.rejects(get({}), { message: 'Validation Failed: 1: id or doc is missing;' })
})

test('_mtermvectors answers each document separately', async () => {
  const wanted = parseMultiTermVectors(
    Buffer.from('{"docs":[{"_index":"nowhere","_id":"1"}],"ids":["2"],"parameters":{"fields":["text"]}}'),
    [],
    DEFAULTS,
  )
  const { docs } = JSON.parse(encodeJson({ docs: (await vectors.getAll(wanted)).docs }).toString())
  assert.equal(docs[0].error.type, 'index_not_found_exception')
  assert.deepEqual(Object.keys(docs[1].term_vectors.text.terms), ['brown', 'cow'])
})

test('_mtermvectors wraps the failure to read a document in a failure of the shard', async () => {
  const { docs } = await vectors.getAll([
    { ...DEFAULTS, id: '' },
    { ...DEFAULTS, id: '1', version: 9 },
    { ...DEFAULTS, index: 'nope', id: '1' },
  ])
  const errors = docs.map(({ error }) => error as { type: string; caused_by?: { type: string } })
  assert.deepEqual(
    errors.map(({ type, caused_by }) => [type, caused_by?.type]),
    [
      ['exception', 'illegal_argument_exception'],
      ['exception', 'version_conflict_engine_exception'],
      ['index_not_found_exception', undefined],
    ],
  )
})

test('_mtermvectors takes turns with other work, counts its memory, and ends when its client is gone', async () => {
  const wanted = parseMultiTermVectors(
    Buffer.from(JSON.stringify({ docs: Array(50).fill({ _id: '1' }) })),
    [],
    DEFAULTS,
  )
  let turns = 0
  let counting = setImmediate(function count() {
    turns++
    counting = setImmediate(count)
  })
  const { docs, release } = await vectors.getAll(wanted)
  clearImmediate(counting)
  assert.equal(docs.length, 50)
  assert.ok(turns > 0)
  release()
  let asked = 0
  await assert.rejects(
    vectors.getAll(wanted, undefined, () => ++asked > 3),
    { type: 'task_cancelled_exception' },
  )
  assert.equal(asked, 4)
})
