import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRoleQuery } from './role-query.ts'

const check = (query: unknown) => () => checkRoleQuery(JSON.stringify(query))

test('a query of a role may have any clauses over the document itself', () => {
  assert.doesNotThrow(check({ bool: { filter: [{ terms: { tag: ['a'] } }], must_not: [{ exists: { field: 'x' } }] } }))
  assert.doesNotThrow(check({ more_like_this: { fields: ['t'], like: 'some text' } }))
})

test('a query of a role that refers to other documents is rejected at any depth', () => {
  const refused: [query: object, what: string][] = [
    [{ terms: { tag: { index: 'i', id: '1', path: 'p' } } }, 'terms query with terms lookup'],
    [
      { more_like_this: { fields: ['t'], like: { _index: 'i', _id: '1' } } },
      'more_like_this query referring to documents',
    ],
    [{ has_child: { type: 'c', query: { match_all: {} } } }, 'has_child query'],
    [{ has_parent: { parent_type: 'p', query: { match_all: {} } } }, 'has_parent query'],
  ]
  for (const [query, what] of refused) {
    const error = { type: 'illegal_argument_exception', message: `${what} isn't supported as part of a role query` }
    assert.throws(check(query), error)
    assert.throws(check({ bool: { should: [{ constant_score: { filter: query } }] } }), error)
    assert.throws(check({ nested: { path: 'n', query } }), error)
  }
})

test('a text that is not a query is rejected', () => {
  assert.throws(check({ nothing: {} }), /unknown query \[nothing\]/)
  assert.throws(() => checkRoleQuery('{'), /Unexpected end-of-input/)
})
