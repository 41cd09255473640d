import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cluster } from './cluster.ts'
import { adaptIndex, adaptRefused } from './target-rules.ts'

const openSearch = { isOpenSearch: true } as Cluster
const elasticsearch = { isOpenSearch: false } as Cluster

test('an index for Elasticsearch is passed on unchanged, also numbers beyond 2^53', () => {
  const mappings = '{"properties":{"n":{"type":"long","null_value":9007199254740993}}}'
  const settings = { 'index.lifecycle.name': 'p' }
  assert.deepEqual(adaptIndex(elasticsearch, mappings, settings), { mappings, settings, notes: [] })
})

test('fields that OpenSearch has no type for are stored without an index, and every difference is named', () => {
  const mappings = {
    properties: {
      v: { type: 'version' },
      f: { type: 'flattened' },
      o: { properties: { h: { type: 'histogram' } } },
      k: { type: 'keyword', script: { source: '1' } },
    },
  }
  const settings = { 'index.lifecycle.name': 'p', 'index.number_of_shards': '3' }
  const adapted = adaptIndex(openSearch, JSON.stringify(mappings), settings)
  const { properties } = JSON.parse(adapted.mappings)
  assert.deepEqual(properties, {
    v: { type: 'object', enabled: false },
    f: { type: 'flat_object' },
    o: { properties: { h: { type: 'object', enabled: false } } },
    k: { type: 'keyword' },
  })
  assert.deepEqual(adapted.settings, { 'index.number_of_shards': '3' })
  assert.deepEqual(adapted.notes, [
    'setting index.lifecycle.name does not exist there and has no effect',
    'field v: the type version does not exist there; its values are stored, but cannot be searched',
    'field f: flattened becomes flat_object',
    'field o.h: the type histogram does not exist there; its values are stored, but cannot be searched',
    'field k: script is left out',
  ])
})

test('a refused body is adapted by the reason of the refusal, and other refusals are not', () => {
  const body = {
    mappings: '{"properties":{"a":{"properties":{"b":{"type":"odd"}}},"c":{"type":"odd"}}}',
    settings: { 'index.odd': '1', 'index.sort.field': 'c' },
    notes: [],
  }
  const withoutSetting = adaptRefused(body, 'unknown setting [index.odd] please check')!
  assert.deepEqual(withoutSetting.settings, { 'index.sort.field': 'c' })
  const withoutType = adaptRefused(body, 'No handler for type [odd] declared on field [b]')!
  assert.deepEqual(JSON.parse(withoutType.mappings).properties.a.properties.b, { type: 'object', enabled: false })
  assert.equal(withoutType.notes.length, 2)
  const newer = 'The mapper type [odd] declared on field [b] does not exist. It might have been created within'
  assert.deepEqual(adaptRefused(body, newer), withoutType)
  assert.equal(adaptRefused(body, 'analyzer [x] has not been configured'), undefined)
})
