import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheKey, walkName } from './request-cache.ts'

test('a request whose response depends on more than the index has no cache key', () => {
  const key = (uri: string, body: string) => cacheKey(uri, Buffer.from(body))
  assert.notEqual(key('/a/_search', '{"size":0}'), undefined)
  assert.notEqual(key('/a/_search?request_cache=true', '{}'), undefined)
  assert.notEqual(key('/a/_search', '{"size":0}'), key('/b/_search', '{"size":0}'))
  assert.equal(key('/a/_search', '{"query":{"match_all":{}}}'), undefined)
  assert.equal(key('/a/_search', '{"size":0,"query":{"range":{"at":{"gte":"now-1d"}}}}'), undefined)
})

test('a request with an escaped now, random or script has no cache key', () => {
  const key = (uri: string, body: string) => cacheKey(uri, Buffer.from(body))
  assert.equal(key('/a/_search', String.raw`{"size":0,"query":{"range":{"at":{"gte":"\u006eow-1d"}}}}`), undefined)
  assert.equal(key('/a/_search', String.raw`{"size":0,"query":{"range":{"at":{"gte":"n\u006Fw"}}}}`), undefined)
  assert.equal(key('/a/_search?size=0&q=at:%3En%6Fw-1d', ''), undefined)
  assert.notEqual(key('/a/_search', String.raw`{"size":0,"query":{"term":{"tag":"caf\u00e9"}}}`), undefined)
})

test('search_after pages share no walk name if their query depends on the time', () => {
  const name = (body: string) => walkName('/_search', Buffer.from(body))
  const page = (gte: string) => `{"query":{"range":{"at":{"gte":"${gte}"}}},"search_after":[1]}`
  assert.notEqual(name(page('2024-01-01')), undefined)
  assert.equal(name(page(String.raw`\u006eow`)), undefined)
})
