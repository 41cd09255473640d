import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_ENTRY, EMPTY_ROLE, entryLine, roleBody, roleFormOf } from './role-form.ts'

const LIMITED = {
  names: ['orders'],
  privileges: ['read'],
  field_security: { grant: ['*'], except: ['card.*'] },
  query: '{"term":{"sales":"ann"}}',
}

test('a role with limits, read into the dialog and sent again, is the same role', () => {
  const role = {
    cluster: ['monitor'],
    indices: [LIMITED],
    run_as: ['bob'],
    applications: [],
    metadata: { team: 'sales' },
    description: 'sales people',
  }
  assert.deepEqual(roleBody(roleFormOf(role), role), {
    ...role,
    indices: [{ ...LIMITED, query: { term: { sales: 'ann' } } }],
  })
})

test('an entry without names and privileges is not sent', () => {
  assert.deepEqual(roleBody(EMPTY_ROLE), { cluster: [], indices: [] })
})

test('an exception without granted fields grants all others', () => {
  const entry = { ...EMPTY_ENTRY, names: ['a'], privileges: ['read'], except: ['secret'] }
  assert.deepEqual(roleBody({ ...EMPTY_ROLE, entries: [entry] })['indices'], [
    { names: ['a'], privileges: ['read'], field_security: { grant: ['*'], except: ['secret'] } },
  ])
})

test('a query that is not JSON is an error that names the indices', () => {
  const entry = { ...EMPTY_ENTRY, names: ['logs-*'], privileges: ['read'], query: '{"term"' }
  assert.throws(() => roleBody({ ...EMPTY_ROLE, entries: [entry] }), /The query for logs-\* is not JSON/)
})

test('an entry in one line names privileges, indices, fields and that documents are limited', () => {
  assert.equal(entryLine(LIMITED), 'read on orders · fields * without card.* · some documents')
  assert.equal(entryLine({ names: ['a', 'b'], privileges: ['all'] }), 'all on a, b')
})
