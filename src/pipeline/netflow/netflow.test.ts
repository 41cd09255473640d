import assert from 'node:assert/strict'
import { test } from 'node:test'
import { netflow } from '../codecs/netflow.ts'
import type { Event } from '../event/event.ts'
import { toPlainValue } from '../event/fields.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { ipv6Text } from './field-value.ts'

function codec(options: Record<string, unknown> = {}) {
  const warnings: string[] = []
  const log = { error() {}, info() {}, debug() {}, warn: (message: string) => void warnings.push(message) }
  const made = netflow.create(withDefaults(netflow.options, options) as never, testContext({ log }))
  const decode = (bytes: Buffer, source?: string): Event[] => {
    const out: Event[] = []
    made.createDecoder(source).decode(bytes, out)
    return out
  }
  return { decode, warnings }
}

const flowOf = (event: Event) => toPlainValue(event.get('netflow')) as Record<string, unknown>

function words(...pairs: [value: number, bytes: number][]): Buffer {
  return Buffer.concat(
    pairs.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes)
      if (bytes === 8) buffer.writeBigUInt64BE(BigInt(value))
      else buffer.writeUIntBE(value, 0, bytes)
      return buffer
    }),
  )
}

test('a NetFlow 5 datagram becomes an event per record, with absolute times', () => {
  const header = words([5, 2], [1, 2], [100_000, 4], [1_700_000_000, 4], [0, 4], [7, 4], [1, 1], [2, 1], [0x4064, 2])
  const addresses = Buffer.from([10, 0, 0, 1, 10, 0, 0, 2, 10, 0, 0, 254])
  const record = Buffer.concat([
    addresses,
    words([3, 2], [4, 2], [10, 4], [1000, 4], [90_000, 4], [95_000, 4], [1234, 2], [80, 2], [0, 1], [0x1b, 1], [6, 1]),
    words([0, 1], [65_001, 2], [65_002, 2], [24, 1], [16, 1], [0, 2]),
  ])
  const [event] = codec().decode(Buffer.concat([header, record]))
  const flow = flowOf(event!)
  assert.equal(event!.timestamp!.toString(), '2023-11-14T22:13:20.000Z')
  assert.deepEqual(
    [flow['ipv4_src_addr'], flow['ipv4_dst_addr'], flow['in_bytes'], flow['l4_dst_port'], flow['protocol']],
    ['10.0.0.1', '10.0.0.2', 1000, 80, 6],
  )
  assert.equal(flow['first_switched'], '2023-11-14T22:13:10.000Z')
  assert.deepEqual([flow['sampling_algorithm'], flow['sampling_interval'], flow['flow_records']], [1, 100, 1])
})

function v9(...sets: Buffer[]): Buffer {
  return Buffer.concat([words([9, 2], [sets.length, 2], [50_000, 4], [1_700_000_000, 4], [3, 4], [99, 4]), ...sets])
}

function set(id: number, body: Buffer): Buffer {
  return Buffer.concat([words([id, 2], [body.length + 4, 2]), body])
}

const TEMPLATE = set(0, words([256, 2], [3, 2], [8, 2], [4, 2], [1, 2], [8, 2], [56, 2], [6, 2]))
const DATA = set(
  256,
  Buffer.concat([Buffer.from([10, 1, 1, 1]), words([5_000_000_000, 8]), Buffer.from('0a0b0c0d0e0f', 'hex')]),
)

test('NetFlow 9 records are read with the template that the same exporter announced', () => {
  const { decode, warnings } = codec()
  assert.deepEqual(decode(v9(DATA), 'a'), [])
  assert.match(warnings[0]!, /no template to decode it with/)
  assert.deepEqual(decode(v9(TEMPLATE), 'a'), [])
  const [event] = decode(v9(DATA), 'a')
  assert.deepEqual(flowOf(event!), {
    version: 9,
    flow_seq_num: 3,
    flowset_id: 256,
    ipv4_src_addr: '10.1.1.1',
    in_bytes: 5_000_000_000,
    in_src_mac: '0a:0b:0c:0d:0e:0f',
  })
  // Another exporter may use the same number for another template.
  assert.deepEqual(decode(v9(DATA), 'b'), [])
})

test('IPFIX fields of variable length and times are read', () => {
  const template = set(2, words([300, 2], [3, 2], [82, 2], [0xffff, 2], [152, 2], [8, 2], [27, 2], [16, 2]))
  const body = Buffer.concat([
    Buffer.from('\x04eth0', 'latin1'),
    words([1_700_000_000_123, 8]),
    Buffer.from('20010db8000000000000000000000001', 'hex'),
  ])
  const sets = Buffer.concat([template, set(300, body)])
  const header = words([10, 2], [16 + sets.length, 2], [1_700_000_000, 4], [1, 4], [5, 4])
  const [event] = codec({ include_flowset_id: true }).decode(Buffer.concat([header, sets]))
  assert.deepEqual(flowOf(event!), {
    version: 10,
    flowset_id: 300,
    interfaceName: 'eth0',
    flowStartMilliseconds: '2023-11-14T22:13:20.123Z',
    sourceIPv6Address: '2001:db8::1',
  })
})

test('a damaged datagram or an excluded version is skipped with a warning', () => {
  const { decode, warnings } = codec({ versions: [9] })
  assert.deepEqual(decode(Buffer.from([0, 5, 0, 1])), [])
  assert.deepEqual(decode(v9(TEMPLATE.subarray(0, 9))), [])
  assert.match(warnings[0]!, /Ignoring Netflow version v5/)
  assert.match(warnings[1]!, /Invalid netflow packet/)
})

test('the longest run of zeros of an IPv6 address is left out', () => {
  const text = (hex: string) => ipv6Text(Buffer.from(hex, 'hex'))
  assert.equal(text('00000000000000000000000000000000'), '::')
  assert.equal(text('20010db8000000010000000000000001'), '2001:db8:0:1::1')
  assert.equal(text('00010002000300040005000600070000'), '1:2:3:4:5:6:7:0')
})
