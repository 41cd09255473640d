import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestShard, runSearch } from '../search/search-fixture.ts'

const VALUES = [3, 1, 2, 0, -1, 1]
const shard = openTestShard({ n: { type: 'integer' }, kind: { type: 'keyword' } }, [
  VALUES.slice(0, 3).map((n, i) => ({ id: `${i}`, source: { n, kind: i === 1 ? 'b' : 'a' } })),
  VALUES.slice(3).map((n, i) => ({ id: `${i + 3}`, source: { n, kind: 'a' } })),
])

/** Zero gives infinity, and -1 gives NaN. */
const SOURCE = "int n = (int) doc['n'].value; return n < 0 ? Double.NaN : 1.0 / n"

function sorted(source: string, order: 'asc' | 'desc', after?: readonly (number | string)[]) {
  const script = { source, lang: 'painless' }
  const sort = [{ _script: { type: 'number', order, script } }, { kind: 'asc' }]
  const { hits } = runSearch(shard, { sort, size: 10 }, { after })
  const ids = hits.map(({ segment, doc }) => shard.view.segments[segment]!.reader.id(doc))
  return { ids: ids.join(''), values: hits.map((hit) => hit.sort[0] as number) }
}

test('a sort by a number script places NaN after infinity, and documents with equal results by the next key', () => {
  // Documents 1 and 5 have equal results; "a" is before "b".
  assert.equal(sorted(SOURCE, 'asc').ids, '025134')
  assert.equal(sorted(SOURCE, 'desc').ids, '435120')
})

test('a sort by a number script continues after infinity and after NaN', () => {
  assert.equal(sorted(SOURCE, 'asc', ['Infinity', 'a']).ids, '4')
  assert.equal(sorted(SOURCE, 'desc', ['NaN', 'a']).ids, '35120')
  assert.equal(sorted(SOURCE, 'desc', ['Infinity', 'a']).ids, '5120')
})

test('a sort by random numbers shows the numbers by which the hits were ranked', () => {
  const { ids, values } = sorted('Math.random()', 'asc')
  assert.equal(ids.length, VALUES.length)
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  )
})

test('a sort by a script that fails for a document fails, also if that document would not be a hit', () => {
  const source = "doc['n'].value == 1 ? 1 / (doc['n'].value - 1) : doc['n'].value"
  const sort = [{ _script: { type: 'number', order: 'desc', script: { source, lang: 'painless' } } }]
  assert.throws(() => runSearch(shard, { sort, size: 1 }), /runtime error|by zero/)
})
