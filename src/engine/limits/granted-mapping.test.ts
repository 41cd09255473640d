import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldGrants } from './field-grants.ts'
import { grantedMapping } from './granted-mapping.ts'

const MAPPING = {
  dynamic: 'strict',
  runtime: { seen: { type: 'long' }, unseen: { type: 'keyword' } },
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword' }, other: { type: 'keyword' } } },
    user: { dynamic: 'true', properties: { name: { type: 'keyword' }, email: { type: 'keyword' } } },
    empty: { properties: {} },
  },
}

const shownTo = (...grant: string[]) => grantedMapping(MAPPING, fieldGrants([[{ grant, except: undefined }]]))

test('a mapping shows granted fields, and objects in which one is left', () => {
  assert.deepEqual(shownTo('user.name', 'seen'), {
    dynamic: 'strict',
    runtime: { seen: { type: 'long' } },
    properties: { user: { dynamic: 'true', properties: { name: { type: 'keyword' } } } },
  })
})

test('multi-fields are granted on their own, and become an object without their field', () => {
  assert.deepEqual(shownTo('title').properties, { title: { type: 'text' } })
  assert.deepEqual(shownTo('title', 'title.raw').properties, {
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
  })
  assert.deepEqual(shownTo('title.raw').properties, { title: { properties: { raw: { type: 'keyword' } } } })
})

test('a granted object is shown without fields, and one that is not granted is left out', () => {
  assert.deepEqual(shownTo('empty').properties, { empty: { properties: {} } })
  assert.deepEqual(shownTo('nothing').properties, {})
})
