import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

/** The fields that dissect extracts from a message, without the message. */
async function dissected(mapping: string, message: string, options = '', fields: Record<string, unknown> = {}) {
  const config = `filter { dissect { mapping => { "message" => '${mapping}' } ${options} } }`
  const [event] = await runFilters(config, [{ ...fields, message }])
  const { '@timestamp': _time, '@version': _version, message: _message, ...rest } = event!
  return rest
}

test('an appended value follows the existing one, joined by the delimiter before it or a space', async () => {
  assert.deepEqual(await dissected('%{+a} %{a} %{+a} %{b}', 'December 31 1999 x'), { a: '31 December 1999', b: 'x' })
  assert.deepEqual(await dissected('%{+a/2}-%{+a/1}-%{+a/3}', 'x-y-z'), { a: 'y x-z' })
  assert.deepEqual(await dissected('%{a} %{b} %{+a}', 'foo bar baz quux'), { a: 'foo baz quux', b: 'bar' })
  assert.deepEqual(await dissected('%{x},%{+a}', '1,2', '', { a: 'old' }), { a: 'old,2', x: '1' })
})

test('of two adjacent fields without a delimiter the first is empty', async () => {
  assert.deepEqual(await dissected('%{a} %{b}%{c} %{d}', 'foo bar baz'), { a: 'foo', b: '', c: 'bar', d: 'baz' })
  assert.deepEqual(await dissected('%{a} %{b}%{c}', 'foo bar baz'), { a: 'foo', b: '', c: 'bar baz' })
})

test('an indirect field takes its name from another field, and is dropped if that field is missing', async () => {
  assert.deepEqual(await dissected('%{k1}=%{&k1}, %{?k2}=%{&k2}', 'foo=bar, baz=quux'), {
    ...{ k1: 'foo', foo: 'bar', baz: 'quux' },
  })
  assert.deepEqual(await dissected('%{?k1}=%{&k3}', 'foo=bar'), {})
})

test('dissect conversions are exact and report invalid values', async () => {
  const convert = (type: string) => `convert_datatype => { "a" => "${type}" }`
  const cases: [string, string, unknown][] = [
    ['12345678901234567890', 'int', undefined],
    ['1e3', 'int', 1000],
    ['-4.9', 'INT', -4],
    ['4.50', 'float', 4.5],
    ['0x10', 'int', '_dataconversionuncoercible_a_int'],
    ['Infinity', 'float', '_dataconversionuncoercible_a_float'],
  ]
  for (const [text, type, expected] of cases) {
    const { a, tags } = await dissected('%{a}|%{b}', `${text}|`, convert(type))
    if (expected !== undefined) assert.deepEqual((tags as string[] | undefined)?.[0] ?? a, expected, text)
  }
  await assert.rejects(dissected('%{a}', '1', convert('integer')), /a cannot become "integer"; use "int" or "float"/)
  assert.deepEqual((await dissected('%{b}', 'x', convert('int')))['tags'], ['_dataconversionnullvalue_a_int'])
  assert.deepEqual(await dissected('%{b}', 'x', convert('float'), { a: 5 }), { a: 5, b: 'x' })
})

test('empty and contradictory dissect patterns are rejected', async () => {
  await assert.rejects(dissected('', 'x'), /mapping string cannot be empty/)
  await assert.rejects(dissected('%{+&a}', 'x'), /both Append and Indirect Prefix \(\+&\)/)
})

test('dissect takes lists in the form of Ruby, and goes on after a field that does not fit', async () => {
  const config = `filter { dissect {
    mapping => { "list" => '["%{one}", "%{two}"]' "bad" => "%{x}|%{y}" "good" => "%{p}-%{q}" }
    convert_datatype => { "q" => "int" "z" => "int" } } }`
  const [event] = await runFilters(config, [{ list: ['a', 'b'], bad: 'no', good: 'k-7' }])
  const { one, two, p, q, tags } = event!
  assert.deepEqual(
    { one, two, p, q, tags },
    { one: 'a', two: 'b', p: 'k', q: 7, tags: ['_dissectfailure', '_dataconversionnullvalue_z_int'] },
  )
})
