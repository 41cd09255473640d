import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { stemmerByName } from './stemmer-names.ts'

const compiled = import.meta.url.includes('/dist/')
const file = new URL(`${compiled ? '../../../../src/engine/analysis/' : '../'}cases/stems.txt`, import.meta.url)
const cases = readFileSync(file, 'utf8').trim().split('\n').slice(2)

test('words have the stems that Elasticsearch gives them', () => {
  for (const line of cases) {
    const [language, pairs] = line.split(': ') as [string, string]
    const stem = stemmerByName(language)!
    const found = pairs.split(' ').map((pair) => `${pair.split('>')[0]}>${stem(pair.split('>')[0]!)}`)
    assert.equal(found.join(' '), pairs, language)
  }
})

// Goal: no text in any script makes a stemmer fail or produce a huge term.
test('a stem is never much longer than its word', () => {
  for (const line of cases) {
    const stem = stemmerByName(line.split(':')[0]!)!
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (word) => stem(word).length <= word.length * 2 + 2),
      { numRuns: 50 },
    )
  }
})

test('an unknown stemmer name has no stemmer', () => {
  assert.equal(stemmerByName('klingon'), undefined)
})
