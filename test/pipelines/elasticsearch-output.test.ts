import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event } from '../../src/pipeline/event/event.ts'
import { Timestamp } from '../../src/pipeline/event/timestamp.ts'
import { elasticsearch } from '../../src/pipeline/outputs/elasticsearch.ts'
import type { PluginContext } from '../../src/pipeline/plugin/plugin-context.ts'
import { makeOutput, testContext } from '../../src/pipeline/registry/plugin-fixture.ts'
import { FakeElasticsearch } from './harness.ts'

const event = (message: string) => Event.ofMessage(message, new Timestamp(Date.UTC(2024, 0, 2)))

async function withSearch(
  options: Record<string, unknown>,
  body: (
    search: FakeElasticsearch,
    write: (...messages: string[]) => Promise<void>,
    letters: string[],
  ) => Promise<void>,
  context: Partial<PluginContext> = {},
): Promise<void> {
  const search = new FakeElasticsearch()
  const hosts = [await search.start()]
  const letters: string[] = []
  const deadLetters = { write: async (_: Event, reason: string) => void letters.push(reason) }
  const output = await makeOutput(
    elasticsearch,
    { hosts, retry_initial_interval: 0.01, resurrect_delay: 0.01, ...options },
    testContext({ deadLetters, ...context }),
  )
  await output.start?.()
  try {
    await body(search, async (...messages) => output.write(messages.map(event)), letters)
  } finally {
    await output.close?.()
    await search.stop()
  }
}

test('documents are written to the index of their day, after the template', () =>
  withSearch({ ilm_enabled: 'false' }, async (search, write) => {
    await write('a', 'b')
    assert.equal(search.indices.get('logstash-2024.01.02')?.size, 2)
    assert.deepEqual(
      search.documents.map(({ message }) => message),
      ['a', 'b'],
    )
    assert.ok(search.templates.has('/_index_template/logstash'))
  }))

test('the default index has a lifecycle: alias, first index and policy are made before events are written', () =>
  withSearch({}, async (search, write) => {
    await write('a')
    assert.equal(search.indices.get('logstash')?.size, 1)
    assert.deepEqual([...search.made], ['/logstash', '/<logstash-{now/d}-000001>', '/_ilm/policy/logstash-policy'])
    const template = search.templates.get('/_index_template/logstash') as { template: { settings: object } }
    assert.deepEqual(template.template.settings, {
      index: { refresh_interval: '5s', number_of_shards: 1 },
      'index.lifecycle.name': 'logstash-policy',
      'index.lifecycle.rollover_alias': 'logstash',
    })
  }))

test('an alias wins over the index, and a policy that is named must exist', async () => {
  const named = { index: 'other', ilm_rollover_alias: 'cowrie', ilm_policy: 'mine', ilm_pattern: '000001' }
  await withSearch(named, async (search, write) => {
    await assert.rejects(write('a'), /The ILM policy mine \(ilm_policy\) does not exist: 404/)
    assert.equal(search.indices.size, 0)
    assert.ok(search.made.has('/<cowrie-000001>') && search.templates.has('/_index_template/cowrie'))
  })
  await withSearch({ ...named, ilm_enabled: 'false' }, async (search, write) => {
    await write('a')
    assert.deepEqual([...search.indices.keys()], ['other'])
  })
})

test('under ECS events go to a data stream, unless an option is for indices', async () => {
  const ecs = { ecs: 'v8' } as const
  const streams = async (options: Record<string, unknown>) => {
    let names: string[] = []
    await withSearch(
      options,
      async (search, write) => {
        await write('a')
        names = [...search.indices.keys()]
      },
      ecs,
    )
    return names
  }
  assert.deepEqual(await streams({}), ['logs-generic-default'])
  assert.deepEqual(await streams({ document_id: '%{message}' }), ['logs-generic-default'])
  assert.deepEqual(await streams({ ilm_enabled: 'false' }), ['ecs-logstash-2024.01.02'])
  assert.deepEqual(await streams({ template_overwrite: true }), ['ecs-logstash'])
})

