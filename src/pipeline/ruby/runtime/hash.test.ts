import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../library/all.ts'
import '../interpreter.ts'
import { RHash } from './hash.ts'
import { type RString, str } from './string.ts'

/** A hash made of fields, whose entries are not in a map yet. */
function fields(...names: string[]): RHash {
  const hash = new RHash()
  for (const name of names) hash.addText(name, name.length)
  return hash
}

function visited(hash: RHash, during: (key: string) => void = () => {}): string[] {
  const keys: string[] = []
  hash.each(({ key }) => {
    keys.push((key as RString).text)
    during((key as RString).text)
  })
  return keys
}

test('a hash made of fields has the same entries before and after a key is looked up', () => {
  const hash = fields('a', '\0b', 'ccc')
  const before = hash.list()
  assert.equal(hash.size, 3)
  assert.deepEqual(visited(hash), ['a', '\0b', 'ccc'])
  assert.equal(hash.get(str('ccc')), 3)
  assert.equal(hash.getText('\0b'), 2)
  assert.deepEqual(hash.list(), before)
  assert.deepEqual(visited(hash), ['a', '\0b', 'ccc'])
})

test('entries that are deleted during an iteration are not visited', () => {
  const hash = fields('a', 'b', 'c', 'd')
  const visits = visited(hash, (key) => {
    if (key === 'a') hash.delete(str('b'))
    if (key === 'c') hash.clear()
  })
  assert.deepEqual(visits, ['a', 'c'])
  assert.equal(hash.size, 0)
})

test('a value that is replaced during an iteration is visited, and a key that is added is an error', () => {
  const hash = fields('a', 'b')
  const values: unknown[] = []
  hash.iterating++
  hash.each(({ key, value }) => {
    values.push(value)
    if ((key as RString).text === 'a') hash.set(str('b'), 5)
    assert.throws(() => hash.set(str('new'), 1))
  })
  assert.deepEqual(values, [1, 5])
})

test('a copy of a hash made of fields is independent of it', () => {
  const hash = fields('a', 'b')
  const copy = hash.copy()
  copy.delete(str('a'))
  assert.deepEqual([hash.size, copy.size], [2, 1])
})

test('a hash agrees with a map for random operations while it grows beyond a list and shrinks again', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
    return seed % below
  }
  for (let round = 0; round < 50; round++) {
    const hash = new RHash()
    const model = new Map<string, number>()
    for (let i = 0; i < 60; i++) {
      const name = `k${random(14)}`
      if (random(3) === 0) {
        assert.equal(hash.delete(str(name)), model.get(name))
        model.delete(name)
      } else {
        hash.set(str(name), i)
        model.set(name, i)
      }
      assert.equal(hash.get(str(name)), model.get(name))
      assert.equal(hash.size, model.size)
      assert.deepEqual(
        hash
          .copy()
          .list()
          .map(({ key, value }) => [(key as RString).text, value]),
        [...model],
      )
    }
  }
})
