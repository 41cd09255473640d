import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { flattenedFields } from './flattened-fields.ts'
import { halfFloats } from './half-floats.ts'
import { changeHits, someHits, visitHits } from './inner-hits.ts'
import { nanosInFields } from './nanos-in-fields.ts'
import { nestedFields } from './nested-fields.ts'
import type { SearchScope } from './search-rewrite.ts'

const scope = (fields: Record<string, string>) =>
  ({
    field: (name: string) => (fields[name] === undefined ? undefined : { type: fields[name] }),
    fieldsOfType: (type: string) => Object.keys(fields).filter((name) => fields[name] === type),
  }) as unknown as SearchScope

const nested = (hits: object) => ({ nested: { path: 'c', query: { match_all: {} }, inner_hits: hits } })
const SEARCH = {
  fields: ['a'],
  query: { bool: { must: [{ terms: { n: [1, 2, 3] } }, nested({ fields: ['b'] })] } },
  collapse: { field: 'k', inner_hits: [{ name: 'i', fields: ['c'] }, { name: 'j' }] },
  aggs: { t: { filter: {}, aggs: { u: { top_hits: { fields: ['d'] } } } } },
}

test('the definitions of hits within a search are changed wherever they are, and the rest stays the same', () => {
  const seen: unknown[] = []
  const same = changeHits(SEARCH, (hits) => {
    seen.push(hits['fields'])
    return hits
  })
  assert.equal(same, SEARCH)
  assert.deepEqual(seen, [['a'], ['b'], ['c'], undefined, ['d']])
  const changed = changeHits(SEARCH, (hits) => (hits['name'] === 'j' ? { ...hits, fields: ['x'] } : hits))
  assert.deepEqual(changed['collapse'], {
    field: 'k',
    inner_hits: [
      { name: 'i', fields: ['c'] },
      { name: 'j', fields: ['x'] },
    ],
  })
  assert.equal(changed['query'], SEARCH.query)
  assert.equal(
    someHits(SEARCH, ({ name }) => name === 'i'),
    true,
  )
  assert.equal(
    someHits(SEARCH, ({ name }) => name === 'z'),
    false,
  )
})

test('the hits of an answer are visited with inner hits and those of aggregations', () => {
  const hits = (...ids: object[]) => ({ hits: { hits: ids } })
  const answer = {
    ...hits({ _id: '1', inner_hits: { c: hits({ _id: '2', inner_hits: { d: hits({ _id: '3' }) } }) } }),
    aggregations: {
      t: {
        buckets: [
          { key: 'a', u: hits({ _id: '4' }) },
          { key: 'b', n: { u: hits({ _id: '5' }) } },
        ],
      },
    },
  }
  const ids: unknown[] = []
  visitHits(answer as JsonObject, ({ _id }) => ids.push(_id))
  assert.deepEqual(ids, ['1', '2', '3', '4', '5'])
})

test('dates with nanoseconds and half floats of inner hits are shown as those of hits', () => {
  const fields = scope({ 'c.x': 'date_nanos', 'c.h': 'half_float' })
  const request = { query: nested({ fields: ['c.x'], docvalue_fields: ['c.*'] }) }
  const item = { field: 'c.x', format: 'strict_date_optional_time_nanos' }
  assert.deepEqual(
    nanosInFields(request, fields)?.request['query'],
    nested({ fields: [item], docvalue_fields: ['c.*', item] }),
  )
  const answer = { hits: { hits: [{ inner_hits: { c: { hits: { hits: [{ fields: { 'c.h': [0.1] } }] } } } }] } }
  const amended = JSON.stringify(halfFloats(request, fields)?.amend?.(answer))
  assert.ok(!amended.includes('[0.1]'), amended)
})

test('fields of nested documents are members of the nested objects, and doc values keep their whole names', () => {
  const hit = (fields: object) => ({ _nested: { field: 'o.c', offset: 0, _nested: { field: 'd', offset: 1 } }, fields })
  const answer = (fields: object) => ({ hits: { hits: [{ inner_hits: { d: { hits: { hits: [hit(fields)] } } } }] } })
  const shown = (request: JsonObject, fields: object) =>
    nestedFields(request, scope({}))?.amend?.(answer(fields) as never)
  const given = { 'o.c.d.w': ['a'], 'o.c.d.p.q': [1], 'o.c.d.v': [2], s: ['z'] }
  assert.deepEqual(
    shown({ query: nested({ fields: ['*'], docvalue_fields: [{ field: 'o.c.d.v' }] }) }, given),
    answer({ 'o.c': [{ d: [{ w: ['a'], 'p.q': [1] }] }], 'o.c.d.v': [2], s: ['z'] }),
  )
  assert.equal(nestedFields({ fields: ['*'], query: nested({ docvalue_fields: ['a'] }) }, scope({})), undefined)
})

test('flattened fields are refused in fields, by name, by a pattern, and in inner hits', () => {
  const fields = scope({ f: 'flattened', k: 'keyword' })
  for (const request of [{ fields: ['f'] }, { fields: [{ field: '*' }] }, { query: nested({ fields: ['f.p'] }) }])
    assert.throws(() => flattenedFields(request, fields), { status: 400 })
  for (const request of [{ fields: ['k', 'g*'] }, { docvalue_fields: ['*'] }, {}])
    assert.equal(flattenedFields(request, fields), undefined)
})
