import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GetAnswer, WriteAnswer, WriteRequest } from '../../service/shards/shard-host.ts'
import { packFound, packGet, packWrite, packWritten, unpackGet, unpackReply, unpackWrite } from './document-messages.ts'

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const KEY = { indexUuid: 'uuid', shard: 3 }

const WRITE: WriteRequest = {
  key: KEY,
  action: 'index',
  id: 'ä1',
  autoId: false,
  routing: undefined,
  source: EVERY_BYTE,
  version: undefined,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  refresh: 'false',
  retryOnConflict: 0,
  requireTimestamp: false,
  route: undefined,
  dynamicTemplates: undefined,
  sourceFilter: undefined,
  origin: undefined,
}
const WRITTEN: WriteAnswer = {
  result: 'created',
  version: 4,
  seqNo: 17,
  primaryTerm: 2,
  forcedRefresh: true,
  source: undefined,
}
const FOUND: GetAnswer = {
  version: 4,
  seqNo: 17,
  primaryTerm: 2,
  routing: 'r',
  ignored: [],
  source: EVERY_BYTE,
  storedFields: undefined,
}

/** The value as another thread receives it, with plain byte arrays. */
function sent<T>(value: T): T {
  return structuredClone(value)
}

const withPlainBytes = <T extends { source: Uint8Array | undefined }>(value: T) => ({
  ...value,
  source: value.source === undefined ? undefined : new Uint8Array(value.source),
})

test('a write with usual options arrives unchanged, whatever bytes its source has', () => {
  for (const source of [EVERY_BYTE, new Uint8Array(0), undefined, new Uint8Array(4096).fill(0xff)]) {
    for (const action of ['index', 'create', 'delete', 'update'] as const) {
      for (const refresh of ['false', 'true', 'wait_for'] as const) {
        const request = { ...WRITE, source, action, refresh, autoId: action === 'create' }
        const tuple = packWrite(5, request)
        assert(tuple !== undefined)
        assert.deepEqual(withPlainBytes(unpackWrite(sent(tuple))), request)
      }
    }
  }
})

test('a source that is a part of a larger buffer is sent alone', () => {
  const source = new Uint8Array(EVERY_BYTE.buffer, 100, 3)
  assert.deepEqual([...unpackWrite(packWrite(1, { ...WRITE, source })!).source!], [100, 101, 102])
})

test('a write with any other option, or with a large source, needs an ordinary call', () => {
  const unusual: Partial<WriteRequest>[] = [
    { routing: 'r' },
    { version: 1 },
    { versionType: 'external' },
    { ifSeqNo: 0 },
    { ifPrimaryTerm: 1 },
    { retryOnConflict: 3 },
    { requireTimestamp: true },
    { route: { default: undefined, final: 'p' } },
    { dynamicTemplates: {} },
    { sourceFilter: { enabled: true, includes: [], excludes: [] } },
    { origin: { requestId: 'r', opaqueId: undefined } },
    { source: new Uint8Array(4097) },
  ]
  for (const options of unusual)
    assert.equal(packWrite(1, { ...WRITE, ...options }), undefined, JSON.stringify(options))
})

test('a get without stored fields arrives unchanged, and one with stored fields needs an ordinary call', () => {
  const request = { key: KEY, id: 'ä1', realtime: false, storedFields: [] }
  assert.deepEqual(unpackGet(sent(packGet(1, request)!)), request)
  assert.equal(packGet(1, { ...request, storedFields: ['a'] }), undefined)
})

test('the answer of a write arrives unchanged unless it has a source', () => {
  assert.deepEqual(unpackReply(sent(packWritten(1, WRITTEN)!)), WRITTEN)
  assert.equal(packWritten(1, { ...WRITTEN, source: EVERY_BYTE }), undefined)
  assert.equal(packWritten(1, { ...WRITTEN, isSourceGone: true }), undefined)
})

test('a found document arrives unchanged unless it is large or has ignored or stored fields', () => {
  for (const source of [EVERY_BYTE, undefined]) {
    const reply = unpackReply(sent(packFound(1, { ...FOUND, source })!))
    assert.deepEqual(withPlainBytes(reply), { ...FOUND, source })
  }
  assert.equal(packFound(1, undefined), undefined)
  assert.equal(packFound(1, { ...FOUND, ignored: ['a'] }), undefined)
  assert.equal(packFound(1, { ...FOUND, storedFields: {} }), undefined)
  assert.equal(packFound(1, { ...FOUND, source: new Uint8Array(4097) }), undefined)
})
