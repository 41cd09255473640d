import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestShard } from '../../search/search-fixture.ts'
import { EditAutomaton } from './edit-automaton.ts'
import { fuzzyTerms } from './fuzzy-terms.ts'

/** The edit distance of two words, with a transposition as one edit. */
function distance(a: string, b: string, transpositions: boolean): number {
  const x = [...a]
  const y = [...b]
  const rows = Array.from({ length: x.length + 1 }, (_, i) =>
    Array.from({ length: y.length + 1 }, (_, j) => (i === 0 ? j : i)),
  )
  for (let i = 1; i <= x.length; i++) {
    for (let j = 1; j <= y.length; j++) {
      const same = x[i - 1] === y[j - 1]
      let best = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1))
      if (transpositions && i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1]) {
        best = Math.min(best, rows[i - 2]![j - 2]! + 1)
      }
      rows[i]![j] = best
    }
  }
  return rows[x.length]![y.length]!
}

// Goal: skipping terms by their letters and by hopeless prefixes neither loses nor adds a term. Method: random
// dictionaries, each term compared with the plain edit distance.
test('fuzzyTerms finds exactly the terms within the edit distance', () => {
  const word = fc
    .array(fc.constantFrom('a', 'b', 'c', 'q', '1', 'x', 'é', '😀'), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 200 }),
      word,
      fc.constantFrom(1, 2),
      fc.constantFrom(0, 0, 1, 2),
      fc.boolean(),
      (dictionary, target, maxEdits, prefixLength, transpositions) => {
        const shard = openTestShard({ k: { type: 'keyword' } }, [[{ id: '1', source: { k: dictionary } }]])
        const found: [string, number][] = []
        const terms = shard.view.segments[0]!.reader.terms('k')!
        const automaton = new EditAutomaton(target, { maxEdits, prefixLength, transpositions })
        fuzzyTerms(terms, automaton, (_, text, edits) => found.push([text, edits]))
        const start = [...target].slice(0, prefixLength).join('')
        const expected = dictionary
          .map((text): [string, number] => [text, distance(text, target, transpositions)])
          .filter(([text, edits]) => edits <= maxEdits && text.startsWith(start))
        assert.deepEqual(new Map(found), new Map(expected))
      },
    ),
    { numRuns: 100 },
  )
})

test('EditAutomaton computes the edit distance of long words, whose states outgrow its first tables', () => {
  const letters = [...'abcdefghijklmnoprstuvé']
  const word = fc.array(fc.constantFrom(...letters), { minLength: 10, maxLength: 24 })
  const edit = fc.record({
    at: fc.nat(24),
    removed: fc.nat(2),
    added: fc.array(fc.constantFrom(...letters), { maxLength: 2 }),
  })
  const edits = fc.array(fc.array(edit, { maxLength: 3 }), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(word, edits, fc.constantFrom(1, 2), fc.boolean(), (target, changes, maxEdits, transpositions) => {
      const automaton = new EditAutomaton(target.join(''), { maxEdits, prefixLength: 0, transpositions })
      for (const change of changes) {
        const term = [...target]
        for (const { at, removed, added } of change) term.splice(at, removed, ...added)
        const expected = Math.min(distance(term.join(''), target.join(''), transpositions), maxEdits + 1)
        assert.equal(automaton.distance(Buffer.from(term.join(''))), expected, `${term.join('')} ${target.join('')}`)
      }
    }),
    { numRuns: 50 },
  )
})
