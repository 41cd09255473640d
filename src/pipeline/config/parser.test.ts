import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from './config-error.ts'
import { parseConfig } from './parser.ts'
import type { PluginNode } from './syntax-tree.ts'

function firstPlugin(text: string, supportEscapes = false): PluginNode {
  return parseConfig(text, undefined, { supportEscapes })[0]!.body[0] as PluginNode
}

function failure(text: string): string {
  try {
    parseConfig(text, 'a.conf')
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  assert.fail('it parsed')
}

// Goal: the unusual parts of the grammar. Method: texts that Logstash accepts.
test('hash entries need no separator, options need white space, and comments may contain anything', () => {
  const plugin = firstPlugin('filter{ # } " {\nmutate{add_field=>{"a"=>"1""b"=>"2"} add_tag=>["t"]}}')
  assert.deepEqual(
    plugin.attributes.map(({ name }) => name),
    ['add_field', 'add_tag'],
  )
  assert.equal((plugin.attributes[0]!.value as unknown as { entries: unknown[] }).entries.length, 2)
})

test('a backslash in a string is an ordinary character unless escapes are enabled', () => {
  const text = 'filter { mutate { replace => "a\\nb\\"c\\d" } }'
  assert.equal((firstPlugin(text).attributes[0]!.value as { text: string }).text, 'a\\nb\\"c\\d')
  assert.equal((firstPlugin(text, true).attributes[0]!.value as { text: string }).text, 'a\nb"c\\d')
})

test('a value may be a plugin, and a single bracketed element in a condition is a field', () => {
  const codec = firstPlugin('input { stdin { codec => json { charset => "UTF-8" } } }').attributes[0]!.value
  assert.equal(codec.type, 'plugin')
  const [section] = parseConfig('filter { if [a] in ["x"] { drop { } } }')
  const branch = section!.body[0] as unknown as { arms: { condition: { right: { type: string } } }[] }
  assert.equal(branch.arms[0]!.condition.right.type, 'selector')
})

// Goal: an error points to where the author has to look. Method: the furthest position reached, as line and column.
test('a syntax error reports the furthest position, with the line and a caret', () => {
  const cases: [string, number, number][] = [
    ['filter { mutate { add_tag => [ "a" "b" ] } }', 1, 36],
    ['filter { mutate { add_tag = [ "a" ] } }', 1, 27],
    ['filter { mutate { add_tag => x } }', 1, 32],
    ['filter { if [a] = 1 { drop { } } }', 1, 17],
    ['filters { }', 1, 7],
    ['filter {\n  mutate {\n    add_tag => [ "a" "b" ]\n  }\n}', 3, 22],
    ['filter { if message == "a" { drop { } } }', 1, 21],
  ]
  for (const [text, line, column] of cases) {
    const message = failure(text)
    assert.match(message, /^Expected one of /)
    assert.ok(message.includes(`at line ${line}, column ${column} (byte`), `${text}: ${message}`)
    assert.ok(message.includes(`--> a.conf:${line}:${column}`), message)
  }
  assert.match(failure('filter { drop { } } }'), /1 \| filter \{ drop \{ \} \} \}\n\s+\|\s{21}\^/)
})

test('a common mistake is reported with the probably intended spelling', () => {
  const cases: [string, string][] = [
    ['filter { mutate { add_tag = [ "a" ] } }', 'values are given with an arrow: add_tag => …'],
    ['filter { mutate { add_tag: "a" } }', 'values are given with an arrow: add_tag => …'],
    ['filter { grok { match => { "message", "x" } } }', 'values are given with an arrow: "message" => …'],
    ['filter { if [a] = 1 { drop { } } }', 'did you mean ==?'],
    ['filter { if [a] == 1 && [b] { drop { } } }', 'did you mean and?'],
    ['filter { if message == "a" { drop { } } }', 'fields are written in brackets: [message]'],
    ['filter { mutate { add_tag => [ "a" "b" ] } }', 'the elements of an array need a comma between them'],
    ['filter { mutate { add_tag => "a", id => "b" } }', 'options are separated by blanks or new lines, not by commas'],
    ['filter { mutate { add_tag => x } }', 'a text of one character needs quotes: "x"'],
    ['filters { }', 'did you mean filter?'],
    ['filtre { }', 'did you mean filter?'],
    ['filter { if a == 1 { drop { } } }', 'fields are written in brackets: [a]'],
    ['filter { if [a == 1 { drop { } } }', 'the [ of this field is not closed: [a]'],
    ['filter { if [a] { drop { } } elsif [b] { drop { } } }', 'did you mean else if?'],
    ['filter { mutate { add_tag => ["a", ] } }', 'no comma follows the last element of an array'],
    ['filter {\n  mutate { # }\n', 'the { of line 2 is not closed'],
    ['filter { mutate { id => "a } }', 'the " of this text is not closed'],
  ]
  for (const [text, hint] of cases) assert.ok(failure(text).endsWith(`\n  ${hint}`), `${text}: ${failure(text)}`)
})
