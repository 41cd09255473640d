import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../testing/index.ts'

type Structure = 'inverted_index' | 'stored_fields' | 'doc_values' | 'points' | 'norms'
type Usage = { total_in_bytes: number; inverted_index: { total_in_bytes: number } } & Record<string, unknown>

let search: TestSearch
let usage: { store_size_in_bytes: number; all_fields: Usage; fields: Record<string, Usage> }
before(async () => {
  search = await startSearch({ listen: false })
  await search.request('PUT', '/one', {
    mappings: { properties: { t: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } } },
  })
  for (let n = 0; n < 10; n++) {
    await search.request('PUT', `/one/_doc/${n}`, { t: `some text ${n}`, k: `key ${n}`, n: n * n })
  }
  usage = (await search.request('POST', '/one/_disk_usage?run_expensive_tasks=true')).body.one
})
after(() => search.stop())

const bytes = (field: string, structure: Structure) =>
  structure === 'inverted_index'
    ? usage.fields[field]!.inverted_index.total_in_bytes
    : (usage.fields[field]![`${structure}_in_bytes`] as number)

test('a field has bytes for the structures of its type and for no others', () => {
  const structures: Structure[] = ['inverted_index', 'doc_values', 'points', 'norms']
  const used = (field: string) => structures.filter((structure) => bytes(field, structure) > 0)
  assert.deepEqual(used('t'), ['inverted_index', 'norms'])
  assert.deepEqual(used('k'), ['inverted_index', 'doc_values'])
  assert.deepEqual(used('n'), ['doc_values', 'points'])
  assert.ok(bytes('_source', 'stored_fields') > 0)
})

test('the bytes of all fields are the sum of the fields, and at most those of the files', () => {
  const sum = Object.values(usage.fields).reduce((total, field) => total + field.total_in_bytes, 0)
  assert.equal(usage.all_fields.total_in_bytes, sum)
  assert.ok(sum <= usage.store_size_in_bytes, `${sum} of ${usage.store_size_in_bytes}`)
})
