import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOut, offsetOf, parseConsole, requestAt } from './console-text.ts'

const TEXT = `# newest errors
GET logs-*/_search
{
  "size": 50, // a few
  "query": { "trem": { "host": "web-07" } }
}

POST /_refresh
PUT scripts/_doc/1?refresh=true
{ "source": """
if (x) {
  GET me
}
""", "after": 1 }
`

test('requests with bodies, comments and triple quotes are parsed', () => {
  const requests = parseConsole(TEXT)
  assert.deepEqual(
    requests.map(({ method, path }) => `${method} ${path}`),
    ['GET /logs-*/_search', 'POST /_refresh', 'PUT /scripts/_doc/1?refresh=true'],
  )
  assert.deepEqual(JSON.parse(requests[0]!.body!), { size: 50, query: { trem: { host: 'web-07' } } })
  assert.equal(requests[1]!.body, undefined)
  assert.deepEqual(JSON.parse(requests[2]!.body!), { source: 'if (x) {\n  GET me\n}', after: 1 })
})

test('a position in the sent body is mapped to the text of the editor', () => {
  const [search, , script] = parseConsole(TEXT)
  const line = search!.body!.split('\n').findIndex((one) => one.includes('trem'))
  const column = search!.body!.split('\n')[line]!.indexOf('"trem"')
  const offset = offsetOf(search!, line + 1, column + 1)!
  assert.ok(TEXT.startsWith('"trem"', offset))
  const after = script!.body!.indexOf('"after"')
  assert.ok(TEXT.startsWith('"after"', offsetOf(script!, 1, after + 1)!))
})

test('several JSON values are sent as lines with a final newline', () => {
  const [bulk] = parseConsole('POST _bulk\n{ "index": { "_index": "a" } }\n{\n  "x": 1\n}\n{"delete":{"_id":"1"}}')
  const lines = bulk!.body!.split('\n')
  assert.equal(lines.length, 4)
  assert.equal(lines[3], '')
  assert.deepEqual(JSON.parse(lines[1]!), { x: 1 })
})

test('the request at the cursor is the last one that begins before it', () => {
  const requests = parseConsole(TEXT)
  const at = (needle: string) => requestAt(requests, TEXT.indexOf(needle), TEXT)?.path
  assert.equal(at('"size"'), '/logs-*/_search')
  assert.equal(at('ET logs'), '/logs-*/_search')
  assert.equal(at('/_refresh'), '/_refresh')
  assert.equal(requestAt(requests, 0, TEXT), undefined)
})

test('a number sign in a string is not a comment, and a slash in a path is kept', () => {
  const [one] = parseConsole('PUT /a/_doc/1\n{ "x": "# no // comment", "y": 1 } # but this is')
  assert.deepEqual(JSON.parse(one!.body!), { x: '# no // comment', y: 1 })
})

test('a body that is not JSON is sent unchanged', () => {
  assert.equal(parseConsole('GET _search\n{ "a": ')[0]!.body, '{ "a":')
})

test('formatting keeps every digit of a number', () => {
  assert.equal(
    layOut('{"a":90071992547409931,"b":[],"c":[1.0,{"d":"x, y: {"}]}'),
    '{\n  "a": 90071992547409931,\n  "b": [],\n  "c": [\n    1.0,\n    {\n      "d": "x, y: {"\n    }\n  ]\n}',
  )
})
