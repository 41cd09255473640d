import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExactNumber, parseJson, textOf, writeJson } from './lossless-json.ts'

test('numbers that a double cannot represent keep their text', () => {
  const value = parseJson('{"seq":90071992547409931,"small":1,"scaled":1.0,"list":[-12345678901234567890,1e400,0.1]}')
  assert.deepEqual(value, {
    seq: new ExactNumber('90071992547409931'),
    small: 1,
    scaled: new ExactNumber('1.0'),
    list: [new ExactNumber('-12345678901234567890'), new ExactNumber('1e400'), 0.1],
  })
  assert.equal(
    writeJson(value),
    '{"seq":90071992547409931,"small":1,"scaled":1.0,"list":[-12345678901234567890,1e400,0.1]}',
  )
})

test('strings with escapes, long digits and brackets are parsed as by JSON.parse', () => {
  const text = '{"a\\"b":"1234567890123456789 ] } \\\\ \\u00e9","n":null,"t":[true,false,[],{}]}'
  assert.deepEqual(parseJson(text), JSON.parse(text))
})

test('a member named __proto__ is an ordinary member', () => {
  const value = parseJson('{"__proto__":{"x":12345678901234567890}}') as object
  assert.deepEqual(Object.keys(value), ['__proto__'])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
})

test('text that is not JSON is an error in both parsers', () => {
  for (const text of [
    '{',
    '[1,]',
    '{"a":12345678901234567890,}',
    '[12345678901234567890] x',
    '"1234567890123456789',
    '',
  ])
    assert.throws(() => parseJson(text), SyntaxError, text)
})

test('indented output equals that of JSON.stringify', () => {
  const value = { a: [1, { b: 'x' }], c: {}, d: [] }
  assert.equal(writeJson(value, 2), JSON.stringify(value, null, 2))
  assert.equal(textOf(new ExactNumber('1.50')), '1.50')
  assert.equal(textOf('x'), 'x')
})
