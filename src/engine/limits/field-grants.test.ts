import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyedName, runtimeName } from '../document/derived-doc-values.ts'
import { FieldGrants, fieldGrants } from './field-grants.ts'
import type { FieldSecurity } from './read-limits.ts'

const fields = (grant: string[] | undefined, except?: string[]): FieldSecurity => ({ grant, except })
const sourceOf = (grants: FieldGrants, source: string) => Buffer.from(grants.source(Buffer.from(source))).toString()

test('a field is granted if one entry of every group grants it and does not except it', () => {
  const grants = new FieldGrants([[fields(['a*'], ['ab']), fields(['ab'])], [fields(undefined, ['ac'])]])
  assert.equal(grants.has('aa'), true)
  assert.equal(grants.has('ab'), true, 'the second entry grants what the first one excepts')
  assert.equal(grants.has('ac'), false, 'the second group excepts it')
  assert.equal(grants.has('b'), false)
  assert.equal(new FieldGrants([[]]).has('a'), false, 'a group without entries grants nothing')
})

test('the grant of an object does not include the fields below it, and metadata fields are always granted', () => {
  const grants = new FieldGrants([[fields(['a', 'b.*'])]])
  assert.deepEqual(
    ['a', 'a.x', 'b', 'b.x', 'b.x.y', '_id', '_source'].filter((path) => grants.has(path)),
    ['a', 'b.x', 'b.x.y', '_id', '_source'],
  )
})

test('an object is entered if a field below it may be granted', () => {
  const grants = new FieldGrants([[fields(['a.b.c', 'd*'], ['d.*'])]])
  assert.equal(grants.reachesInto('a'), true)
  assert.equal(grants.reachesInto('a.b'), true)
  assert.equal(grants.reachesInto('a.x'), false)
  assert.equal(grants.reachesInto('d'), false, 'everything below it is excepted')
  assert.equal(grants.reachesInto('_meta'), true)
})

test('a physical field belongs to the field that it was derived from', () => {
  const grants = new FieldGrants([[fields(['title', 'relation', 'labels'])]])
  for (const name of ['title', 'title._2gram', 'relation#parent', keyedName('labels', 'env'), runtimeName('x', 'k')])
    assert.equal(grants.hasPhysical(name), true, name)
  for (const name of ['other', 'other._index_prefix', 'other#parent', keyedName('other', 'env')])
    assert.equal(grants.hasPhysical(name), false, name)
})

test('a filtered source keeps the bytes of granted values, and objects in which a field could be granted', () => {
  const grants = new FieldGrants([[fields(['n', 'o.kept', 'list.a', 'tags'])]])
  assert.equal(
    sourceOf(grants, '{"n": 1.0, "secret": "x\\u0041", "o": {"kept": "\\u00e4", "hidden": 2}, "p": {"n": 1}}'),
    '{"n":1.0,"o":{"kept":"\\u00e4"}}',
  )
  assert.equal(
    sourceOf(grants, '{"list": [{"a": 1, "b": 2}, {"b": 3}, 4], "tags": ["x", null], "hidden": [1]}'),
    '{"list":[{"a":1},{}],"tags":["x",null]}',
  )
  assert.equal(sourceOf(grants, '{"secret":{"deep":[{"er":1}]}}'), '{}')
})

test('equal groups share their grants', () => {
  assert.equal(fieldGrants([[fields(['a'])]]), fieldGrants([[fields(['a'])]]))
  assert.notEqual(fieldGrants([[fields(['a'])]]), fieldGrants([[fields(['b'])]]))
})
