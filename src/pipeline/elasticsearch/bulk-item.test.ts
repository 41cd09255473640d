import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import { type ItemSettings, ItemWriter } from './bulk-item.ts'
import { DataStreamNames } from './data-stream.ts'

function lines(fields: Record<string, unknown>, changes: Partial<ItemSettings>): [Record<string, unknown>, Event] {
  const writer = new ItemWriter({
    ...{ index: undefined, defaultIndex: 'all', refusesReferences: true, action: 'index', documentId: undefined },
    ...{ routing: undefined, pipeline: undefined, version: undefined, versionType: undefined, parent: undefined },
    ...{ joinField: undefined, retryOnConflict: 1, upsert: '', docAsUpsert: false, script: '', scriptType: 'inline' },
    ...{ scriptLang: 'painless', scriptVariable: 'event', scriptedUpsert: false, dataStream: undefined },
    ...changes,
  })
  const event = Event.ofFields(toFieldValue(fields) as Fields, new Timestamp(0))
  const [head, body] = writer
    .write(event)
    .text.trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, Record<string, unknown>>)
  return [{ ...Object.values(head!)[0], body }, event]
}

test('without a configured index the event may name its index', () => {
  const fields = { '@metadata': { _ingest_document: { index: 'mine', id: 7 } } }
  assert.deepEqual([lines(fields, {})[0]['_index'], lines(fields, {})[0]['_id']], ['mine', '7'])
  assert.equal(lines(fields, { index: 'named' })[0]['_index'], 'named')
  assert.equal(lines({}, {})[0]['_index'], 'all')
})

test('the data stream fields are written to the document and not to the event', () => {
  const settings = { type: 'logs', dataset: 'app', namespace: 'default', autoRouting: true, syncFields: true }
  const stream = (changes = {}) => ({ dataStream: new DataStreamNames({ ...settings, ...changes }) })
  const [routed, event] = lines({ data_stream: { dataset: 'own', x: 1 } }, stream())
  assert.equal(routed['_index'], 'logs-own-default')
  assert.deepEqual((routed['body'] as Record<string, unknown>)['data_stream'], {
    ...{ type: 'logs', dataset: 'own', namespace: 'default', x: 1 },
  })
  assert.equal(event.get('[data_stream][type]'), undefined)
  const [fixed] = lines({ data_stream: { dataset: 'own' } }, stream({ autoRouting: false }))
  assert.equal(fixed['_index'], 'logs-app-default')
  assert.deepEqual((fixed['body'] as Record<string, Record<string, unknown>>)['data_stream']!['dataset'], 'app')
  const [wrong] = lines({ data_stream: 'text' }, stream())
  assert.deepEqual((wrong['body'] as Record<string, unknown>)['data_stream'], {
    ...{ type: 'logs', dataset: 'app', namespace: 'default' },
  })
})

test('an update carries the upsert document for the case that none exists', () => {
  const update = (changes: Partial<ItemSettings>) =>
    lines({ a: 1 }, { action: 'update', documentId: '1', ...changes })[0]['body'] as Record<string, unknown>
  assert.deepEqual(update({ upsert: '{ "n": %{a} }' })['upsert'], { n: 1 })
  assert.equal(update({ docAsUpsert: true })['doc_as_upsert'], true)
  assert.equal((update({ script: 'x', docAsUpsert: true })['upsert'] as Record<string, unknown>)['a'], 1)
  assert.deepEqual(update({ script: 'x', scriptedUpsert: true, upsert: '{"n":1}' })['upsert'], {})
})
