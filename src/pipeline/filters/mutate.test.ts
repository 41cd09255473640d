import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterEvents, runFilters } from '../dry-run/run-filters.ts'

/** The event after mutate, without the fields that every event has. */
async function mutated(steps: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  const [event] = await runFilters(`filter { mutate { ${steps} } }`, [fields])
  const { '@timestamp': _time, '@version': _version, ...rest } = event!
  return rest
}

test('merge creates arrays, even from a missing or single value, and merges objects only with objects', async () => {
  const merge = 'merge => { "to" => "from" }'
  assert.deepEqual(await mutated(merge, { from: 'x' }), { from: 'x', to: ['x'] })
  assert.deepEqual(await mutated(merge, { to: 'y' }), { to: ['y'] })
  assert.deepEqual(await mutated(merge, { to: [1], from: [[2], null] }), { to: [1, [2], null], from: [[2], null] })
  assert.deepEqual(await mutated(merge, { from: { a: 1 } }), { from: { a: 1 } })
  assert.deepEqual(await mutated(merge, { to: { a: 1 }, from: { b: 2 } }), { to: { a: 1, b: 2 }, from: { b: 2 } })
})

test('mutate expands templates in the names of rename only, and does not copy null', async () => {
  const fields = { a: 'b', b: 1, n: null }
  assert.deepEqual(await mutated('replace => { "%{a}" => "x" }', fields), { ...fields, '%{a}': 'x' })
  assert.deepEqual(await mutated('update => { "%{a}" => "x" }', fields), fields)
  assert.deepEqual(await mutated('copy => { "n" => "m" "%{a}" => "c" }', fields), fields)
  assert.deepEqual(await mutated('rename => { "%{a}" => "was_%{a}" }', fields), { a: 'b', n: null, was_b: 1 })
})

test("mutate converts numbers to strings in Ruby's form", async () => {
  const fields = { a: 12345678.5, b: 1e-7, c: [0.5, null], d: [[1.5, 'x'], null, 2] }
  assert.deepEqual(await mutated('convert => { "a" => "string" "b" => "string" "c" => "string" }', fields), {
    ...{ a: '12345678.5', b: '1.0e-07', c: ['0.5', null], d: fields.d },
  })
  assert.deepEqual((await mutated('join => { "d" => "-" }', fields))['d'], '1.5-x--2')
})

test('mutate converts a timestamp to its seconds', async () => {
  const config =
    'filter { date { match => ["t", "ISO8601"] target => "s" } mutate { convert => { "s" => "integer" } } }'
  const [event] = await filterEvents(config, [{ t: '2024-03-05T06:07:08.900Z' }])
  assert.equal(event!.get('s'), 1709618828)
})

test('strip and conversions treat only ASCII characters as white space', async () => {
  assert.equal((await mutated('strip => ["a"]', { a: '\t\u00a0x\u00a0\0\n' }))['a'], '\u00a0x\u00a0')
  assert.deepEqual(await mutated('strip => ["a"]', { a: ['x ', 5] }), { a: ['x ', 5], tags: ['_mutate_error'] })
  assert.deepEqual((await mutated('convert => { "a" => "integer" }', { a: '\u00a05' }))['tags'], ['_mutate_error'])
})

test('split with a space splits at runs of white space, and with an empty separator at every character', async () => {
  assert.deepEqual((await mutated('split => { "a" => " " }', { a: ' x\t\ny ' }))['a'], ['x', 'y'])
  assert.deepEqual((await mutated('split => { "a" => "" }', { a: 'a😀b' }))['a'], ['a', '😀', 'b'])
})

test('an operation or common option that fails tags the event', async () => {
  const failures: [string, Record<string, unknown>][] = [
    ['add_field => { "[a][b]" => "x" } add_tag => ["ok"]', { a: 1 }],
    ['rename => { "a" => "%{n}" }', { a: 1, n: '[x' }],
    ['replace => { "@timestamp" => "2024-01-01T00:00:00Z" }', {}],
    ['gsub => ["a", "%{n}", ""]', { a: 'x', n: '(' }],
    ['replace => { "tags" => "x" } rename => { "o" => "tags" }', { o: { a: 1 } }],
  ]
  for (const [steps, fields] of failures) {
    const tags = (await mutated(steps, fields))['tags']
    assert.ok([tags].flat().includes('_mutate_error'), steps)
    assert.ok(![tags].flat().includes('ok'), steps)
  }
})

test('a hash where a string is required is rejected at startup', async () => {
  await assert.rejects(mutated('replace => { "a" => { "b" => "c" } }', {}), /a text is expected here/)
})
