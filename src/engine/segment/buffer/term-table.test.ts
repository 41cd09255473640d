import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TermTable } from './term-table.ts'

/** Numbers the terms with the table and with a Map of strings, from the middle of a larger array. */
function checkNumbers(terms: string[]): void {
  const table = new TermTable()
  const expected = new Map<string, number>()
  for (const term of terms) {
    if (!expected.has(term)) expected.set(term, expected.size)
    const bytes = Buffer.from(`<<<${term}>>>`, 'latin1')
    assert.equal(table.intern(bytes, 3, bytes.length - 3), expected.get(term), JSON.stringify(term))
  }
  assert.equal(table.size, expected.size)
  const pool = Buffer.from(table.pool)
  const byNumber = [...expected.keys()]
  byNumber.forEach((term, number) => {
    assert.equal(pool.toString('latin1', table.termStart(number), table.termEnd(number)), term)
  })
  const sorted = [...table.sorted()].map((number) => byNumber[number])
  assert.deepEqual(sorted, [...byNumber].sort(), 'in byte order')
}

test('terms that differ in one byte get different numbers, at every length and place', () => {
  const terms: string[] = []
  for (let length = 0; length <= 40; length++) {
    const term = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'.slice(0, length)
    terms.push(term)
    for (let at = 0; at < length; at++) terms.push(`${term.slice(0, at)}\u00ff${term.slice(at + 1)}`)
  }
  checkNumbers([...terms, ...terms])
})

test('terms of equal bytes and different lengths get different numbers', () => {
  const terms = Array.from({ length: 60 }, (_, length) => 'a'.repeat(length))
  const zeros = Array.from({ length: 60 }, (_, length) => '\0'.repeat(length))
  checkNumbers([...terms, ...zeros, ...terms, ...zeros])
})

test('a term keeps its number while the table grows', () => {
  const terms = Array.from({ length: 5000 }, (_, i) => `term-${(i * 7919) % 3000}-${'x'.repeat(i % 20)}`)
  checkNumbers([...terms, ...terms])
})
