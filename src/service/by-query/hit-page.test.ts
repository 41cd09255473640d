import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHitPage } from './hit-page.ts'

const hit = (index: string, id: string, more: object) => ({ _index: index, _id: id, _score: null, ...more, sort: [1] })

test('a page of hits keeps ids, routings and sources as they are in the response', () => {
  const source = { text: 'a "quoted" \\ é\n', list: [[1], { '}': ']' }], n: 12345678901234567890n.toString() }
  const body = {
    _scroll_id: 'abc',
    timed_out: false,
    _shards: { total: 1, failed: 0 },
    hits: {
      total: { value: 3, relation: 'eq' },
      hits: [
        hit('one', 'i"d', { _routing: 'r', _seq_no: 7, _primary_term: 2, _source: source }),
        hit('one', '2', { _version: 3 }),
        hit('two', '3', { _source: {} }),
      ],
    },
  }
  for (const text of [JSON.stringify(body), JSON.stringify(body, undefined, 2)]) {
    const page = readHitPage(Buffer.from(text))
    assert.deepEqual([page.scrollId, page.total, page.count, page.timedOut], ['abc', 3, 3, false])
    assert.deepEqual(page.indices, ['one', 'one', 'two'])
    assert.deepEqual(page.hit(0), { index: 'one', id: 'i"d', routing: 'r', version: undefined })
    assert.deepEqual(page.hit(1), { index: 'one', id: '2', routing: undefined, version: 3 })
    assert.deepEqual(JSON.parse(page.source(0)!.toString()), source)
    assert.equal(page.source(1), undefined)
    assert.equal(page.source(2)!.toString(), '{}')
  }
})

test('a page with more hits than a scroll has by default keeps the values of every hit', () => {
  const hits = Array.from({ length: 1500 }, (_, i) => hit('i', `id-${i}`, { _source: { i } }))
  const page = readHitPage(Buffer.from(JSON.stringify({ hits: { total: 1500, hits } })))
  assert.equal(page.count, 1500)
  for (let i = 0; i < 1500; i++) {
    assert.equal(page.id(i), `id-${i}`)
    assert.equal(page.source(i)!.toString(), `{"i":${i}}`)
    assert.equal(page.routings.start(i), -1)
  }
})

test('a response that ends in the middle is an error', () => {
  const text = JSON.stringify({ hits: { total: 1, hits: [hit('i', '1', { _source: { a: 1 } })] } })
  for (const length of [10, 40, text.length - 12]) {
    assert.throws(() => readHitPage(Buffer.from(text.slice(0, length))), /unexpected shape|JSON/)
  }
})
