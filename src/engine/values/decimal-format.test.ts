import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { decimalFormat } from './decimal-format.ts'

const print = (pattern: string, value: number | bigint) => decimalFormat(pattern).format(value)

test('a pattern defines required, optional and grouped digits', () => {
  assert.equal(print('#.00', 1.5), '1.50')
  assert.equal(print('#.00', 0), '.00')
  assert.equal(print('#,##0.0', 123456), '123,456.0')
  assert.equal(print('000', 7), '007')
  assert.equal(print('#.##', 3), '3')
  assert.equal(print('', 1234567.891), '1,234,567.891')
})

test('halves round to even, by the exact value of the double', () => {
  assert.equal(print('0.00', 0.125), '0.12')
  assert.equal(print('0.00', 0.375), '0.38')
  // 2.675 is slightly less than it looks, and so is 0.15.
  assert.equal(print('0.00', 2.675), '2.67')
  assert.equal(print('0.0', 0.15), '0.1')
  assert.equal(print('0.00', 99.995), '100.00')
})

test('an exponent applies to single digits or to groups of digits', () => {
  assert.equal(print('0.###E0', 1234567.891), '1.235E6')
  assert.equal(print('##0.##E0', 1234567.891), '1.2346E6')
  assert.equal(print('00.00E00', 0.125), '12.50E-02')
  assert.equal(print('0.###E0', 0), '0E0')
})

test('patterns support affixes, per cent, quotes and a separate negative form', () => {
  assert.equal(print('$#,##0.00;($#,##0.00)', -1234.5), '($1,234.50)')
  assert.equal(print('0.0%', 0.125), '12.5%')
  assert.equal(print("'#'0", 5), '#5')
  assert.equal(print('a0b', -5), '-a5b')
  assert.equal(print('0', Number.NaN), 'NaN')
  assert.equal(print('0', Number.NEGATIVE_INFINITY), '-∞')
})

test('long integers stay exact', () => {
  assert.equal(print('#,##0', 9223372036854775807n), '9,223,372,036,854,775,807')
})

test('a malformed pattern is rejected with its text', () => {
  const refusal = (pattern: string) => {
    try {
      decimalFormat(pattern)
    } catch (error) {
      if (error instanceof ApiError) return error.message
      throw error
    }
    return undefined
  }
  assert.equal(refusal('#.#.#'), 'Multiple decimal separators in pattern "#.#.#"')
  assert.equal(refusal("a'b"), 'Malformed pattern "a\'b"')
  assert.equal(refusal('0E'), 'Malformed exponential pattern "0E"')
  assert.equal(refusal('0.0#0'), 'Unexpected \'0\' in pattern "0.0#0"')
})
