import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../testing/index.ts'
import { settingNames, warnWithoutEffect } from './settings-without-effect.ts'

test('names of settings are flat, whether the body nests them or not, and null sets none', () => {
  assert.deepEqual(settingNames({ 'a.b': 1, c: { d: { e: 'x' } }, f: null, g: [1, 2] }), ['a.b', 'c.d.e', 'g'])
})

test('a setting that is stored without an effect is named once', () => {
  assert.deepEqual(warnWithoutEffect(['index.store.type', 'index.number_of_shards', 'index.store.type']), [
    'the setting [index.store.type] is stored but has no effect in Sandpiper',
  ])
})

test('settings of repositories that have no effect are named', () => {
  const [warning] = warnWithoutEffect(['location', 'compress'])
  assert.match(String(warning), /\[compress\] is stored but has no effect/)
})

test('a request that sets such a setting gets a Warning header', async () => {
  const search = await startSearch({ listen: false })
  try {
    const created = await search.request('PUT', '/warned', { settings: { 'index.store.type': 'fs' } })
    assert.match(String(created.headers['warning']), /\[index\.store\.type\] is stored but has no effect/)
    const settings = { persistent: { search: { default_search_timeout: '5s' } } }
    const changed = await search.request('PUT', '/_cluster/settings', settings)
    assert.match(String(changed.headers['warning']), /search\.default_search_timeout/)
    const quiet = await search.request('PUT', '/quiet', { settings: { number_of_replicas: 0 } })
    assert.equal(quiet.headers['warning'], undefined)
  } finally {
    await search.stop()
  }
})
