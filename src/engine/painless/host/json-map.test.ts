import assert from 'node:assert/strict'
import test from 'node:test'
import { JsonOutput } from '../../../base/json/json-output.ts'
import { JsonReader } from '../../../base/json/json-reader.ts'
import { SeededRandom } from '../../../base/seeded-random.ts'
import { JDouble } from '../runtime/boxed.ts'
import type { JHashMap } from '../runtime/collections/hash-map.ts'
import { JList } from '../runtime/collections/list.ts'
import { resetLimits } from '../runtime/limits.ts'
import { scanMembers } from './canonical-json.ts'
import { readJava } from './host-values.ts'
import { JsonMap, jsonMap } from './json-map.ts'
import { writeJava } from './write-java.ts'

function read(json: string): JHashMap {
  const reader = new JsonReader().reset(Buffer.from(json))
  reader.next()
  return readJava(reader) as JHashMap
}

function lazily(json: string): JsonMap {
  const bytes = Buffer.from(`[${json}]`)
  const map = jsonMap(bytes, 1, bytes.length - 1)
  assert.ok(map instanceof JsonMap, json)
  return map
}

function written(value: unknown): string {
  const out = new JsonOutput()
  writeJava(value, out)
  return out.toBuffer().toString()
}

/** Values of all kinds, in spellings that a script changes by reading and writing them. */
const VALUES = [
  ...[
    '0',
    '-0',
    '7',
    '-1',
    '123456789012345',
    '1234567890123456',
    '-9007199254740993',
    '123456789012345678901234567890',
  ],
  ...[
    '0.0',
    '-0.0',
    '1.0',
    '1.50',
    '0.5',
    '0.001',
    '0.0001',
    '0.00100',
    '12345678.5',
    '1234567.5',
    '1e3',
    '1E-3',
    '-2.25',
  ],
  ...['0.1000000000000000055', '123456.789012345', '0.30000000000000004', '1.00', '100.0'],
  ...['true', 'false', 'null', '""', '"a"', '"a b"', '"ä😀"', '"a\\"b"', '"\\u0041"', '"\\/"', '"a\\\\"', '"{[,:"'],
  ...[
    '{}',
    '[]',
    '[1,2]',
    '[1, 2]',
    '[1.50]',
    '{"x":1}',
    '{"x" : 1}',
    '{"x":{"y":[null,"\\n"]}}',
    '[[[]],{}]',
    '{"a":{},"b":[]}',
  ],
]
const NAMES = ['a', 'b', 'host', '@timestamp', '__proto__', '0', '17', 'a b', 'nested.name', 'constructor']
const SPACES = ['', '', '', ' ', '\n', '  ']

function randomObject(random: SeededRandom): string {
  const space = () => random.pick(SPACES)
  const isDense = random.chance(0.5)
  const gap = isDense ? () => '' : space
  const names = NAMES.filter(() => random.chance(0.5))
  const members = names.map((name) => `${gap()}"${name}"${gap()}:${gap()}${random.pick(VALUES)}${gap()}`)
  return `${gap()}{${members.length === 0 ? gap() : members.join(',')}}${gap()}`
}

/** Does the same to both maps. Returns what it showed of them. */
function change(random: SeededRandom, maps: readonly JHashMap[]): string[] {
  const key: unknown = random.pick<unknown>([...NAMES, 'new', 'other', 5, null])
  const kind = random.below(12)
  const value = random.pick<() => unknown>([
    () => 'set',
    () => 5,
    () => new JDouble(1.5),
    () => null,
    () => read('{"in":1}'),
  ])
  return maps.map((map) => {
    switch (kind) {
      case 0:
      case 1:
        return written(map.put_2(key, value()))
      case 2:
        return written(map.remove_1(key))
      case 3: {
        const list = map.get_1(key)
        if (list instanceof JList) list.add_1('more')
        return written(list)
      }
      case 4:
        return `${map.containsKey_1(key)} ${map.size_0()}`
      case 5:
        return map.toString_0()
      case 6:
        return written(map.putIfAbsent_2(key, value()))
      case 7:
        return written(map.clone_0())
      case 8:
        return `${map.hashCode_0()}`
      case 9:
        return `${map.keySet_0().toString_0()} ${map.isEmpty_0()}`
      default:
        return written(map.get_1(key))
    }
  })
}

test('a map that reads its JSON when it is asked equals one that was read at once, whatever is done to it', () => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  const random = new SeededRandom(seed)
  for (let round = 0; round < 3_000; round++) {
    const json = randomObject(random)
    resetLimits()
    const maps = [lazily(json), read(json)]
    const done: string[] = []
    for (let step = random.below(5); step > 0; step--) {
      const shown = change(random, maps)
      done.push(shown[1]!)
      assert.equal(shown[0], shown[1], `SEED=${seed} ${json} ${done}`)
    }
    assert.equal(written(maps[0]), written(maps[1]), `SEED=${seed} ${json} ${done}`)
  }
})

test('every value is written as if it had been read, alone, in an array and in an object', () => {
  for (const value of VALUES) {
    for (const json of [`{"a":${value}}`, `{"a":[${value}],"b":${value}}`, `{"a":{"b":${value}}}`]) {
      assert.equal(written(lazily(json)), written(read(json)))
    }
  }
})

test('the JSON is unchanged after its values were read', () => {
  const json = '{"a":"\\u0041\\n","b":["\\"",{"c":"\\\\"}]}'
  const bytes = Buffer.from(json)
  const map = jsonMap(bytes, 0, bytes.length)!
  assert.equal(map.get_1('a'), 'A\n')
  assert.equal(written(map.get_1('b')), '["\\"",{"c":"\\\\"}]')
  assert.equal(bytes.toString(), json)
})

test('more than a few new members are written in their order', () => {
  const map = lazily('{"a":1}')
  const plain = read('{"a":1}')
  for (let i = 0; i < 40; i++) for (const each of [map, plain]) each.put_2(`new${i}`, i)
  assert.equal(written(map), written(plain))
})

test('a map that contains itself is refused', () => {
  const map = lazily('{"a":{}}')
  map.put_2('self', map)
  assert.throws(() => written(map), /self-reference|self-referencing/)
})

test('what is not a plain JSON object is left to the reader', () => {
  const left = [
    '',
    '[]',
    '1',
    '{',
    '{"a"',
    '{"a":',
    '{"a":}',
    '{"a":1',
    '{"a":1,}',
    '{"a":1}x',
    '{,}',
    '{"a":1 "b":2}',
    '{"a":"x}',
  ]
  const comments = ['{/**/"a":1}', '{"a":1/**/}', '{"a":/**/1}', '{"a":[1/**/]}', '{"a":[/*]*/1]}']
  const names = ['{"\\u0061":1}', '{"ä":1}', '{"a":1,"a":2}', "{'a':1}", '{a:1}']
  for (const json of [...left, ...comments, ...names]) {
    const bytes = Buffer.from(json)
    assert.equal(scanMembers(bytes, 0, bytes.length), undefined, json)
  }
})
