import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../../testing/index.ts'

// Goal: a search always uses the current meaning of its names. Method: the same requests between changes of aliases and
// indices.
test('a repeated search uses other indices as soon as aliases or indices change', async () => {
  const search = await startSearch({ listen: false })
  const send = (method: string, path: string, body?: unknown) => search.request(method, path, body)
  const found = async (names: string) => {
    const { status, body } = await send('POST', `/${names}/_search`, {})
    if (status !== 200) return status
    return (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id).sort()
  }
  try {
    await send('PUT', '/red/_doc/r?refresh=true', { n: 1 })
    await send('PUT', '/blue/_doc/b?refresh=true', { n: 2 })
    await send('POST', '/_aliases', { actions: [{ add: { index: 'red', alias: 'colour' } }] })
    assert.deepEqual(await found('colour'), ['r'])
    assert.deepEqual(await found('colour'), ['r'])
    const swap = [{ remove: { index: 'red', alias: 'colour' } }, { add: { index: 'blue', alias: 'colour' } }]
    await send('POST', '/_aliases', { actions: swap })
    assert.deepEqual(await found('colour'), ['b'])
    assert.deepEqual(await found('red,blue'), ['b', 'r'])
    assert.deepEqual(await found('*'), ['b', 'r'])
    await send('POST', '/red/_close')
    assert.equal(await found('red,blue'), 400)
    assert.deepEqual(await found('*'), ['b'])
    await send('DELETE', '/blue')
    assert.equal(await found('colour'), 404)
    assert.deepEqual(await found('*'), [])
    await send('PUT', '/blue/_doc/new?refresh=true', { n: 3 })
    assert.deepEqual(await found('blue'), ['new'])
  } finally {
    await search.stop()
  }
})
