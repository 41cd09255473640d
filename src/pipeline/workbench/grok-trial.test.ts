import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tryGrok } from './grok-trial.ts'

const BASE = { definitions: {}, ecs: false }

test('a trial reports the characters that each piece of a pattern matches', () => {
  const line = '192.0.2.7 GET /x'
  const { pieces, lines } = tryGrok({ ...BASE, pattern: '%{IP:client} %{WORD:verb} %{URIPATH:path}', lines: [line] })
  assert.deepEqual(pieces, ['%{IP:client}', ' ', '%{WORD:verb}', ' ', '%{URIPATH:path}'])
  assert.equal(lines[0]!.matched, true)
  assert.deepEqual(
    lines[0]!.pieces.map(([from, to]) => line.slice(from, to)),
    ['192.0.2.7', ' ', 'GET', ' ', '/x'],
  )
  assert.deepEqual(
    lines[0]!.fields.map(({ field, text }) => `${field}=${text}`),
    ['client=192.0.2.7', 'verb=GET', 'path=/x'],
  )
})

test('a line that does not match is reported with the position and the expected pattern', () => {
  const { lines } = tryGrok({ ...BASE, pattern: '%{IP:client} \\[%{WORD:verb}\\]', lines: ['192.0.2.7 GET'] })
  assert.equal(lines[0]!.matched, false)
  assert.equal(lines[0]!.stop?.at, 9)
  assert.equal(lines[0]!.pieces.length, 1)
})

test('a pattern that would match more lines is suggested with its count', () => {
  const { suggestion } = tryGrok({
    ...BASE,
    pattern: '%{IP:client} %{NUMBER:status}',
    lines: ['192.0.2.7 200', '192.0.2.7 -'],
  })
  assert.equal(suggestion?.matches, 2)
  assert.match(suggestion?.pattern ?? '', /%\{IP:client\}/)
})

test('a single named pattern is expanded into its pieces', () => {
  const { pieces } = tryGrok({ ...BASE, pattern: '%{COMBINEDAPACHELOG}', lines: [] })
  assert.ok(pieces.length > 3, pieces.join('|'))
})

test('a pattern that cannot be compiled is reported as an error, without results', () => {
  const { error, lines } = tryGrok({ ...BASE, pattern: '%{NOSUCH:x}', lines: ['a'] })
  assert.match(error ?? '', /NOSUCH/)
  assert.deepEqual(lines, [])
})

test('definitions of the user override the stock patterns', () => {
  const { lines } = tryGrok({ pattern: '%{THING:x}', lines: ['abc'], definitions: { THING: 'b.' }, ecs: false })
  assert.deepEqual(lines[0]!.fields, [{ field: 'x', text: 'bc' }])
})
