import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Event, FieldWriteError } from './event.ts'
import { fieldReference, InvalidFieldReferenceError } from './field-reference.ts'
import { type Fields, type FieldValue, namesOf, sameValue, toFieldValue } from './fields.ts'
import { objectText, parseJson } from './json-text.ts'
import { rubyText } from './ruby-text.ts'
import { Timestamp } from './timestamp.ts'

const NOW = new Timestamp(Date.UTC(2024, 2, 5, 6, 7, 8, 9))

function eventOf(fields: Record<string, unknown>): Event {
  return Event.ofFields(toFieldValue(fields) as Fields, NOW)
}

test('a reference descends into objects and arrays, but never into a prototype', () => {
  const event = eventOf({ a: { b: ['x', 'y'] }, 'a.b': 1 })
  assert.equal(event.get('[a][b][-1]'), 'y')
  assert.equal(event.get('a.b'), 1)
  assert.equal(event.get('[[a][b]]'), event.get('[a][b]'))
  for (const name of ['constructor', '__proto__', '[a][toString]']) assert.equal(event.get(name), undefined)
  event.set('[__proto__][x]', 'mine')
  assert.equal(event.get('[__proto__][x]'), 'mine')
  assert.equal(({} as { x?: unknown }).x, undefined)
})

test('writing through a scalar fails, and malformed references are rejected', () => {
  assert.throws(() => eventOf({ a: 1 }).set('[a][b]', 1), FieldWriteError)
  for (const text of ['[a', 'a]', 'a[b]', '[a]b', '[]', '[a][]', '']) {
    assert.throws(() => fieldReference(text), InvalidFieldReferenceError, text)
  }
})

test('an unreadable decoded timestamp or tags value is kept in a field of its own', () => {
  const bad = eventOf({ '@timestamp': 'yesterday', tags: { a: 1 } })
  assert.equal(bad.get('@timestamp'), NOW)
  assert.equal(bad.get('_@timestamp'), 'yesterday')
  assert.deepEqual(bad.get('tags'), ['_tagsparsefailure', '_timestampparsefailure'])
  const good = eventOf({ '@timestamp': '2024-03-05T06:07:08.123456+02:00', '@metadata': { m: 1 } })
  assert.equal(String(good.get('@timestamp')), '2024-03-05T04:07:08.123456Z')
  assert.equal(good.get('[@metadata][m]'), 1)
  assert.ok(!objectText(good.fields).includes('metadata'))
})

test('templates print values as Logstash does', () => {
  const fields =
    '{"f":100.0,"e":1e20,"t":1.0e-7,"l":[1,["x",null],{"b":1}],"o":{"b":[1]},"n":null,"i":12345678901234567890}'
  const event = Event.ofFields(parseJson(fields) as Fields, NOW)
  const cases: [string, string][] = [
    ['%{f} %{e} %{t}', '100.0 1.0E20 1.0E-7'],
    ['%{l}', '1,x,,{b=1}'],
    ['%{o} %{n} %{nope} %{i}', '{"b":[1]} %{n} %{nope} 12345678901234567890'],
    ['%{+yyyy.MM.dd} %{+EEE D hh a} %{+%s}', '2024.03.05 Tue 65 06 AM 1709618828'],
    ["%{{YYYY-'W'ww}} 100% {a} %{unclosed", '2024-W10 100% {a} %{unclosed'],
  ]
  for (const [template, expected] of cases) assert.equal(event.expand(template), expected)
})

// Goal: decoding and encoding JSON preserves every number. Method: random documents, decoded and encoded twice.
test('a decoded JSON document encodes to the same JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
      const text = JSON.stringify(document)
      const fields = parseJson(text) as Fields
      assert.deepEqual(JSON.parse(objectText(fields)), JSON.parse(text))
      assert.equal(objectText(parseJson(objectText(fields)) as Fields), objectText(fields))
    }),
  )
  const kinds = '{"a":100.0,"b":[1,2.5,9007199254740993],"c":"1.0"}'
  assert.equal(objectText(parseJson(kinds) as Fields), kinds)
})

test('a clone shares no mutable value with the original', () => {
  const event = eventOf({ a: { b: [1] }, '@metadata': { m: { n: 1 } } })
  const copy = event.clone()
  copy.set('[a][b][0]', 2)
  copy.set('[@metadata][m][n]', 2)
  assert.deepEqual([event.get('[a][b][0]'), event.get('[@metadata][m][n]')], [1, 1])
})

