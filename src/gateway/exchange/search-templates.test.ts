import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IncomingRequest } from '../../http/dispatcher.ts'
import { SearchTemplates } from './search-templates.ts'

const asked = (body: string | Buffer, changed: object = {}): IncomingRequest =>
  ({
    method: 'POST',
    uri: '/i/_search',
    headers: {},
    body: Buffer.from(body),
    ...changed,
  }) as unknown as IncomingRequest
const match = (word: string) => `{"query":{"match":{"t":"${word}"}},"size":3}`

function templatesOf(body: string, ...words: string[]): SearchTemplates<string> {
  const templates = new SearchTemplates<string>()
  templates.keep(asked(body), 1, words, 'known')
  return templates
}

test('a search with other words than a kept one is found', () => {
  const templates = templatesOf(match('bird'), 'bird')
  for (const word of ['bird', 'tree', '', 'two words', "it's", 'größe', '鳥', 'x'.repeat(200)])
    assert.equal(templates.find(asked(match(word)), 1), 'known', word)
  const two = templatesOf('{"a":{"t":"x"},"b":{"t":"y"}}', 'y', 'x')
  assert.equal(two.find(asked('{"a":{"t":"1"},"b":{"t":"2"}}'), 1), 'known')
})

test('a search that differs in more than words is not found', () => {
  const templates = templatesOf(match('bird'), 'bird')
  for (const body of [
    match('a"b'),
    match('a\\\\b'),
    match('a\\"b'),
    match('a\nb'),
    match('x'.repeat(201)),
    match('bird').replace('3', '4'),
    `${match('bird')} `,
    match('bird').slice(0, -1),
    match('"},"size":3}'),
    '{"query":{"match":{"t":"bird',
    '',
  ])
    assert.equal(templates.find(asked(body), 1), undefined, body)
  const malformed = Buffer.from(match('?'))
  malformed[malformed.indexOf('?')] = 0xff
  assert.equal(templates.find(asked(malformed), 1), undefined)
  for (const changed of [{ method: 'GET' }, { uri: '/j/_search' }, { headers: { 'content-type': 'application/json' } }])
    assert.equal(templates.find(asked(match('bird'), changed), 1), undefined)
})

test('a search is not kept when the place of a word is not certain', () => {
  // The word is the name of the field, too; an escape may hide one of the places.
  assert.equal(templatesOf('{"match":{"t":"t"}}', 't').find(asked('{"match":{"t":"u"}}'), 1), undefined)
  const escaped = '{"match":{"t":"\\u0074"}}'
  assert.equal(templatesOf(escaped, 't').find(asked(escaped), 1), undefined)
  assert.equal(templatesOf('{"match":{"t":":"}}', ':').find(asked('{"match":{"t":"u"}}'), 1), undefined)
})

test('kept searches are dropped when the metadata changes, and a target keeps the eight that were used last', () => {
  const templates = templatesOf(match('bird'), 'bird')
  assert.equal(templates.find(asked(match('tree')), 2), undefined)
  const sized = (size: number) => `{"match":{"t":"x"},"size":${size}}`
  for (let size = 0; size < 20; size++) templates.keep(asked(sized(size)), 2, ['x'], String(size))
  for (let size = 0; size < 20; size++)
    assert.equal(templates.find(asked(sized(size).replace('x', 'y')), 2), size < 12 ? undefined : String(size))
  templates.clear()
  assert.equal(templates.find(asked(sized(19)), 2), undefined)
})
