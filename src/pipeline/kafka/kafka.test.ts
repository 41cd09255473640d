import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withDefaults } from '../plugin/default-options.ts'
import type { OptionValues } from '../plugin/options.ts'
import {
  type Assignments,
  COOPERATIVE,
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
  STRATEGIES,
  type Subscriber,
} from './assignment.ts'
import { unpack, unpackZstdByLibrary } from './compression.ts'
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
    .map((lists) =>
      lists.map((topics, i): Subscriber => ({ memberId: `m${i}`, instanceId: undefined, topics, owned: [] })),
    )
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

// Goal: cooperative rebalancing never gives a partition to two members and comes to an even load. Method: members come and go; after
// each change the rounds run that the members' rejoining causes.
test('cooperative rebalancing keeps one reader per partition and ends with an even load', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 12 }), (sizes, count) => {
      const counts = new Map([['a', count]])
      let held: Assignments = new Map()
      for (const size of sizes) {
        for (let round = 0; ; round++) {
          assert.ok(round < 4, 'the group does not come to rest')
          const members = Array.from({ length: size }, (_, i): Subscriber => {
            const owned = held.get(`m${i}`) ?? []
            return { memberId: `m${i}`, instanceId: undefined, ...decodeSubscription(encodeSubscription(['a'], owned)) }
          })
          const next = STRATEGIES[COOPERATIVE]!(members, counts)
          const readers = [...next].flatMap(([memberId, list]) => list.map(({ index }) => [index, memberId] as const))
          assert.equal(new Set(readers.map(([index]) => index)).size, readers.length)
          for (const [index, memberId] of readers) {
            const owner = members.find(({ owned }) => owned.some((one) => one.index === index))
            assert.ok(owner === undefined || owner.memberId === memberId, 'a partition moved while it was read')
          }
          const isAtRest = readers.length === count
          held = next
          if (isAtRest) break
        }
        const loads = [...held.values()].map(({ length }) => length)
        assert.ok(Math.max(...loads) - Math.min(...loads) <= 1)
      }
    }),
  )
})

test('a numbered batch carries the producer, its epoch and the sequence', () => {
  const records = [{ timestampMs: 1, key: undefined, value: Buffer.from('v'), headers: [] }]
  const bytes = encodeBatch(records, 'none', { producerId: 4711n, epoch: 2, sequence: 99 })
  assert.deepEqual([bytes.readBigInt64BE(43), bytes.readInt16BE(51), bytes.readInt32BE(53)], [4711n, 2, 99])
  assert.equal(decodeBatches(bytes, true)[0]!.producerId, 4711)
})

const ZSTD_SAMPLE = 'KLUv/QRYhQAASHNhbmRwaXBlcgEATrQcAQgVpXU='

test('zstd is unpacked by a library where Node cannot', () => {
  // "sandpiper" ten times, packed by the zstd program.
  const packed = Buffer.from(ZSTD_SAMPLE, 'base64')
  assert.equal(unpackZstdByLibrary(packed).toString(), 'sandpiper'.repeat(10))
  assert.throws(() => unpackZstdByLibrary(Buffer.from('nonsense')), /damaged/)
})

test('OAUTHBEARER sends the token and reports why a broker rejects it', async () => {
  const token = async () => 'abc.def.'
  const sent: string[] = []
  const login = { mechanism: 'OAUTHBEARER' as const, user: 'ann', password: '', token }
  await authenticate(login, async (message) => {
    sent.push(message.toString())
    return Buffer.alloc(0)
  })
  assert.deepEqual(sent, ['n,,\x01auth=Bearer abc.def.\x01\x01'])
  const rejects = authenticate(login, async () => Buffer.from('{"status":"invalid_token"}'))
  await assert.rejects(rejects, /rejects the token: .*invalid_token/)
})
