import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCurl, shellWords } from './curl.ts'

test('a curl command with method, header and multi-line body becomes a request', () => {
  const request = parseCurl(`curl -X PUT "http://localhost:9200/books/_doc/1?refresh=true" \\
    -H 'Content-Type: application/json' \\
    -d '{"title":"It'\\''s here","n":90071992547409931}'`)
  assert.deepEqual(request, {
    method: 'PUT',
    path: '/books/_doc/1?refresh=true',
    body: `{\n  "title": "It's here",\n  "n": 90071992547409931\n}`,
  })
})

test('a curl command is a POST with a body and a GET without, and -G moves the data to the address', () => {
  assert.equal(parseCurl(`curl localhost:9200/_search -d '{}'`)?.method, 'POST')
  assert.deepEqual(parseCurl('curl -s localhost:9200/_cluster/health?pretty'), {
    method: 'GET',
    path: '/_cluster/health?pretty',
    body: undefined,
  })
  assert.deepEqual(parseCurl('curl -G https://es.example:9200/logs/_search --data-raw q=a'), {
    method: 'GET',
    path: '/logs/_search?q=a',
  })
})

test('values of curl flags are not taken for the address', () => {
  assert.equal(parseCurl('curl -u elastic:secret -o /dev/null -XDELETE http://h/a')?.path, '/a')
  assert.equal(parseCurl('curl -XDELETE http://h/a')?.method, 'DELETE')
  assert.equal(parseCurl('curl --request=HEAD http://h/a')?.method, 'HEAD')
})

test('the lines of a bulk body are kept', () => {
  const request = parseCurl(`curl -XPOST localhost:9200/_bulk --data-binary $'{"index":{}}\\n{"a":1}\\n'`)
  assert.equal(request?.body, '{"index":{}}\n{"a":1}')
})

test('text that is not a curl command is not converted', () => {
  assert.equal(parseCurl('GET /_search'), undefined)
  assert.equal(parseCurl('curl'), undefined)
  assert.deepEqual(shellWords(`a "b c" 'd e' f\\ g`), ['a', 'b c', 'd e', 'f g'])
})
