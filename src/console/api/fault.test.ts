import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf } from './fault.ts'

test('the title of an error is the innermost reason, and its position is the innermost one with a line', () => {
  const fault = faultOf({
    status: 400,
    json: {
      error: {
        root_cause: [{ type: 'parsing_exception', reason: 'unknown query [trem]', line: 7, col: 19 }],
        type: 'x_content_parse_exception',
        reason: '[7:19] [bool] failed to parse field [filter]',
        caused_by: {
          type: 'parsing_exception',
          reason: 'unknown query [trem]',
          line: 7,
          col: 19,
          caused_by: { type: 'named_object_not_found_exception', reason: '[7:19] unknown field [trem]' },
        },
      },
      status: 400,
    },
  })
  assert.equal(fault.title, 'unknown query [trem]')
  assert.deepEqual([fault.type, fault.line, fault.column], ['parsing_exception', 7, 19])
})

test('a position that only the reason contains is found', () => {
  const fault = faultOf({ status: 400, json: { error: { type: 'a', reason: '[3:5] [x] failed' } } })
  assert.deepEqual([fault.line, fault.column], [3, 5])
})

test('known error types have advice, others have none', () => {
  const window = faultOf({
    status: 400,
    json: { error: { type: 'x', reason: 'Result window is too large, from + size' } },
  })
  assert.match(window.advice ?? '', /search_after/)
  assert.equal(faultOf({ status: 400, json: { error: { type: 'x', reason: 'y' } } }).advice, undefined)
})

test('an error response without an error object has a message', () => {
  assert.equal(faultOf({ status: 503, json: undefined }).title, 'The service answered with status 503')
  assert.equal(faultOf({ status: 404, json: { error: 'no such thing' } }).title, 'no such thing')
})
