import assert from 'node:assert/strict'
import { test } from 'node:test'
import { murmur128 } from './murmur3-128.ts'

test('murmur128 equals the reference implementation for every length of the tail', () => {
  const hex = (text: string) =>
    murmur128(Buffer.from(text))
      .map((half) => half.toString(16).padStart(16, '0'))
      .join('')
  assert.equal(hex(''), '00000000000000000000000000000000')
  assert.equal(hex('hello'), 'cbd8a7b341bd9b025b1e906a48ae1d19')
  assert.equal(hex('hello, world'), '342fac623a5ebc8e4cdcbc079642414d')
  assert.equal(hex('The quick brown fox jumps over the lazy dog.'), 'cd99481f9ee902c9695da1a38987b6e7')
})
