import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchScope } from './search-rewrite.ts'
import { significantBackground } from './significant-background.ts'

const scopeWith = (nested: readonly string[]) =>
  ({ fieldsOfType: (type: string) => (type === 'nested' ? nested : []) }) as unknown as SearchScope

const within = (outer: object, definition: object) => ({ aggs: { a: { ...outer, aggs: { s: definition } } } })

test('significant terms of root documents have them as background in an index with nested fields', () => {
  const terms = { significant_terms: { field: 'k', size: 5 }, meta: { m: 1 } }
  const filter = { filter: { term: { k: 'a' } } }
  const background = { bool: { must_not: [{ terms: { _nested_path: ['c', 'c.d'] } }] } }
  assert.deepEqual(significantBackground(within(filter, terms), scopeWith(['c', 'c.d']))?.request, {
    aggs: {
      a: {
        ...filter,
        aggs: {
          s: { significant_terms: { field: 'k', size: 5, background_filter: background }, meta: { m: 1 } },
        },
      },
    },
  })
  assert.ok(significantBackground({ aggs: { s: { significant_text: { field: 't' } } } }, scopeWith(['c'])))
})

test('significant terms keep their background without nested fields and with a filter of their own', () => {
  const terms = { significant_terms: { field: 'k' } }
  const filtered = { significant_terms: { field: 'k', background_filter: { match_all: {} } } }
  assert.equal(significantBackground({ aggs: { s: terms } }, scopeWith([])), undefined)
  assert.equal(significantBackground({ aggs: { s: filtered } }, scopeWith(['c'])), undefined)
  assert.equal(significantBackground({ aggs: { s: { terms: { field: 'k' } } } }, scopeWith(['c'])), undefined)
})

test('significant terms within nested are refused unless they have a background of their own', () => {
  const nested = { nested: { path: 'c' } }
  const within = (options: object) => ({ aggs: { a: { ...nested, aggs: { s: { significant_terms: options } } } } })
  assert.throws(() => significantBackground(within({ field: 'c.w' }), scopeWith(['c'])), { status: 400 })
  assert.equal(
    significantBackground(within({ field: 'c.w', background_filter: { match_all: {} } }), scopeWith(['c'])),
    undefined,
  )
})
