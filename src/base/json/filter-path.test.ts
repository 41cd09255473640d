import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PathFilter, prettyJson } from './filter-path.ts'

const ANSWER = JSON.stringify({
  took: 3,
  _shards: { total: 1, failed: 0 },
  hits: { total: { value: 2 }, hits: [{ _id: '1', _source: { 'a.b': 1, e: {}, f: [] } }, { _id: '2' }] },
})

function filter(list: string): unknown {
  const parsed = PathFilter.parse(list)
  return JSON.parse(parsed === undefined ? ANSWER : parsed.apply(ANSWER, false))
}

test('filter_path selects members by path, including inside arrays', () => {
  assert.deepEqual(filter('took,hits.hits._id'), { took: 3, hits: { hits: [{ _id: '1' }, { _id: '2' }] } })
  assert.deepEqual(filter('hits.hits._source.a\\.b'), { hits: { hits: [{ _source: { 'a.b': 1 } }] } })
})

test('in filter_path one star matches one level or part of a name, two stars any number of levels', () => {
  assert.deepEqual(filter('_sh*.total'), { _shards: { total: 1 } })
  assert.deepEqual(filter('*.total'), { _shards: { total: 1 }, hits: { total: { value: 2 } } })
  assert.deepEqual(filter('**._id'), { hits: { hits: [{ _id: '1' }, { _id: '2' }] } })
  assert.deepEqual(filter('**.took'), {}, 'two stars take at least one level')
})

test('a filter_path pattern with a minus removes members, and objects that become empty', () => {
  assert.deepEqual(filter('-hits,-_shards.*'), { took: 3 })
  assert.deepEqual(filter('hits,-hits.hits._source'), {
    hits: { total: { value: 2 }, hits: [{ _id: '1' }, { _id: '2' }] },
  })
})

test('filter_path keeps selected members that were already empty', () => {
  assert.deepEqual(filter('hits.hits._source.e'), { hits: { hits: [{ _source: { e: {} } }] } })
  assert.deepEqual(filter('hits.hits._source.f.x'), {})
})

test('a filter_path without matches gives an empty object, and an empty list is no filter', () => {
  assert.deepEqual(filter('nothing'), {})
  assert.deepEqual(filter(','), JSON.parse(ANSWER))
})

// Goal: pretty printing never changes the value.
test('pretty-printed and filtered JSON has the same value', () => {
  const everything = PathFilter.parse('*')!
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value)
      assert.deepEqual(JSON.parse(prettyJson(text)), JSON.parse(text))
      assert.deepEqual(JSON.parse(everything.apply(text, true)), JSON.parse(text))
    }),
  )
})

test("pretty prints in Elasticsearch's layout", () => {
  assert.equal(
    prettyJson('{"a":[1,{"b":2.50}],"c":{},"d":[]}'),
    '{\n  "a" : [\n    1,\n    {\n      "b" : 2.5\n    }\n  ],\n  "c" : { },\n  "d" : [ ]\n}',
  )
})

test('comments inside a stored source are skipped', () => {
  assert.equal(prettyJson('{"a":/* x, } */1 // y\n}'), '{\n  "a" : 1\n}')
})

test('patterns of many levels and many patterns cost little', () => {
  const depth = 60
  const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const wide = JSON.stringify({ o: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, i])) })
  const startedAt = process.cpuUsage()
  // The ways in which thirty of these match sixty levels are without number.
  assert.equal(PathFilter.parse(`${'**.'.repeat(30)}x`)!.apply(deep, false), '{}')
  assert.equal(PathFilter.parse(`${'**.'.repeat(30)}a`)!.apply(deep, false), deep)
  const names = Array.from({ length: 1500 }, (_, i) => `**.x${i}`)
  assert.equal(PathFilter.parse(`${names.join()},**.f7`)!.apply(wide, false), '{"o":{"f7":7}}')
  const { user } = process.cpuUsage(startedAt)
  assert.ok(user < 1_000_000, `${user / 1000} ms`)
})
