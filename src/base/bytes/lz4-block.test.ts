import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BlockOutput, DamagedBlockError } from './block-output.ts'
import { decodeLz4Block } from './lz4-block.ts'

const decode = (...bytes: (number | string)[]) => {
  const block = Buffer.concat(bytes.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))))
  return decodeLz4Block(block, 0, new BlockOutput(0)).finish().toString()
}

test('a block of literals decodes to those literals', () => {
  assert.equal(decode(0x30, 'abc'), 'abc')
  assert.equal(decode(0xf0, 2, 'a'.repeat(17)), 'a'.repeat(17))
})

test('a match copies earlier bytes and may overlap its own output', () => {
  assert.equal(decode(0x32, 'abc', 3, 0, 0x10, '.'), 'abcabcabc.')
  assert.equal(decode(0x1f, 'x', 1, 0, 255, 3, 0x10, '.'), `${'x'.repeat(1 + 15 + 255 + 3 + 4)}.`)
})

test('a block that is truncated or refers to bytes before its start is damaged', () => {
  assert.throws(() => decode(0x50, 'abc'), DamagedBlockError)
  assert.throws(() => decode(0xf0), DamagedBlockError)
  assert.throws(() => decode(0x10, 'a', 1), DamagedBlockError)
  assert.throws(() => decode(0x10, 'a', 2, 0, 0x00), DamagedBlockError)
  assert.throws(() => decode(0x10, 'a', 0, 0, 0x00), DamagedBlockError)
})

test('an independent block cannot copy bytes of the block before it', () => {
  const out = new BlockOutput(8)
  decodeLz4Block(Buffer.from([0x30, 97, 98, 99]), 0, out)
  out.startBlock()
  assert.throws(() => decodeLz4Block(Buffer.from([0x10, 100, 2, 0, 0x00]), 0, out), DamagedBlockError)
})
