import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteWriter } from './byte-writer.ts'

const written = (work: (out: ByteWriter) => void) => {
  const out = new ByteWriter(4)
  work(out)
  return Buffer.from(out.finish()).toString()
}

test('numbers are written as JavaScript prints them', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) =>
      assert.equal(
        written((out) => out.integer(value)),
        String(value),
      ),
    ),
  )
  for (const value of [0, 9, 10, 99, 100, 2147483646, 2147483647, 2147483648, Number.MAX_SAFE_INTEGER]) {
    assert.equal(
      written((out) => out.integer(value)),
      String(value),
    )
  }
})

test('a quoted string parses back to the same string', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (plain, odd) => {
      for (const text of [plain, odd]) {
        const bytes = Buffer.from(text)
        assert.equal(JSON.parse(written((out) => out.quoted(bytes, 0, bytes.length))), bytes.toString())
      }
    }),
  )
})

test('parts stay contiguous while the buffer grows', () => {
  const text = written((out) => {
    for (let i = 0; i < 100; i++) {
      out.text('é')
      out.byte(0x2c)
      out.bytes(Buffer.from('ab'))
    }
  })
  assert.equal(text, 'é,ab'.repeat(100))
})
