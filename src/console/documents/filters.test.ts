import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Filter, filterWords, readFilter, selectionQuery, writeFilter } from './filters.ts'

const plain = { isNot: false, isOff: false }

test('filters read back from an address are equal to the written ones', () => {
  const filters: Filter[] = [
    { ...plain, field: 'status', from: '500', to: '599' },
    { ...plain, field: 'agent', value: 'health-check', isNot: true },
    { ...plain, field: 'host' },
    { ...plain, field: 'path', value: '/a:b/../c', isOff: true },
    { ...plain, field: 'star', value: '*' },
    { ...plain, field: 'quote', value: '"x"' },
    { ...plain, field: 'took', from: '1', to: undefined },
  ]
  for (const filter of filters) {
    const read = readFilter(writeFilter(filter))!
    assert.deepEqual(
      { ...read, value: read.value, from: read.from, to: read.to },
      { ...filter, value: filter.value, from: filter.from, to: filter.to },
    )
  }
  assert.equal(writeFilter(filters[0]!), 'status:500..599')
  assert.equal(readFilter('nothing'), undefined)
  assert.equal(filterWords(filters[0]!), '500 to 599')
})

test('a selection becomes one query without the disabled filters', () => {
  assert.deepEqual(selectionQuery({ text: ' ', filters: [] }), { match_all: {} })
  assert.deepEqual(
    selectionQuery({
      text: 'error',
      filters: [
        { ...plain, field: 'host', value: 'a' },
        { ...plain, field: 'host', value: 'b', isNot: true },
        { ...plain, field: 'host', value: 'c', isOff: true },
      ],
      time: { field: '@timestamp', from: 'now-1h' },
    }),
    {
      bool: {
        must: [{ query_string: { query: 'error', default_operator: 'AND', analyze_wildcard: true } }],
        filter: [{ term: { host: { value: 'a' } } }, { range: { '@timestamp': { gte: 'now-1h' } } }],
        must_not: [{ term: { host: { value: 'b' } } }],
      },
    },
  )
})
