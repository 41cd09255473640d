import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bulkDocuments } from './bulk-errors.ts'
import { hidePointNulls, pointsOf, showPointNulls } from './point-nulls.ts'

const POINTS = pointsOf({
  properties: {
    at: { type: 'geo_point' },
    items: { type: 'nested', properties: { at: { type: 'geo_point' } } },
    known: { type: 'geo_point', null_value: '0,0' },
  },
})

function hidden(text: string): string {
  const bytes = Buffer.from(text)
  hidePointNulls(bytes, POINTS)
  return bytes.toString()
}

test('nulls within lists of points are sent as white space and shown again in answers', () => {
  const lists = [
    '[null]',
    '["1,2",null]',
    '[null,"1,2"]',
    '[null,null,"1,2",null]',
    '[null,null]',
    '[[1,2],null]',
    '[{"lat":1,"lon":2},null,"3,4"]',
  ]
  for (const list of lists) {
    const text = `{"x":[null],"at":${list},"items":[{"at":${list}}]}`
    const sent = hidden(text)
    assert.equal(sent.length, text.length)
    const expected = JSON.parse(text) as { at: unknown[]; items: { at: unknown[] }[] }
    expected.at = expected.at.filter((point) => point !== null)
    expected.items[0]!.at = expected.at
    assert.deepEqual(JSON.parse(sent), expected)
    assert.equal(
      showPointNulls(Buffer.from(`{"hits":[{"_source":${sent}}]}`)).toString(),
      `{"hits":[{"_source":${text}}]}`,
    )
  }
})

test('white space around a hidden null is kept as spaces', () => {
  const sent = hidden('{"at":["1,2" , null ]}')
  assert.deepEqual(JSON.parse(sent), { at: ['1,2'] })
  assert.equal(showPointNulls(Buffer.from(sent)).toString(), '{"at":["1,2" ,null  ]}')
})

test('other nulls, a point of numbers, fields with a null_value and texts that are not JSON stay as they are', () => {
  for (const text of [
    '{"at":null,"x":["a",null]}',
    '{"at":[1,null]}',
    '{"known":["1,2",null]}',
    '{"at":["1,2",null]',
    '[null,1]',
  ])
    assert.equal(hidden(text), text)
  const answer = Buffer.from('{"a":\t1}')
  assert.equal(showPointNulls(answer), answer)
})

test('the documents of a bulk request come with the index of their action; updates and deletes are left out', () => {
  const lines = [
    '{"index":{"_index":"a"}}',
    '{"n":1}',
    '{"delete":{"_id":"1"}}',
    '{"update":{"_id":"1"}}',
    '{"doc":{}}',
    '',
    '{"create":{}}',
    '{"n":2}',
    '',
  ]
  const found = [...bulkDocuments(Buffer.from(lines.join('\n')))].map(({ index, document }) => [
    index,
    document.toString(),
  ])
  assert.deepEqual(found, [
    ['a', '{"n":1}\n'],
    [undefined, '{"n":2}\n'],
  ])
})
