import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MaxMindDatabase } from '../../text/maxmind.ts'
import { runFilters } from '../dry-run/run-filters.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-geoip-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Encodes the values of a MaxMind database: enough of the format for a small file. */
function encode(value: unknown): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([
      Buffer.from(bytes.length < 29 ? [0x40 | bytes.length] : [0x40 | 29, bytes.length - 29]),
      bytes,
    ])
  }
  if (typeof value === 'number' && Number.isInteger(value)) {
    const bytes = Buffer.alloc(5)
    bytes[0] = 0xc4
    bytes.writeUInt32BE(value, 1)
    return bytes
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes[0] = 0x68
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 4]), ...value.map(encode)])
  const entries = Object.entries(value as object)
  const items = entries.flatMap(([name, item]) => [encode(name), encode(item)])
  return Buffer.concat([Buffer.from([0xe0 | entries.length]), ...items])
}

/** An IPv4 tree that contains one network. */
function database(recordBits: 24 | 28 | 32, network: string, bits: number, data: unknown): Buffer {
  const address = network.split('.').map(Number)
  const nodes: [number, number][] = []
  for (let i = 0; i < bits; i++) {
    const side = (address[i >> 3]! >> (7 - (i & 7))) & 1
    const next = i === bits - 1 ? bits + 16 : i + 1
    nodes.push(side === 0 ? [next, bits] : [bits, next])
  }
  const tree = Buffer.concat(nodes.map(([left, right]) => record(recordBits, left, right)))
  const metadata = { node_count: bits, record_size: recordBits, ip_version: 4, database_type: 'Test-City' }
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([tree, Buffer.alloc(16), encode(data), marker, encode(metadata)])
}

function record(bits: number, left: number, right: number): Buffer {
  const bytes = Buffer.alloc(bits / 4)
  if (bits === 28) {
    bytes.writeUIntBE(left & 0xffffff, 0, 3)
    bytes[3] = ((left >> 24) << 4) | (right >> 24)
    bytes.writeUIntBE(right & 0xffffff, 4, 3)
  } else {
    bytes.writeUIntBE(left, 0, bits / 8)
    bytes.writeUIntBE(right, bits / 8, bits / 8)
  }
  return bytes
}

const PLACE = {
  city: { names: { en: 'Zürich' } },
  country: { iso_code: 'CH', names: { en: 'Switzerland' } },
  location: { latitude: 47.37, longitude: 8.55, time_zone: 'Europe/Zurich' },
  subdivisions: [
    { iso_code: 'X', names: { en: 'Larger' } },
    { iso_code: 'ZH', names: { en: 'Zurich' } },
  ],
}

test('records of all sizes resolve to the data of their network only', () => {
  for (const bits of [24, 28, 32] as const) {
    const file = new MaxMindDatabase(database(bits, '10.20.0.0', 16, PLACE))
    assert.equal(file.type, 'Test-City')
    assert.deepEqual(JSON.parse(JSON.stringify(file.lookUp('10.20.30.40'))), PLACE)
    for (const ip of ['10.21.0.1', '1.2.3.4', '::1', 'nonsense']) assert.equal(file.lookUp(ip), undefined)
  }
})

test('geoip stores the location in both layouts, or tags the event', async () => {
  const path = join(folder, 'city.mmdb')
  writeFileSync(path, database(24, '10.20.0.0', 16, PLACE))
  const config = `filter { geoip { source => "ip" database => "${path}" } }`
  const classic = { ecs: 'disabled' } as const
  const [known, unknown] = await runFilters(config, [{ ip: '10.20.1.1' }, { ip: '192.0.2.1' }], classic)
  assert.deepEqual(known!['geoip'], {
    ip: '10.20.1.1',
    city_name: 'Zürich',
    country_code2: 'CH',
    country_code3: 'CH',
    country_name: 'Switzerland',
    region_name: 'Zurich',
    region_code: 'ZH',
    timezone: 'Europe/Zurich',
    latitude: 47.37,
    longitude: 8.55,
    location: { lat: 47.37, lon: 8.55 },
  })
  assert.deepEqual(unknown!['tags'], ['_geoip_lookup_failure'])
  assert.deepEqual(unknown!['geoip'], {})
  const [missing] = await runFilters(config, [{}], classic)
  assert.deepEqual([missing!['tags'], missing!['geoip']], [['_geoip_lookup_failure'], undefined])
  const ecs = `filter { geoip { source => "[client][ip]" database => "${path}" fields => ["city_name"] } }`
  const [client] = await runFilters(ecs, [{ client: { ip: '10.20.1.1' } }], { ecs: 'v1' })
  assert.deepEqual(client!['client'], { ip: '10.20.1.1', geo: { city_name: 'Zürich' } })
  await assert.rejects(runFilters('filter { geoip { source => "ip" } }', [], { ecs: 'v1' }), /requires a `target`/)
  const [whole] = await runFilters(ecs.replace(/fields.*?\]/, ''), [{ client: { ip: '10.20.1.1' } }], { ecs: 'v8' })
  assert.deepEqual((whole!['client'] as Record<string, unknown>)['geo'], {
    ...{ city_name: 'Zürich', country_iso_code: 'CH', country_name: 'Switzerland', timezone: 'Europe/Zurich' },
    ...{ region_name: 'Zurich', region_iso_code: 'CH-ZH', location: { lat: 47.37, lon: 8.55 } },
  })
  await assert.rejects(runFilters(config.replace('}', 'fields => ["town"] }'), [], classic), /illegal field value town/)
})
