// Goal: a script reads the fields of the index that it runs on, whichever index it ran on before. Method: the same script on
// indices that differ in one property of a field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../testing/index.ts'

test('a script that ran on one index reads the fields of another as that one defines them', async () => {
  const search = await startSearch({ listen: false })
  const create = (index: string, field: object) =>
    search.request('PUT', `/${index}`, { mappings: { properties: { f: field } } })
  const key = async (index: string, source: string): Promise<unknown> => {
    const composite = { sources: [{ k: { terms: { script: { source } } } }] }
    const { body } = await search.request('POST', `/${index}/_search?size=0`, { aggs: { c: { composite } } })
    return body.aggregations?.c.buckets[0].key.k ?? JSON.stringify(body.error)
  }
  try {
    await create('kept', { type: 'keyword' })
    await create('dropped', { type: 'keyword', doc_values: false })
    await create('text', { type: 'text' })
    await create('words', { type: 'text', fielddata: true })
    await create('tens', { type: 'scaled_float', scaling_factor: 10 })
    await create('hundreds', { type: 'scaled_float', scaling_factor: 100 })
    for (const index of ['kept', 'dropped', 'text', 'words']) {
      await search.request('PUT', `/${index}/_doc/1?refresh=true`, { f: 'ten' })
    }
    for (const index of ['tens', 'hundreds']) await search.request('PUT', `/${index}/_doc/1?refresh=true`, { f: 10.5 })

    const text = "doc['f'].size() == 0 ? '?' : doc['f'].value + '!'"
    assert.equal(await key('kept', text), 'ten!')
    assert.match(String(await key('dropped', text)), /Can't load fielddata on \[f\]/)
    assert.match(String(await key('text', text)), /Fielddata is disabled on \[f\] in \[text\]/)
    assert.equal(await key('words', text), 'ten!')
    const number = "doc['f'].value + ''"
    assert.equal(await key('tens', number), '10.5')
    assert.equal(await key('hundreds', number), '10.5')
  } finally {
    await search.stop()
  }
})
