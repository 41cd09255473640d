import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExactNumber } from '../api/lossless-json.ts'
import { csvLine } from './csv.ts'

test('CSV cells with commas, quotes and line ends are quoted, and numbers are exact', () => {
  assert.equal(
    csvLine(['a,b', 'say "x"', 'two\nlines', new ExactNumber('90071992547409931'), null]),
    '"a,b","say ""x""","two\nlines",90071992547409931,\r\n',
  )
})

test('CSV text that looks like a formula is escaped, and negative numbers are not', () => {
  assert.equal(csvLine(['=1+1', '@x', -5, '-3.5', ['a', 1]]), `'=1+1,'@x,-5,-3.5,"[""a"",1]"\r\n`)
})
