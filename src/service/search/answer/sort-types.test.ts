import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../../testing/index.ts'

// Goal: a field that is text in one index and a number in another cannot be sorted by, and the error names both types.
// Method: two indices with one document each, sorted together.
test('sorting by a field with incompatible types in two indices fails and names both types', async () => {
  const search = await startSearch({ listen: false })
  const cause = async (sort: unknown) => {
    const { status, body } = await search.request('POST', '/words,numbers/_search', { sort: [sort] })
    return [status, body.error?.caused_by?.reason.replace(/^.*incompatible sort types: /, '')]
  }
  try {
    const properties = { small: { type: 'integer' }, large: { type: 'long' }, part: { type: 'float' } }
    const keywords = { small: { type: 'keyword' }, large: { type: 'keyword' }, part: { type: 'keyword' } }
    await search.request('PUT', '/words', { mappings: { properties: keywords } })
    await search.request('PUT', '/numbers', { mappings: { properties } })
    await search.request('PUT', '/words/_doc/w?refresh=true', { small: 'a', large: 'a', part: 'a' })
    await search.request('PUT', '/numbers/_doc/n?refresh=true', { small: 1, large: 1, part: 1 })
    assert.deepEqual(await cause('small'), [400, '[INT] and [STRING] across shards!'])
    assert.deepEqual(await cause('large'), [400, '[LONG] and [STRING] across shards!'])
    assert.deepEqual(await cause('part'), [400, '[FLOAT] and [STRING] across shards!'])
  } finally {
    await search.stop()
  }
})

// Goal: hits whose sort values have no common order are refused, also where the shown values alone do not tell.
test('sorting by terms of two encodings, or by texts and numbers of which none has a value, fails', async () => {
  const search = await startSearch({ listen: false })
  const cause = async (sort: unknown) => {
    const { status, body } = await search.request('POST', '/a,b/_search', { sort: [sort] })
    return [status, body.error?.caused_by?.reason.replace(/^.*incompatible sort types: /, '')]
  }
  try {
    const types = (address: string, flag: string) => ({ address: { type: address }, flag: { type: flag } })
    await search.request('PUT', '/a', { mappings: { properties: types('ip', 'keyword') } })
    await search.request('PUT', '/b', { mappings: { properties: types('keyword', 'boolean') } })
    await search.request('PUT', '/a/_doc/1?refresh=true', { address: '10.0.0.1' })
    await search.request('PUT', '/b/_doc/2?refresh=true', { address: '10.0.0.2', flag: true })
    assert.deepEqual(await cause('address'), [400, '[ip] and [keyword] across shards!'])
    assert.deepEqual(await cause('flag'), [400, '[STRING] and [LONG] across shards!'])
    assert.deepEqual(await cause({ absent: { unmapped_type: 'ip' } }), [200, undefined])
  } finally {
    await search.stop()
  }
})