// Goal: the fast JSON parser is used only where it gives the same result. Method: a leading whole float forces the
// careful parser; both are compared on numbers of every kind and spacing.
test('numbers keep their kind anywhere in a JSON text', () => {
  const number = fc.oneof(
    fc.constantFrom(
      '1.0',
      '-1.00',
      '1e3',
      '1.5E-2',
      '12345678901234567890',
      '0.1',
      '5',
      '-7',
      '100.05',
      '9007199254740993',
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  )
  const blank = fc.constantFrom('', ' ', '\n  ', '\t')
  const text = fc
    .constantFrom('a', '10.0.0.1', 'rv:121.0) x', 'n: 1.0, y', '[5.0]', ' 1e5')
    .map((value) => JSON.stringify(value))
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, number, text, tie('array'), tie('object')),
    array: fc
      .tuple(fc.array(tie('value')), blank)
      .map(([items, space]) => `[${space}${items.join(`${space},${space}`)}${space}]`),
    object: fc
      .tuple(fc.uniqueArray(fc.tuple(text, tie('value')), { selector: ([name]) => name }), blank)
      .map(
        ([members, space]) =>
          `{${members.map(([name, item]) => `${space}${name}${space}:${space}${item}`).join(',')}${space}}`,
      ),
  }))
  fc.assert(
    fc.property(value, blank, (json, space) => {
      const [, careful] = parseJson(`[1.0,${json}]`) as FieldValue[]
      assert.deepEqual(parseJson(`${space}${json}${space}`), careful)
    }),
    { numRuns: 500 },
  )
})

test('writing past the end of an array extends it, and writing a name to it does nothing', () => {
  const event = eventOf({ a: ['x'] })
  event.set('[a][3]', 'y')
  event.set('[a][name]', 'z')
  event.set('[a][-4]', 'w')
  assert.deepEqual(event.get('a'), ['w', null, null, 'y'])
  assert.throws(() => event.set('[a][-9]', 'z'), FieldWriteError)
  assert.throws(() => event.set('[a][999999999]', 'z'), FieldWriteError)
})

test('setDefault does not override decoded data, even where a scalar is in the way', () => {
  const event = eventOf({ host: 'web', path: 'p' })
  for (const name of ['[host][name]', 'path', 'type']) event.setDefault(name, 'input')
  assert.deepEqual([event.get('host'), event.get('path'), event.get('type')], ['web', 'p', 'input'])
})

test('adding a tag turns a single string into a list without duplicates', () => {
  const event = eventOf({ tags: 'a' })
  event.tag('a')
  assert.deepEqual(event.get('tags'), ['a'])
  for (const [tags, left] of [
    ['b', ['b']],
    ['a', []],
    [['a', 'b', 'a'], ['b']],
    [undefined, undefined],
  ]) {
    const tagged = eventOf(tags === undefined ? {} : { tags })
    tagged.removeTag('a')
    assert.deepEqual(tagged.get('tags'), left)
  }
})

test('unbalanced braces do not affect the references after them', () => {
  const event = eventOf({ b: 'B', '{a': 'A' })
  assert.equal(event.expand('%{{x} %{b} %{{a}.'), '%{{x} B A.')
  assert.equal(event.expand('%{{yyyy}}}'), '2024}')
})

test('a removed field is invisible to every accessor', () => {
  const event = eventOf({ a: 1, o: { b: 1, c: [{ d: 1, e: 2 }] } })
  for (const name of ['a', '[o][b]', '[o][c][0][d]', 'nope', '@version']) event.remove(name)
  const left = eventOf({ o: { c: [{ e: 2 }] } })
  left.remove('@version')
  assert.equal(objectText(event.fields), objectText(left.fields))
  assert.ok(sameValue(event.fields, left.fields))
  assert.equal(event.expand('%{o} %{[o][c]} %{a}'), '{"c":[{"e":2}]} {e=2} %{a}')
  assert.deepEqual(namesOf(event.clone().fields), namesOf(left.fields))
  assert.equal(rubyText(event.get('o')!), '{"c"=>[{"e"=>2}]}')
  event.set('a', 3)
  assert.equal(event.get('a'), 3)
})

test('java.time patterns print every part of a time', () => {
  const event = eventOf({})
  const cases: [string, string][] = [
    ['uuuu-MM-dd HH:mm:ss.SSS', '2024-03-05 06:07:08.009'],
    ['yy M d H h k K m s a', '24 3 5 6 6 6 6 7 8 AM'],
    ['EEEE EEE e D Q QQQ MMMM', 'Tuesday Tue 3 65 1 Q1 March'],
    ['n A N', '9000000 22028009 22028009000000'],
    ['X x xx xxx Z ZZZZ ZZZZZ O VV z', 'Z +00 +0000 +00:00 +0000 GMT Z GMT Z Z'],
    ["'at' h ''a''", "at 6 'AM'"],
  ]
  for (const [pattern, expected] of cases) assert.equal(event.expand(`%{{${pattern}}}`), expected, pattern)
})

test('Joda patterns print every part of a time', () => {
  const event = eventOf({})
  const cases: [string, string][] = [
    ['yyyy-MM-dd HH:mm:ss.SSSSSS', '2024-03-05 06:07:08.009000'],
    ["yy M d H h k K m s a C G xxxx ww e 'x'", '24 3 5 6 6 6 6 7 8 AM 20 AD 2024 10 2 x'],
    ['EEEE E DDD MMMM MMM', 'Tuesday Tue 065 March Mar'],
    ['Z ZZ ZZZ z', '+0000 +00:00 UTC UTC'],
  ]
  for (const [pattern, expected] of cases) assert.equal(event.expand(`%{+${pattern}}`), expected, pattern)
})
