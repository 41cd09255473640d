import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExactNumber } from './lossless-json.ts'
import { formatRequests } from './request-forms.ts'

const search = {
  method: 'POST',
  path: '/logs-*/_search?pretty=true',
  body: { query: { term: { who: "o'brien" } }, exact: new ExactNumber('90071992547409931'), on: true, none: null },
}
const origin = 'http://127.0.0.1:9200'

test('a request as curl escapes single quotes and keeps large numbers', () => {
  const text = formatRequests([search], 'curl', origin)
  assert.ok(
    text.startsWith(
      "curl -X POST 'http://127.0.0.1:9200/logs-*/_search?pretty=true' -H 'Content-Type: application/json' -d '",
    ),
  )
  assert.ok(text.includes(`o'\\''brien`))
  assert.ok(text.includes('90071992547409931'))
})

test('a request as Python uses True and None, and as JavaScript separates the query parameters', () => {
  const python = formatRequests([search], 'python', origin)
  assert.match(python, /"on": True,/)
  assert.match(python, /"none": None,/)
  assert.match(python, /params=\{\n\s+"pretty": "true",/)
  const javascript = formatRequests([search], 'javascript', origin)
  assert.match(javascript, /path: "\/logs-\*\/_search",\n {2}querystring: \{"pretty":"true"\}/)
})

test('requests as console text are separated by an empty line', () => {
  assert.equal(
    formatRequests(
      [
        { method: 'GET', path: '/_cluster/health' },
        { method: 'POST', path: '/a/_refresh' },
      ],
      'console',
      origin,
    ),
    'GET /_cluster/health\n\nPOST /a/_refresh',
  )
})
