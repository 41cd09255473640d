import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { objectText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { GelfDatagrams } from './gelf-datagrams.ts'
import { gelfEvent } from './gelf-events.ts'

const TEXT = '{"short_message":"hello"}'

function chunksOf(text: string, id: number, count: number): Buffer[] {
  const bytes = Buffer.from(text)
  const size = Math.ceil(bytes.length / count)
  return Array.from({ length: count }, (_, number) =>
    Buffer.concat([
      Buffer.from([0x1e, 0x0f, 0, 0, 0, 0, 0, 0, 0, id, number, count]),
      bytes.subarray(number * size, (number + 1) * size),
    ]),
  )
}

test('messages are read as they are, marked, or compressed', () => {
  const datagrams = new GelfDatagrams(() => 0)
  const marked = Buffer.concat([Buffer.from([0x1f, 0x3c]), Buffer.from(TEXT)])
  for (const bytes of [Buffer.from(TEXT), marked, gzipSync(TEXT), deflateSync(TEXT), deflateSync(TEXT, { level: 1 })]) {
    assert.equal(datagrams.take(bytes, 'a'), TEXT)
  }
  assert.throws(() => datagrams.take(Buffer.from('x'), 'a'), /the header is unknown/)
})

test('chunks are joined in any order, by sender and id, and those of an old message are dropped', () => {
  let nowMs = 0
  const datagrams = new GelfDatagrams(() => nowMs)
  const take = (bytes: Buffer, source = 'a') => datagrams.take(bytes, source)
  const [one, two, three] = chunksOf(TEXT, 1, 3) as [Buffer, Buffer, Buffer]
  assert.equal(take(three), undefined)
  assert.equal(take(one), undefined)
  assert.equal(take(one), undefined)
  assert.equal(take(two, 'b'), undefined)
  assert.equal(take(two), TEXT)
  take(one)
  take(two)
  nowMs = 5001
  assert.equal(take(three), undefined)
  assert.throws(() => take(Buffer.from([0x1e, 0x0f, 0, 0, 0, 0, 0, 0, 0, 1, 3, 3, 65])), /chunk 3 of 3 is not valid/)
})

test('fields of a message get the names of Logstash', () => {
  const text = (message: string, names = { remap: true, stripUnderscore: true }) =>
    objectText(gelfEvent(message, names, new Timestamp(0)).fields)
  assert.equal(
    text('{"host":"h","short_message":"s","full_message":"f","timestamp":1385053862.3072,"_user":9}'),
    '{"host":"h","short_message":"s","@version":"1","@timestamp":"2013-11-21T17:11:02.307200Z","message":"f","user":9}',
  )
  assert.equal(
    text('{"short_message":"s","full_message":"s"}'),
    '{"@version":"1","@timestamp":"1970-01-01T00:00:00.000Z","message":"s"}',
  )
  assert.equal(
    text('{"short_message":"s","_a":1,"timestamp":"x"}', { remap: false, stripUnderscore: false }),
    '{"short_message":"s","_a":1,"timestamp":"x","@version":"1","@timestamp":"1970-01-01T00:00:00.000Z"}',
  )
  assert.equal(
    text('no "json"'),
    '{"message":"\\"no \\\\\\"json\\\\\\"\\"","@version":"1","@timestamp":"1970-01-01T00:00:00.000Z","tags":["_jsonparsefailure"]}',
  )
})
