import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDocumentPath } from './request-target.ts'

test('a path with _doc after the index names one document', () => {
  assert.equal(isDocumentPath('/logs/_doc/1'), true)
  assert.equal(isDocumentPath('/logs/_doc/_search?routing=a'), true)
})

test('a path of another endpoint does not name one document, whatever its query and its last segments contain', () => {
  for (const uri of [
    '/',
    '/logs',
    '/logs/_doc',
    '/_doc/1',
    '/logs/_search?q=/_doc/1',
    '/_all/_search/_doc/1',
    '/logs/_docs/1',
  ]) {
    assert.equal(isDocumentPath(uri), false, uri)
  }
})