test('a bulk request that fails as a whole is sent again', () =>
  withSearch({}, async (search, write) => {
    const answers = [503, 429, 500, 200]
    search.bulkStatus = () => answers.shift() ?? 200
    await write('a', 'b')
    assert.equal(search.documents.length, 2)
    assert.equal(search.bulkCount, 4)
  }))

test('rejected items are retried alone, invalid items go to the dead letter queue, and conflicts are dropped', () =>
  withSearch({ document_id: '%{message}' }, async (search, write, letters) => {
    let busy = 2
    const byMessage: Record<string, () => number> = {
      wrong: () => 400,
      missing: () => 404,
      conflict: () => 409,
      busy: () => (busy-- > 0 ? 429 : 201),
    }
    search.itemStatus = ({ message }) => byMessage[String(message)]?.() ?? 201
    await write('good', 'wrong', 'busy', 'conflict', 'missing')
    assert.deepEqual(
      search.documents.map(({ message }) => message),
      ['good', 'busy'],
    )
    assert.equal(search.bulkCount, 3)
    assert.equal(letters.length, 2)
    assert.match(letters[0]!, /^Could not index event to Elasticsearch\. status: 400/)
  }))

test('an event with an invalid index name or an unknown action is given up', async () => {
  await withSearch({ index: 'x-%{nope}' }, async (search, write, letters) => {
    await write('a')
    assert.equal(search.bulkCount, 0)
    assert.deepEqual(letters, ['Badly formatted index, after interpolation still contains placeholder: [x-%{nope}]'])
  })
  await withSearch({ action: '%{message}' }, async (_, write, letters) => {
    await write('burn')
    assert.deepEqual(letters, ["Elasticsearch doesn't support [burn] action"])
  })
  await withSearch({ index: 'x-%{nope}', dlq_on_failed_indexname_interpolation: false }, async (search, write) => {
    await write('a')
    assert.deepEqual([...search.indices.keys()], ['x-%{nope}'])
  })
})

test('an upsert that is no JSON is given up without affecting other events', () =>
  withSearch(
    { action: 'update', document_id: '%{message}', upsert: '{"m":%{message}}' },
    async (search, write, letters) => {
      await write('1', 'x', '2')
      assert.equal(search.bulkCount, 1)
      assert.deepEqual(letters, ['The upsert is no JSON: {"m":x}'])
    },
  ))

test('an event whose join field cannot be set is given up without affecting other events', () =>
  withSearch({ parent: '1', join_field: '[message][join]' }, async (search, write, letters) => {
    await write('a')
    assert.equal(search.bulkCount, 0)
    assert.match(letters[0]!, /Could not set field '\[message\]\[join\]'/)
  }))

test('data streams are named by type, dataset and namespace', () =>
  withSearch({ data_stream: 'true', data_stream_dataset: 'app' }, async (search, write) => {
    await write('a')
    const [document] = search.indices.get('logs-app-default')!.values()
    assert.deepEqual(document!['data_stream'], { type: 'logs', dataset: 'app', namespace: 'default' })
    assert.equal(search.templates.size, 0)
  }))

test('contradictory options are rejected', async () => {
  const refused = (options: Record<string, unknown>, message: RegExp) =>
    assert.rejects(makeOutput(elasticsearch, options), message)
  await refused({ action: 'burn' }, /Action 'burn' is invalid! Pick one of \["create", "index", "update", "delete"\]/)
  await refused({ data_stream_type: 'logs' }, /must not be present when data streams are disabled/)
  await refused({ data_stream: 'true', index: 'x' }, /following parameters are not supported: \["index"\]/)
  await refused({ hosts: ['http://a', 'https://b'] }, /same scheme/)
  await refused({ hosts: ['http://a/x'], path: '/y' }, /only one is possible/)
  await refused({ hosts: ['a'], api_key: 'id:key' }, /requires SSL/)
  await refused({ hosts: ['a'], cloud_id: 'x:y' }, /Both cloud_id and hosts/)
})
