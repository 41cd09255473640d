import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: synonyms apply in phrases, in phrase prefixes and in suggestions.
let search: TestSearch

before(async () => {
  search = await startSearch({ listen: false })
  const analysis = {
    filter: {
      flat: { type: 'synonym', synonyms: ['one, two', 'foo, renamed'] },
      graph: { type: 'synonym_graph', synonyms: ['wtf, what the fudge'] },
      pairs: { type: 'shingle', output_unigrams: false },
    },
    analyzer: {
      flat: { tokenizer: 'standard', filter: ['lowercase', 'flat'] },
      graph: { tokenizer: 'standard', filter: ['lowercase', 'graph'] },
      pairs: { tokenizer: 'standard', filter: ['pairs'] },
    },
  }
  const properties = {
    t: { type: 'text', search_analyzer: 'graph' },
    flat: { type: 'text', analyzer: 'flat' },
    pairs: { type: 'text', analyzer: 'pairs' },
    c: { type: 'completion', analyzer: 'flat' },
  }
  await search.request('PUT', '/words', { settings: { number_of_shards: 1, analysis }, mappings: { properties } })
  const texts = ['wtf', 'say wtf happened', 'nobody knows what the fudgesicle is', 'what is the fudge']
  for (const [id, t] of texts.entries()) await search.request('PUT', `/words/_doc/${id}`, { t, c: `Foo number ${id}` })
  await search.request('POST', '/words/_refresh')
})
after(() => search.stop())

async function ids(query: unknown): Promise<string> {
  const { body } = await search.request('POST', '/words/_search', { query, _source: false })
  return (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id).join('')
}

test('a multi-word synonym and its single word score alike, so the shortest text ranks first', async () => {
  assert.equal(await ids({ match_phrase: { t: 'wtf' } }), '01')
  assert.equal(await ids({ match_phrase_prefix: { t: 'wtf' } }), '012')
  assert.equal(await ids({ match_phrase_prefix: { t: { query: 'wtf', slop: 1 } } }), '2301')
})

test('match_phrase_prefix expands synonyms at every position', async () => {
  const text = async (query: string) => {
    const path = '/words/_validate/query?explain=true'
    const { body } = await search.request('POST', path, { query: { match_phrase_prefix: { flat: query } } })
    return (body as { explanations: { explanation: string }[] }).explanations[0]!.explanation
  }
  assert.equal(await text('one bar'), 'flat:"(one two) bar*"')
  assert.equal(await text('bar two'), 'flat:"bar (two* one*)"')
})

test('a completion field is found by every synonym of its input', async () => {
  const suggest = { s: { prefix: 'renamed num', completion: { field: 'c', size: 1 } } }
  const { body } = await search.request('POST', '/words/_search', { suggest })
  const { s } = (body as { suggest: { s: { options: { text: string }[] }[] } }).suggest
  assert.deepEqual(
    s[0]!.options.map(({ text }) => text),
    ['Foo number 0'],
  )
})

test('the phrase suggester rejects a field without unigrams', async () => {
  const suggest = { s: { text: 'what the', phrase: { field: 'pairs' } } }
  const { status, body } = await search.request('POST', '/words/_search', { suggest })
  assert.equal(status, 400)
  assert.match(JSON.stringify(body), /can't operate on field: \[pairs\] since it doesn't emit unigrams/)
})
