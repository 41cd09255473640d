import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

/** The event after grok, without the fields that every event has. */
async function grokked(options: string, fields: Record<string, unknown> | string): Promise<Record<string, unknown>> {
  const [event] = await runFilters(`filter { grok { ${options} } }`, [fields])
  const { '@timestamp': _time, '@version': _version, ...rest } = event!
  return rest
}

test('empty captures that are kept are stored like other captures', async () => {
  const options = 'match => { "m" => "a(%{INT:n:int})?(?<rest>.*)" } keep_empty_captures => true'
  assert.deepEqual(await grokked(options, { m: 'a' }), { m: 'a', n: null, rest: '' })
  assert.deepEqual(await grokked(options, { m: 'a', n: 'old', rest: ['x'] }), {
    ...{ m: 'a', n: ['old', null], rest: ['x', ''] },
  })
})

test("grok matches a value that is not a string in Ruby's text form", async () => {
  for (const [value, text] of [
    [403, '^403$'],
    [12345678.5, '^12345678\\.5$'],
    [true, '^true$'],
    [{ a: ['x', null] }, '^{"a"=>\\["x", nil\\]}$'],
  ] as const) {
    assert.deepEqual(await grokked(`match => { "v" => '${text}' } tag_on_failure => ["no"]`, { v: value }), {
      v: value,
    })
  }
})

test('a capture that cannot be stored is a failure', async () => {
  const options = 'match => { "message" => "%{WORD:[a][b]}" } add_tag => ["ok"]'
  const expected = { message: 'x', a: 1, tags: ['_grokparsefailure'] }
  assert.deepEqual(await grokked(options, { message: 'x', a: 1 }), expected)
})

test('grok matches each element of an array, and one match is enough', async () => {
  const options = 'match => { "m" => ["%{INT:foo}", "%{WORD:bar}"] }'
  assert.deepEqual(await grokked(options, { m: ['hello world', 'line 23'] }), {
    ...{ m: ['hello world', 'line 23'], bar: 'hello', foo: '23' },
  })
  const all = `${options} break_on_match => false`
  assert.deepEqual(await grokked(all, { m: ['hello', 'line 23'] }), {
    ...{ m: ['hello', 'line 23'], bar: ['hello', 'line'], foo: '23' },
  })
})

test('a pattern may be defined inline, and an optional group may not match', async () => {
  assert.deepEqual(await grokked('match => { "message" => "%{FIZZLE=\\d+}" } named_captures_only => false', 'n 1234'), {
    ...{ message: 'n 1234', FIZZLE: '1234' },
  })
  const options = 'match => { "message" => "took (N/A|%{BASE10NUM:ms:float}ms)" }'
  assert.deepEqual(await grokked(options, 'took N/A'), { message: 'took N/A' })
  assert.deepEqual(await grokked(options, 'took 28.4ms'), { message: 'took 28.4ms', ms: 28.4 })
})

/** Exponential in the number of a's. A back reference keeps the matcher from recording failures. */
const ENDLESS = '"^(?:(?<k>a)|aa)+\\k<k>c$"'

test('a match that exceeds its timeout is stopped and its event tagged', async () => {
  const options = `match => { "message" => ${ENDLESS} } timeout_millis => 100`
  assert.deepEqual((await grokked(options, `${'a'.repeat(68)}b`))['tags'], ['_groktimeout'])
})

// Goal: an expression that takes forever delays only its own event.
test('other events continue while an expression takes long', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 5)
  const options = `match => { "message" => ${ENDLESS} } timeout_millis => 400`
  const found = await grokked(options, `${'a'.repeat(68)}b`)
  clearInterval(timer)
  assert.deepEqual(found['tags'], ['_groktimeout'])
  assert.ok(ticks > 5, `${ticks} ticks`)
})

test('a match that takes JavaScript too long is found all the same, with all captures', async () => {
  // Exponential in the number of a's, but it matches eventually.
  const text = `${'a'.repeat(24)}b end`
  const options = 'match => { "message" => "^(?<run>(a+)+)(?:c|b) %{WORD:word}$" }'
  assert.deepEqual(await grokked(options, text), { message: text, run: 'a'.repeat(24), word: 'end' })
})
