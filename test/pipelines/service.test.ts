import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event } from '../../src/pipeline/event/event.ts'
import { Timestamp } from '../../src/pipeline/event/timestamp.ts'
import { elasticsearch as input } from '../../src/pipeline/inputs/elasticsearch.ts'
import { elasticsearch as output } from '../../src/pipeline/outputs/elasticsearch.ts'
import { makeInput, makeOutput, RunningInput } from '../../src/pipeline/registry/plugin-fixture.ts'
import { startSearch } from '../../src/testing/index.ts'
import { FakeElasticsearch } from './harness.ts'

const COUNT = 250

const events = Array.from({ length: COUNT }, (_, n) => {
  const event = Event.ofMessage(`message ${n}`, new Timestamp(Date.UTC(2024, 0, 2)))
  event.set('n', n)
  return event
})

test('the elasticsearch output writes to an alias of the service whose policy rolls it over', async (t) => {
  const search = await startSearch()
  t.after(() => search.stop())
  for (const [first, second] of [events.slice(0, 2), events.slice(2, 4)].map((part) => [part[0]!, part[1]!] as const)) {
    const writer = await makeOutput(output, {
      hosts: [search.url],
      ilm_rollover_alias: 'cowrie',
      ilm_pattern: '000001',
    })
    await writer.start?.()
    await writer.write([first, second])
    await writer.close?.()
  }
  await search.request('POST', '/_refresh')
  assert.equal((await search.request('GET', '/cowrie/_count')).body.count, 4)
  const { body: settings } = await search.request('GET', '/cowrie-000001/_settings?flat_settings=true')
  assert.equal(settings['cowrie-000001'].settings['index.lifecycle.name'], 'logstash-policy')
  assert.equal((await search.request('GET', '/_ilm/policy/logstash-policy')).status, 200)
  assert.equal((await search.request('POST', '/cowrie/_rollover')).body.new_index, 'cowrie-000002')
})

// Goal: the service accepts what the elasticsearch output sends: template, compressed bulk bodies, ids.
test('events written by the elasticsearch output are found in the service', async (t) => {
  const search = await startSearch()
  t.after(() => search.stop())
  const writer = await makeOutput(output, { hosts: [search.url], document_id: '%{n}', ilm_enabled: 'false' })
  await writer.start?.()
  await writer.write(events)
  await writer.close?.()
  await search.request('POST', '/_refresh')
  assert.equal((await search.request('GET', '/_index_template/logstash')).status, 200)
  assert.equal((await search.request('GET', '/logstash-2024.01.02/_count')).body.count, COUNT)
  const { body } = await search.request('GET', '/logstash-2024.01.02/_doc/7')
  assert.equal(body._source.message, 'message 7')
  const found = await search.request('GET', '/logstash-*/_search?q=n:8')
  assert.deepEqual(
    found.body.hits.hits.map((hit: { _id: string }) => hit._id),
    ['8'],
  )
})

// Goal: the elasticsearch input reads every document once with each way of paging. Method: pages that are much smaller
// than the number of documents.
test('the elasticsearch input reads all documents with search_after, with scroll and in slices', async (t) => {
  const search = new FakeElasticsearch()
  const host = await search.start()
  t.after(() => search.stop())
  const documents = events.map((event, n) => [String(n), { ...event.fields, n }] as const)
  search.indices.set('logstash-2024.01.02', new Map(documents))
  for (const how of [{}, { search_api: 'scroll' }, { slices: 3 }, { search_api: 'scroll', slices: 2 }]) {
    const reading = { hosts: [host], size: 40, docinfo: true, ...how }
    const reader = await new RunningInput(await makeInput(input, reading)).start()
    await reader.ended()
    const numbers = reader.events.map((event) => Number(event.get('n'))).sort((a, b) => a - b)
    assert.deepEqual(numbers, [...documents.keys()], JSON.stringify(how))
    const [first] = reader.events
    assert.equal(first!.get('[@metadata][_index]'), 'logstash-2024.01.02')
    assert.equal(first!.get('[@metadata][_id]'), String(first!.get('n')))
    assert.equal(first!.timestamp?.toString(), '2024-01-02T00:00:00.000Z')
    assert.equal(search.openContexts, 0)
  }
})
