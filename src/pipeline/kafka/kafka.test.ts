import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withDefaults } from '../plugin/default-options.ts'
import type { OptionValues } from '../plugin/options.ts'
import { decodeAssignment, encodeAssignment, STRATEGIES, type Subscriber } from './assignment.ts'
import { unpack } from './compression.ts'
import { clusterSettings, KAFKA_OPTIONS } from './connection-options.ts'
import { crc32c } from './crc32c.ts'
import { murmur2 } from './murmur2.ts'
import { decodeBatches, encodeBatch } from './record-batch.ts'
import { authenticate } from './sasl.ts'
import { WireReader, WireWriter } from './wire.ts'

test('numbers of any size survive encoding and decoding', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.string(), fc.option(fc.uint8Array()), (number, text, bytes) => {
      const written = new WireWriter()
      written
        .varint(Math.trunc(number / 2))
        .int64(number)
        .string(text)
        .bytes(bytes ?? undefined)
      const reader = new WireReader(Buffer.from(written.finish()))
      assert.equal(reader.varint(), Math.trunc(number / 2) + 0)
      assert.equal(reader.int64(), number)
      assert.equal(reader.string(), text)
      assert.deepEqual(reader.bytes(), bytes === null ? undefined : Buffer.from(bytes))
      assert.equal(reader.left, 0)
    }),
  )
})

// The check value from the algorithm's description, and hashes computed by the Java client.
test('checksums and partition hashes equal those of other clients', () => {
  assert.equal(crc32c(Buffer.from('123456789')), 0xe3069283)
  assert.equal(crc32c(Buffer.alloc(32)), 0x8a9136aa)
  const known: [string, number][] = [
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ]
  for (const [text, hash] of known) assert.equal(murmur2(Buffer.from(text)), hash, text)
})

// Goal: encoded batches decode to the same records, compressed or not, and a truncated batch at the end is left for the
// next fetch.
test('an encoded record batch decodes to the same records', () => {
  const bytes = fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array))
  const record = fc.record({
    timestampMs: fc.integer({ min: 0, max: 2 ** 42 }),
    key: fc.option(bytes, { nil: undefined }),
    value: bytes,
    headers: fc.array(fc.record({ key: fc.string(), value: bytes }, { noNullPrototype: true }), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 60, size: 'max' }), fc.boolean(), (records, packed) => {
      const batch = Buffer.from(encodeBatch(records, packed ? 'gzip' : 'none'))
      const [first, ...others] = decodeBatches(Buffer.concat([batch, batch.subarray(0, batch.length - 1)]), true)
      assert.equal(others.length, 0)
      assert.equal(first!.nextOffset, records.length)
      assert.deepEqual(
        first!.records,
        records.map((one, offset) => ({ offset, ...one })),
      )
    }),
  )
})

test('a damaged batch is rejected', () => {
  const batch = encodeBatch([{ timestampMs: 1, key: undefined, value: Buffer.from('value'), headers: [] }], 'none')
  batch[batch.length - 3]! ^= 1
  assert.throws(() => decodeBatches(batch, true), /damaged/)
})

test('snappy and lz4 blocks are decompressed, including overlapping copies', () => {
  // 'abcd' as a literal, then eight bytes copied from four bytes back.
  const snappy = Buffer.from([12, (4 - 1) << 2, ...Buffer.from('abcd'), ((8 - 4) << 2) | 1, 4])
  assert.equal(unpack(snappy, 2).toString(), 'abcdabcdabcd')
  const framed = Buffer.concat([
    Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, snappy.length]),
    snappy,
  ])
  assert.equal(unpack(framed, 2).toString(), 'abcdabcdabcd')
  const block = Buffer.from([(4 << 4) | 4, ...Buffer.from('abcd'), 4, 0, 1 << 4, 0x21])
  const frame = Buffer.concat([
    Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, block.length, 0, 0, 0]),
    block,
    Buffer.alloc(4),
  ])
  assert.equal(unpack(frame, 3).toString(), 'abcdabcdabcd!')
  assert.throws(() => unpack(Buffer.alloc(4), 4))
})

// Goal: every partition has exactly one reader, which subscribed to its topic, and the load is balanced.
test('assignment strategies give each partition to exactly one member', () => {
  const members = fc
    .array(fc.subarray(['a', 'b', 'c'], { minLength: 1 }), { minLength: 1, maxLength: 6 })
    .map((lists) => lists.map((topics, i): Subscriber => ({ memberId: `m${i}`, instanceId: undefined, topics })))
  const counts = fc
    .record({ a: fc.nat(7), b: fc.nat(7), c: fc.nat(7) })
    .map((object) => new Map(Object.entries(object)))
  for (const strategy of Object.values(STRATEGIES)) {
    fc.assert(
      fc.property(members, counts, (all, partitionCounts) => {
        const assigned = strategy(all, partitionCounts)
        const seen = [...assigned].flatMap(([memberId, partitions]) =>
          partitions.map(({ topic, index }) => {
            assert.ok(all.find((member) => member.memberId === memberId)!.topics.includes(topic))
            return `${topic}-${index}`
          }),
        )
        const wanted = [...partitionCounts].flatMap(([topic, count]) =>
          all.some(({ topics }) => topics.includes(topic))
            ? Array.from({ length: count }, (_, i) => `${topic}-${i}`)
            : [],
        )
        assert.deepEqual(seen.sort(), wanted.sort())
        for (const list of assigned.values()) assert.deepEqual(decodeAssignment(encodeAssignment(list)), list)
      }),
    )
  }
})

// The exchange of RFC 7677 with a random client nonce. The test plays the server by the same rules.
test('SCRAM rejects a server that does not know the password', async () => {
  const answers = ['', 'v=AAAA']
  await assert.rejects(
    authenticate({ mechanism: 'SCRAM-SHA-256', user: 'u', password: 'p' }, async (message) => {
      const nonce = /r=([^,]+)/.exec(message.toString())?.[1]
      answers[0] = `r=${nonce}server,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`
      return Buffer.from(message.toString().startsWith('n,,') ? answers[0] : answers[1]!)
    }),
    /could not prove that it has the password/,
  )
})

function settings(given: Record<string, unknown>) {
  return clusterSettings(withDefaults(KAFKA_OPTIONS, given) as OptionValues<typeof KAFKA_OPTIONS>)
}

test('connection options are translated, and unsupported combinations are rejected', () => {
  const { bootstrap, sasl } = settings({
    bootstrap_servers: 'one:9093, two,[::1]:9094',
    security_protocol: 'SASL_PLAINTEXT',
    sasl_mechanism: 'PLAIN',
    sasl_jaas_config: 'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b\\"c";',
  })
  assert.deepEqual(bootstrap, [
    { host: 'one', port: 9093 },
    { host: 'two', port: 9092 },
    { host: '::1', port: 9094 },
  ])
  assert.deepEqual(sasl, { mechanism: 'PLAIN', user: 'a', password: 'b"c' })
  assert.throws(() => settings({ security_protocol: 'SASL_SSL' }), /GSSAPI.*not supported/)
})
