import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { compileExpression } from './compile-expression.ts'

const value = (source: string, params: Record<string, unknown> = {}) =>
  (compileExpression(source, 'bucket_aggregation').newInstance({ params }).execute() as { value: number }).value

test('arithmetic has the precedence of JavaScript and works on doubles', () => {
  assert.equal(value('1 + 2 * 3'), 7)
  assert.equal(value('(1 + 2) * 3 % 4'), 1)
  assert.equal(value('7 / 2'), 3.5)
  assert.equal(value('-3 - -2'), -1)
  assert.equal(value('0x1F + 010 + 1e2 + .5'), 139.5)
  assert.equal(value('1 < 2 && 3 != 3 || !0'), 1)
  assert.equal(value('0 ? 1 : 2 > 1 ? 3 : 4'), 3)
})

test('bit operators work on 64-bit integers', () => {
  assert.equal(value('6 & 3'), 2)
  assert.equal(value('6 | 3 ^ 1'), 6)
  assert.equal(value('1 << 40'), 2 ** 40)
  assert.equal(value('-8 >> 1'), -4)
  assert.equal(value('-1 >>> 60'), 15)
  assert.equal(value('~5'), -6)
})

test('functions are called with doubles', () => {
  assert.equal(value('max(2, sqrt(16)) + min(1, 0) + pow(2, 3)'), 12)
  assert.equal(value('logn(2, 8)'), 3)
  assert.equal(Math.round(value('haversin(0, 0, 0, 1)')), 111)
})

test('a variable is the parameter of its name', () => {
  assert.equal(value('a * b', { a: 3, b: 2.5 }), 7.5)
})

function failure(source: string): { type: string; reason: string; stack: unknown } {
  try {
    compileExpression(source, 'score')
  } catch (error) {
    assert.ok(error instanceof ApiError)
    const cause = error.causedBy!
    return { type: cause.type, reason: cause.message, stack: error.details['script_stack'] }
  }
  throw new Error('compiled')
}

test('a source that is no expression fails with the position of the error', () => {
  assert.deepEqual(failure('1 +'), {
    type: 'parse_exception',
    reason: 'unexpected end of expression',
    stack: ['1 +', '   ^---- HERE'],
  })
  assert.match(failure('1 # 2').reason, /unexpected character '#' on line \(1\) position \(2\)/)
  assert.match(failure('foo(1)').reason, /Unrecognized function call \(foo\)/)
  assert.match(failure('sqrt(1, 2)').reason, /Expected 1 arguments for function call \(sqrt\), but found 2/)
})

test('no name of JavaScript reaches the generated code', () => {
  for (const source of ['constructor', 'this', 'process.exit()', "doc['a'].constructor", '__proto__', 'toString()']) {
    const run = () => compileExpression(source, 'bucket_aggregation').newInstance({ params: {} }).execute()
    try {
      const result = run() as { value: number }
      assert.equal(typeof result.value, 'number')
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error))
    }
  }
})

test('an expression that is nested too deeply is rejected', () => {
  for (const source of ['('.repeat(5000) + 1 + ')'.repeat(5000), '-'.repeat(60_000) + 1, `1${'+1'.repeat(20_000)}`]) {
    try {
      compileExpression(source, 'score')
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error))
    }
  }
})
