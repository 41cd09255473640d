import assert from 'node:assert/strict'
import test from 'node:test'
import { JsonOutput } from '../../../base/json/json-output.ts'
import { JsonReader } from '../../../base/json/json-reader.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import { plainValue } from '../../../base/json/plain-value.ts'
import { JDouble } from '../runtime/boxed.ts'
import { JHashMap } from '../runtime/collections/hash-map.ts'
import { JArrayList } from '../runtime/collections/list.ts'
import { fromJava, readJava, toJava } from './host-values.ts'
import { writeJava } from './write-java.ts'

function written(value: unknown): string {
  const out = new JsonOutput()
  writeJava(value, out)
  return out.toBuffer().toString()
}

function reader(json: string): JsonReader {
  const made = new JsonReader().reset(Buffer.from(json))
  made.next()
  return made
}

const DOCUMENTS = [
  '{}',
  '{"a":1,"b":-1,"c":2147483648,"d":9007199254740993,"e":123456789012345678901234567890,"f":-0}',
  '{"a":1.0,"b":0.5,"c":1e10,"d":-0.0,"e":1e-7,"f":123456789.25}',
  '{"z":"ä\\"\\\\\\n😀","a":[1,[2.0,{"x":null}],true,false],"__proto__":{"y":""}}',
]

test('JSON read as Java values and written again equals the conversion through plain values', () => {
  for (const json of DOCUMENTS) {
    const java = readJava(reader(json))
    const converted = toJava(plainValue(reader(json), true), true)
    assert.equal(written(java), encodeJson(fromJava(java)).toString())
    assert.equal(written(java), encodeJson(fromJava(converted)).toString())
  }
})

test('members that are numbers keep their place', () => {
  assert.equal(written(readJava(reader('{"b":1,"7":2,"a":3}'))), '{"b":1,"7":2,"a":3}')
})

test('keys that are no strings are written as by fromJava', () => {
  const map = new JHashMap(true)
  map.put_2(1, 'number')
  map.put_2('1', 'text')
  map.put_2(new JDouble(0.5), null)
  assert.equal(written(new JArrayList([map])), encodeJson([fromJava(map)]).toString())
})

test('a string with the mark of a boxed key is another key', () => {
  const map = new JHashMap(true)
  map.put_2(new JDouble(2), 'boxed')
  map.put_2('\u0000JDouble2', 'text')
  assert.equal(map.size_0(), 2)
  assert.equal(map.get_1(new JDouble(2)), 'boxed')
  assert.equal(map.get_1('\u0000JDouble2'), 'text')
})

test('a value that contains itself is refused', () => {
  const map = new JHashMap(true)
  const list = new JArrayList([map, map])
  map.put_2('list', list)
  assert.throws(() => written(map), /contains itself|self-reference|Iterable object is self-referencing/)
})
