import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cef } from '../codecs/cef.ts'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { Codec } from '../plugin/codec-plugin.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { UTC, zoneOf } from '../time/zone.ts'
import { cefTime } from './cef-times.ts'

function make(options: Record<string, unknown> = {}, ecs: 'disabled' | 'v8' = 'v8'): Codec {
  return cef.create(withDefaults(cef.options, options) as never, testContext({ ecs }))
}

function decode(line: string, options: Record<string, unknown> = {}): Record<string, unknown> {
  const out: Event[] = []
  make(options).createDecoder().decodeLine(line, out)
  const { '@version': _, ...rest } = JSON.parse(jsonText(out[0]!.fields)) as Record<string, unknown>
  return rest
}

const HEAD = 'CEF:0|security|threatmanager|1.0|100|trojan|10|'

test('under the Elastic Common Schema headers and extensions of CEF go to its fields', () => {
  const line = `<13>host ${HEAD}src=10.0.0.192 dst=12.121.122.82 spt=1232 dvchost=fw cs15=v cs15Label=l own.key=x reason=bad rt=1700000000250`
  assert.deepEqual(decode(line), {
    '@timestamp': '2023-11-14T22:13:20.250Z',
    cef: { version: '0', name: 'trojan', device_custom_string_15: { value: 'v', label: 'l' } },
    observer: { vendor: 'security', product: 'threatmanager', version: '1.0', hostname: 'fw' },
    event: { code: '100', severity: '10', reason: 'bad' },
    log: { syslog: { header: '<13>host' } },
    source: { ip: '10.0.0.192', port: '1232' },
    destination: { ip: '12.121.122.82' },
    'own.key': 'x',
  })
})

test('the device of CEF is the host of the Elastic Common Schema if the option says so', () => {
  const { host, observer } = decode(`${HEAD}dvc=1.1.1.1 dvchost=fw dvcmac=00:11 deviceExternalId=7`, { device: 'host' })
  assert.deepEqual(host, { ip: '1.1.1.1', name: 'fw', mac: '00:11', id: '7' })
  assert.deepEqual(Object.keys(observer as object), ['vendor', 'product', 'version'])
})

test('times of CEF use the zone of the event, and a line with an invalid time fails', () => {
  const found = decode(`${HEAD}start=Oct 20 2021 12:00:00 dtz=-02:00`, { default_timezone: 'Europe/Paris' })
  assert.equal((found['event'] as Record<string, unknown>)['start'], '2021-10-20T14:00:00.000Z')
  const other = decode(`${HEAD}start=Oct 20 2021 12:00:00.123`, { default_timezone: 'Europe/Paris' })
  assert.equal((other['event'] as Record<string, unknown>)['start'], '2021-10-20T10:00:00.123Z')
  assert.deepEqual(decode(`${HEAD}start=yesterday`)['tags'], ['_cefparsefailure'])
})

test('a time of CEF without a year is in the recent past or at most two days ahead', () => {
  const at = (text: string, now: string) =>
    cefTime(text, undefined, { zone: UTC, locale: undefined, nowMs: () => Date.parse(now) }).toString()
  assert.equal(at('May 13 10:00:00', '2021-05-12T00:00:00Z'), '2021-05-13T10:00:00.000Z')
  assert.equal(at('May 15 10:00:00', '2021-05-12T00:00:00Z'), '2020-05-15T10:00:00.000Z')
  assert.equal(at('Jan 01 01:00:00', '2021-12-31T12:00:00Z'), '2022-01-01T01:00:00.000Z')
})

test('a time of CEF may have a month in another language', () => {
  const settings = { zone: zoneOf('UTC')!, locale: 'de_DE', nowMs: () => 0 }
  assert.equal(cefTime('Mai 01 2021 00:00:00', undefined, settings).toString(), '2021-05-01T00:00:00.000Z')
})

test('fields of the Elastic Common Schema are written under the names of CEF, or its keys', () => {
  const fields = { source: { ip: '1.1.1.1' }, destination: { registered_domain: 'example.com' }, own: 1 }
  const event = Event.ofFields(toFieldValue(fields) as Fields, new Timestamp(0))
  const options = { fields: ['[source][ip]', '[destination][registered_domain]', 'own'] }
  const extension = (codec: Codec) => String(codec.encode(event)).split('|').at(-1)
  assert.equal(extension(make(options)), 'sourceAddress=1.1.1.1 destinationDnsDomain=example.com own=1')
  assert.equal(
    extension(make({ ...options, reverse_mapping: true })),
    'src=1.1.1.1 destinationDnsDomain=example.com own=1',
  )
})
