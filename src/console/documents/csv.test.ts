import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExactNumber } from '../api/lossless-json.ts'
import { csvLine } from './csv.ts'

test('commas, quotes and line ends are quoted, numbers stay exact', () => {
  assert.equal(
    csvLine(['a,b', 'say "x"', 'two\nlines', new ExactNumber('90071992547409931'), null]),
    '"a,b","say ""x""","two\nlines",90071992547409931,\r\n',
  )
})

test('text that a spreadsheet would compute is kept text, negative numbers stay numbers', () => {
  assert.equal(csvLine(['=1+1', '@x', -5, '-3.5', ['a', 1]]), `'=1+1,'@x,-5,-3.5,"[""a"",1]"\r\n`)
})
