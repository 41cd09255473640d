/** The codecs of other programs' protocols: fluent and graphite. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { Codec, CodecPlugin } from '../plugin/codec-plugin.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { esBulk } from './es_bulk.ts'
import { fluent } from './fluent.ts'
import { graphite } from './graphite.ts'
import { EventTime, type MessageValue, writeMessage } from './message-pack.ts'
import { plain } from './plain.ts'

function make(plugin: CodecPlugin, options: Record<string, unknown> = {}): Codec {
  return plugin.create(withDefaults(plugin.options, options) as never, testContext())
}

function decode(codec: Codec, ...chunks: (string | Uint8Array)[]): Record<string, unknown>[] {
  const out: Event[] = []
  const decoder = codec.createDecoder()
  for (const chunk of chunks) decoder.decode(typeof chunk === 'string' ? Buffer.from(chunk) : chunk, out)
  decoder.flush(out)
  return out.map((event) => {
    const { '@version': _, ...rest } = JSON.parse(jsonText(event.fields)) as Record<string, unknown>
    return rest
  })
}

function event(fields: Record<string, unknown>): Event {
  return Event.ofFields(
    toFieldValue({ '@timestamp': '2026-01-01T00:00:00.250Z', ...fields }) as Fields,
    new Timestamp(0),
  )
}

const record = (value: number) => toFieldValue({ n: value })
const T0 = '2023-11-14T22:13:20.000Z'

test('fluent reads single messages, arrays of entries and packed entries', () => {
  const packed = Buffer.concat([3, 4].map((n) => writeMessage([1_700_000_000, record(n)])))
  const messages: MessageValue[][] = [
    ['app.x', 1_700_000_000, record(1)],
    ['app', [[new EventTime(1_700_000_000, 500_000_000), record(2)]]],
    ['app', packed],
    ['app', gzipSync(packed), toFieldValue({ compressed: 'gzip' })],
  ]
  const bytes = Buffer.concat(messages.map((message) => packedMessage(message)))
  const expected = [
    { n: 1, '@timestamp': T0, tags: ['app.x'] },
    { n: 2, '@timestamp': '2023-11-14T22:13:20.500Z', tags: ['app'] },
    ...[3, 4, 3, 4].map((n) => ({ n, '@timestamp': T0, tags: ['app'] })),
  ]
  assert.deepEqual(decode(make(fluent), bytes), expected)
  assert.deepEqual(decode(make(fluent), bytes.subarray(0, 30), bytes.subarray(30)), expected)
  assert.deepEqual(decode(make(fluent, { target: 'f' }), packedMessage(messages[0]!))[0]!['f'], { n: 1 })
})

/** Bytes are the MessagePack type that Fluentd uses for packed entries. */
function packedMessage(message: MessageValue[]): Buffer {
  const parts = message.map((value) => {
    if (!(value instanceof Uint8Array)) return writeMessage(value)
    const head = Buffer.from([0xc6, 0, 0, 0, 0])
    head.writeUInt32BE(value.length, 1)
    return Buffer.concat([head, value])
  })
  return Buffer.concat([Buffer.from([0x90 | message.length]), ...parts])
}

test('fluent turns data that is no Fluentd message into a tagged event', () => {
  const [found] = decode(make(fluent), writeMessage(['tag', true]))
  assert.deepEqual(found!['tags'], ['_fluentparsefailure'])
})

test('fluent writes what it reads, with seconds or nanoseconds', () => {
  for (const [isPrecise, time] of [
    [false, '2026-01-01T00:00:00.000Z'],
    [true, '2026-01-01T00:00:00.250Z'],
  ] as const) {
    const codec = make(fluent, { nanosecond_precision: isPrecise })
    const bytes = codec.encode(event({ a: 'größer', tags: ['x', 'y'] })) as Uint8Array
    const [found] = decode(codec, bytes)
    assert.deepEqual(found, { a: 'größer', '@timestamp': time, tags: ['x', 'y', 'x.y'] })
  }
})

test('graphite reads a line as a field with its name, or as key and value', () => {
  assert.deepEqual(decode(make(graphite), 'a.b 3 1700000000\nc 1.5e1x 1700', '000000'), [
    { 'a.b': 3, '@timestamp': T0 },
    { c: 15, '@timestamp': T0 },
  ])
  assert.deepEqual(decode(make(graphite, { as_key_value: true }), 'a.b x 1700000000\n'), [
    { key: 'a.b', value: 0, '@timestamp': T0 },
  ])
})

test('graphite writes the metrics of an event, or its fields, by include and exclude', () => {
  const one = event({ host: 'h', load: 1.5, text: 'x' })
  const metrics = new Map([
    ['%{host}.load', '%{load}'],
    ['%{none}.x', '1'],
  ])
  assert.equal(make(graphite, { metrics }).encode(one), 'h.load 1.5 1767225600\n')
  const fields = { fields_are_metrics: true, include_metrics: ['^lo'], metrics_format: 'foo.*.sum' }
  assert.equal(make(graphite, fields).encode(one), 'foo.load.sum 1.5 1767225600\n')
  assert.equal(make(graphite, { metrics, exclude_metrics: ['load', '%\\{'] }).encode(one), '')
})

test('bytes that are no ASCII are replaced in the charsets ASCII and BINARY', () => {
  for (const charset of ['ASCII', 'US-ASCII', 'BINARY', 'ASCII-8BIT']) {
    assert.equal(decode(make(plain, { charset }), Buffer.from('a é'))[0]!['message'], 'a \ufffd\ufffd')
  }
})

test('es_bulk skips lines that are no JSON', () => {
  const body = 'nothing\n{"index":{"_id":"1"}}\n{bad\n{"a":1}\n'
  assert.deepEqual(
    decode(make(esBulk), body).map(({ a }) => a),
    [1],
  )
})
