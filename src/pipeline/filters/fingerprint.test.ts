import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

async function fingerprints(options: string, ...events: Record<string, unknown>[]): Promise<unknown[]> {
  const filtered = await runFilters(`filter { fingerprint { target => "f" ${options} } }`, events)
  return filtered.map((event) => event['f'])
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

test('a fingerprint of an object depends on its values but not on the order of its members', async () => {
  const [first, second, third] = await fingerprints(
    'method => "MD5" source => ["o"]',
    { o: { a: 1, b: { c: [2.5, null], d: 'x' } } },
    { o: { b: { d: 'x', c: [2.5, null] }, a: 1 } },
    { o: { a: 2 } },
  )
  assert.equal(first, md5('{"a"=>1, "b"=>{"c"=>[2.5, nil], "d"=>"x"}}'))
  assert.equal(second, first)
  assert.notEqual(third, first)
})

test('concatenated sources are joined with their names in order', async () => {
  const [hash] = await fingerprints('method => "MD5" source => ["b", "a"] concatenate_sources => true', {
    a: 1.5e-5,
    b: ['x'],
  })
  assert.equal(hash, md5('|a|1.5e-05|b|["x"]|'))
})

test('murmur3 hashes integers as eight bytes, and PUNCTUATION keeps only punctuation', async () => {
  const [text, number] = await fingerprints('method => "MURMUR3"', { message: '123' }, { message: 123 })
  assert.equal(typeof number, 'number')
  assert.notEqual(text, number)
  const [marks] = await fingerprints('method => "PUNCTUATION" source => ["z", "a"]', { z: 'e\u0301\0: <b>', a: 'no' })
  assert.equal(marks, ':<>')
})
