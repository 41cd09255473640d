import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheKey } from './request-cache.ts'

test('requests whose answer depends on more than the index have no key', () => {
  const key = (uri: string, body: string) => cacheKey(uri, Buffer.from(body))
  assert.notEqual(key('/a/_search', '{"size":0}'), undefined)
  assert.notEqual(key('/a/_search?request_cache=true', '{}'), undefined)
  assert.notEqual(key('/a/_search', '{"size":0}'), key('/b/_search', '{"size":0}'))
  assert.equal(key('/a/_search', '{"query":{"match_all":{}}}'), undefined)
  assert.equal(key('/a/_search', '{"size":0,"query":{"range":{"at":{"gte":"now-1d"}}}}'), undefined)
})
