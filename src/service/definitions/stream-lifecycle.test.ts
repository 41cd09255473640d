import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexMetadata } from '../metadata/metadata.ts'
import {
  effectiveRetention,
  generationTimeMs,
  managerOf,
  parseStreamLifecycle,
  printStreamLifecycle,
  rolloverConditions,
} from './stream-lifecycle.ts'

const DAY_MS = 86_400_000
const NONE = { defaultMs: undefined, maxMs: undefined }

test('a lifecycle is enabled by default, and its members are checked', () => {
  assert.deepEqual(parseStreamLifecycle({}), { enabled: true })
  assert.deepEqual(parseStreamLifecycle({ enabled: 'false', data_retention: null }), { enabled: false })
  assert.deepEqual(parseStreamLifecycle({ data_retention: '7d' }), { enabled: true, dataRetention: '7d' })
  assert.throws(() => parseStreamLifecycle({ enabled: 1 }), {
    message: 'Failed to parse value [1] as only [true] or [false] are allowed.',
  })
  assert.throws(() => parseStreamLifecycle({ data_retention: '7x' }), { status: 400 })
  assert.throws(() => parseStreamLifecycle({ unknown: 1 }), { message: '[lifecycle] unknown field [unknown]' })
})

test('the retention of the stream takes precedence over the default, and the maximum limits both', () => {
  const stream = { enabled: true, dataRetention: '7d' }
  const other = { enabled: true }
  assert.equal(effectiveRetention(other, NONE), undefined)
  assert.deepEqual(effectiveRetention(stream, { defaultMs: DAY_MS, maxMs: undefined }), {
    ms: 7 * DAY_MS,
    determinedBy: 'data_stream_configuration',
  })
  assert.deepEqual(effectiveRetention(other, { defaultMs: DAY_MS, maxMs: undefined }), {
    ms: DAY_MS,
    determinedBy: 'default_global_retention',
  })
  for (const lifecycle of [stream, other]) {
    assert.deepEqual(effectiveRetention(lifecycle, { defaultMs: undefined, maxMs: DAY_MS }), {
      ms: DAY_MS,
      determinedBy: 'max_global_retention',
    })
  }
})

test('the printed lifecycle has the effective retention only while it is enabled', () => {
  assert.deepEqual(printStreamLifecycle({ enabled: true, dataRetention: '7d' }, NONE), {
    enabled: true,
    data_retention: '7d',
    effective_retention: '7d',
    retention_determined_by: 'data_stream_configuration',
  })
  assert.deepEqual(printStreamLifecycle({ enabled: false, dataRetention: '7d' }, NONE), {
    enabled: false,
    data_retention: '7d',
  })
})

test('the shorter data is kept, the younger the write index rolls over', () => {
  const ages = [undefined, 1, 2, 14, 15, 90, 91].map((days) => {
    const ms = days === undefined ? undefined : days * DAY_MS
    return rolloverConditions(ms === undefined ? undefined : { ms, determinedBy: 'data_stream_configuration' })[
      'max_age'
    ]
  })
  assert.deepEqual(ages, ['30d', '1h', '1d', '1d', '7d', '7d', '30d'])
})

test('a policy manages an index of a stream unless the stream has a lifecycle and prefer_ilm is false', () => {
  const policy = { 'index.lifecycle.name': 'p' }
  const preferring = { ...policy, 'index.lifecycle.prefer_ilm': 'false' }
  const lifecycle = { enabled: true }
  assert.equal(managerOf({}, undefined), 'Unmanaged')
  assert.equal(managerOf({}, { enabled: false }), 'Unmanaged')
  assert.equal(managerOf({}, lifecycle), 'Data stream lifecycle')
  assert.equal(managerOf(policy, lifecycle), 'Index Lifecycle Management')
  assert.equal(managerOf(preferring, lifecycle), 'Data stream lifecycle')
  assert.equal(managerOf(preferring, undefined), 'Index Lifecycle Management')
})

test('the age of an index counts from its rollover, or from the origination date of its settings', () => {
  const index = (settings: IndexMetadata['settings'], timeMs?: number) =>
    ({
      settings,
      ...(timeMs === undefined ? {} : { rolledOver: { alias: 's', conditions: {}, timeMs } }),
    }) as IndexMetadata
  assert.equal(generationTimeMs(index({})), undefined)
  assert.equal(generationTimeMs(index({}, 5)), 5)
  assert.equal(generationTimeMs(index({ 'index.lifecycle.origination_date': '3' }, 5)), 3)
  assert.equal(generationTimeMs(index({ 'index.lifecycle.origination_date': '-1' }, 5)), 5)
})
