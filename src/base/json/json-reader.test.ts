import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { END, END_ARRAY, END_OBJECT, INTEGER, JsonReader } from './json-reader.ts'
import { JsonSyntaxError } from './json-syntax-error.ts'
import { encodeJson } from './json-writer.ts'

function read(json: string | Uint8Array): unknown {
  const reader = new JsonReader().reset(Buffer.from(json as string))
  reader.next()
  const value = reader.value()
  assert.equal(reader.next(), END)
  return value
}

// Goal: JSON written by any encoder is parsed to its value. Method: random values through JSON.stringify, compact and
// indented.
test('JSON.stringify output parses back to its value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.deepEqual(asNumbers(read(text)), JSON.parse(text))
    }),
  )
})

// Goal: our writer and reader agree, including bigints and characters of all planes.
test('output of the JSON writer parses back to its value', () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }),
    fc.boolean(),
    fc.constant(null),
  )
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('any')), fc.dictionary(fc.string(), tie('any'))),
  })).any
  fc.assert(fc.property(value, (tree) => assert.deepEqual(read(encodeJson(tree)), normalize(tree))))
})

// Goal: damaged input never hangs or crashes the reader, and a failed parse leaves the bytes unchanged. Method: valid
// texts with random bytes inserted, removed or cut off.
test('damaged input yields a syntax error or a value, and the bytes are restored', () => {
  const damage = fc.record({ at: fc.nat(), remove: fc.nat(3), insert: fc.uint8Array({ maxLength: 3 }) })
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(damage, { maxLength: 4 }), (value, damages) => {
      let bytes = Buffer.from(JSON.stringify(value))
      for (const { at, remove, insert } of damages) {
        const place = at % (bytes.length + 1)
        bytes = Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + remove)])
      }
      const copy = Buffer.from(bytes)
      const reader = new JsonReader().reset(copy)
      try {
        let tokens = 0
        while (reader.next() !== END) assert.ok(++tokens <= bytes.length)
        reader.restore()
      } catch (error) {
        assert.ok(error instanceof JsonSyntaxError, String(error))
      }
      assert.deepEqual(copy, bytes)
    }),
  )
})

test('restore reverts the bytes that unescaping changed', () => {
  const text = '{"a\\n":"x\\u00e9\\ud83d\\ude00\\\\","b":["\\"",""]}'
  const bytes = Buffer.from(text)
  const reader = new JsonReader().reset(bytes)
  reader.next()
  assert.deepEqual(reader.value(), JSON.parse(text))
  assert.notEqual(bytes.toString(), text)
  reader.restore()
  assert.equal(bytes.toString(), text)
})

test('a byte order mark and comments are skipped', () => {
  assert.deepEqual(read('\ufeff{"a": /* one */ 1, // and\n "b":2}'), { a: 1, b: 2 })
})

test('integers beyond 2^53 keep their digits', () => {
  assert.deepEqual(read('[9007199254740993,-9223372036854775808,18446744073709551615]'), [
    9007199254740993n,
    -9223372036854775808n,
    18446744073709551615n,
  ])
})

test('a member named __proto__ is an ordinary member', () => {
  const value = read('{"__proto__":{"x":1}}') as Record<string, unknown>
  assert.deepEqual(Object.keys(value), ['__proto__'])
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})

// Goal: duplicate detection stays fast and correct in an object with very many members.
test('a duplicate member is found among many members', () => {
  const members = Array.from({ length: 20_000 }, (_, i) => `"n${i}":0`)
  assert.equal(Object.keys(read(`{${members.join(',')}}`) as object).length, 20_000)
  assert.throws(() => read(`{${members.join(',')},"n19999":1}`), /Duplicate field 'n19999'/)
  assert.throws(() => read('{"a":1,"\\u0061":2}'), /Duplicate field 'a'/)
})

test('several root values may follow one another', () => {
  const reader = new JsonReader().reset(Buffer.from('{"a":1} {"b":2}'))
  reader.next()
  assert.deepEqual(reader.value(), { a: 1 })
  reader.next()
  assert.deepEqual(reader.value(), { b: 2 })
})

/** Converts the bigints of our reader to the doubles that JSON.parse returns. */
function asNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(asNumbers)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asNumbers(member)]))
}

function normalize(value: unknown): unknown {
  if (typeof value === 'number') return Object.is(value, -0) ? 0 : value
  if (Array.isArray(value)) return value.map(normalize)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalize(member)]))
}

test('a checked object or array is skipped to its end, whatever its strings, brackets and comments are', () => {
  const long = 'x'.repeat(100)
  const values: unknown[] = [{}, [], { a: 1 }, [[], [{}]], { a: '}', b: ['"', '\\', '\\"'], ']': { é: '😀' } }]
  for (const end of ['', '"', '\\', '\\"', '"\\', '}', '\\\\'])
    for (let length = 25; length < 40; length++)
      values.push({ a: `${long.slice(0, length)}${end}`, b: [`${long}${end}`] })
  for (const value of values)
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const bytes = Buffer.from(`[${text},7]`)
      const reader = new JsonReader()
      reader.reset(bytes)
      reader.next()
      reader.next()
      reader.skipChecked()
      assert.equal(bytes.toString('utf8', 1, reader.end), text)
      assert.deepEqual([reader.next(), reader.next(), reader.next()], [INTEGER, END_ARRAY, END])
      assert.equal(bytes.toString(), `[${text},7]`)
    }
  const commented = new JsonReader().reset(Buffer.from('{"a":1 /* } */,"b":2}'))
  commented.next()
  commented.skipChecked()
  assert.equal(commented.token, END_OBJECT)
  assert.equal(commented.next(), END)
})
