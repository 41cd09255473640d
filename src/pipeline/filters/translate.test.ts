import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

async function translated(options: string, ...events: Record<string, unknown>[]): Promise<Record<string, unknown>[]> {
  const filtered = await runFilters(`filter { translate { ${options} } }`, events)
  return filtered.map(({ '@timestamp': _time, '@version': _version, ...rest }) => rest)
}

test('without exact all occurrences in a text are replaced at once, and keys are not expressions', async () => {
  const options =
    'source => "a" target => "b" exact => false dictionary => { "foo" => "bar" "bar" => "baz" "." => "!" }'
  assert.deepEqual(await translated(options, { a: 'foo bar.' }, { a: 'x' }), [
    { a: 'foo bar.', b: 'bar baz!' },
    { a: 'x' },
  ])
})

test('translate in place always succeeds', async () => {
  const options = 'source => "a" target => "a" dictionary => { "1" => "one" } add_tag => ["done"]'
  assert.deepEqual(await translated(options, { a: 1 }, { a: 2 }, { b: 1 }), [
    { a: 'one', tags: ['done'] },
    { a: 2, tags: ['done'] },
    { b: 1 },
  ])
})

test('iterate_on keeps the positions of elements, with null for those without a translation', async () => {
  const values = 'iterate_on => "a" source => "a" target => "b" dictionary => { "1" => "one" } add_tag => ["done"]'
  assert.deepEqual(await translated(values, { a: ['0', '1'] }, { a: ['0'] }), [
    { a: ['0', '1'], b: [null, 'one'], tags: ['done'] },
    { a: ['0'], b: [null] },
  ])
})

test('iterate_on accepts nested fields and uses the fallback where a field is missing', async () => {
  const maps = 'iterate_on => "l" source => "[x][id]" target => "name" dictionary => { "1" => "one" } fallback => "?"'
  assert.deepEqual(await translated(maps, { l: [{ x: { id: 1 } }, { x: { id: 2 }, name: 'old' }, {}] }), [
    { l: [{ x: { id: 1 }, name: 'one' }, { x: { id: 2 }, name: '?' }, { name: '?' }] },
  ])
})

test('changing a translated value in an event does not change the dictionary', async () => {
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

test('a dictionary file may be empty or have a word twice, whose last meaning counts', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-dictionary-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return `source => "a" target => "b" fallback => "none" dictionary_path => "${join(folder, name)}"`
  }
  assert.deepEqual(await translated(write('twice.yml', 'x: one\nx: two\n'), { a: 'x' }), [{ a: 'x', b: 'two' }])
  for (const name of ['empty.yml', 'empty.json', 'empty.csv']) {
    assert.deepEqual(await translated(write(name, ''), { a: 'x' }), [{ a: 'x', b: 'none' }], name)
  }
  assert.deepEqual(await translated(write('only.yml', '# a comment\n'), { a: 'x' }), [{ a: 'x', b: 'none' }])
  const limited = `${write('d.json', '{}')} yaml_dictionary_code_point_limit => 5`
  await assert.rejects(translated(limited), /is for YAML only/)
  await assert.rejects(translated(write('list.yml', '- a\n')), /holds no dictionary/)
})
