import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConsole } from './console-text.ts'
import { distance, faultPlace } from './fault-place.ts'

const TEXT = `# a comment
GET logs/_search
{
  "query": {
    "trem": { "host": "a" }
  }
}`

test('the name in an error is marked, even if the server reports a position after it', () => {
  const [request] = parseConsole(TEXT)
  const error = { type: 'parsing_exception', reason: 'unknown query [trem] did you mean [term]?', line: 3, col: 13 }
  const place = faultPlace(TEXT, request!, {
    status: 400,
    json: { error: { ...error, root_cause: [error] }, status: 400 },
  })!
  assert.equal(TEXT.slice(place.from, place.to), '"trem"')
  assert.equal(place.place, 'line 5, in the body line 3, column 13')
  assert.equal(place.title, 'unknown query [trem]')
  assert.deepEqual(place.fix, { label: 'Replace with term', text: '"term"' })
})

test('an error without a name marks the word at its position', () => {
  const [request] = parseConsole(TEXT)
  const place = faultPlace(TEXT, request!, {
    status: 400,
    json: { error: { type: 'x', reason: 'broken', line: 2, col: 3 } },
  })!
  assert.equal(TEXT.slice(place.from, place.to), '"query"')
})

test('an error without a position is not marked', () => {
  const [request] = parseConsole(TEXT)
  assert.equal(faultPlace(TEXT, request!, { status: 404, json: { error: { type: 'x', reason: 'gone' } } }), undefined)
})

test('the most similar clause is suggested if the server suggests none', () => {
  const [request] = parseConsole(TEXT)
  const error = { type: 'parsing_exception', reason: 'unknown query [trem]', line: 3, col: 13 }
  assert.equal(faultPlace(TEXT, request!, { status: 400, json: { error } })?.fix?.text, '"term"')
  assert.equal(distance('trem', 'term'), 1)
  assert.equal(distance('macth', 'match'), 1)
  assert.equal(distance('', 'abc'), 3)
})
