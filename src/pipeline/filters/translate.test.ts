import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

async function translated(options: string, ...events: Record<string, unknown>[]): Promise<Record<string, unknown>[]> {
  const filtered = await runFilters(`filter { translate { ${options} } }`, events)
  return filtered.map(({ '@timestamp': _time, '@version': _version, ...rest }) => rest)
}

test('parts of a text are all replaced at once, and words are no expressions there', async () => {
  const options =
    'source => "a" target => "b" exact => false dictionary => { "foo" => "bar" "bar" => "baz" "." => "!" }'
  assert.deepEqual(await translated(options, { a: 'foo bar.' }, { a: 'x' }), [
    { a: 'foo bar.', b: 'bar baz!' },
    { a: 'x' },
  ])
})

test('in place there is always success', async () => {
  const options = 'source => "a" target => "a" dictionary => { "1" => "one" } add_tag => ["done"]'
  assert.deepEqual(await translated(options, { a: 1 }, { a: 2 }, { b: 1 }), [
    { a: 'one', tags: ['done'] },
    { a: 2, tags: ['done'] },
    { b: 1 },
  ])
})

test('elements keep their places, those without a word as null', async () => {
  const values = 'iterate_on => "a" source => "a" target => "b" dictionary => { "1" => "one" } add_tag => ["done"]'
  assert.deepEqual(await translated(values, { a: ['0', '1'] }, { a: ['0'] }), [
    { a: ['0', '1'], b: [null, 'one'], tags: ['done'] },
    { a: ['0'], b: [null] },
  ])
})

test('fields inside of elements may be nested, and get the fallback when they are not there', async () => {
  const maps = 'iterate_on => "l" source => "[x][id]" target => "name" dictionary => { "1" => "one" } fallback => "?"'
  assert.deepEqual(await translated(maps, { l: [{ x: { id: 1 } }, { x: { id: 2 }, name: 'old' }, {}] }), [
    { l: [{ x: { id: 1 }, name: 'one' }, { x: { id: 2 }, name: '?' }, { name: '?' }] },
  ])
})

test('an event that changes what it was given does not change the dictionary', async () => {
  const config = `filter {
    translate { source => "a" target => "b" dictionary => { "1" => ["x"] } }
    mutate { add_field => { "b" => "y" } }
  }`
  const [first, second] = await runFilters(config, [{ a: 1 }, { a: 1 }])
  assert.deepEqual(
    [first!['b'], second!['b']],
    [
      ['x', 'y'],
      ['x', 'y'],
    ],
  )
})
