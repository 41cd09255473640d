import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextSetBit, previousSetBit, setBit, wordsFor } from './bit-set.ts'

// Goal: neighbouring set bits are found in both directions, within a word and across words.
test('previousSetBit and nextSetBit find the neighbours of every position', () => {
  const places = fc.uniqueArray(fc.nat({ max: 199 }), { maxLength: 20 })
  fc.assert(
    fc.property(places, fc.nat({ max: 199 }), (bits, place) => {
      const words = new Uint32Array(wordsFor(200))
      for (const bit of bits) setBit(words, bit)
      assert.equal(previousSetBit(words, place), Math.max(-1, ...bits.filter((bit) => bit < place)))
      const behind = bits.filter((bit) => bit >= place)
      assert.equal(nextSetBit(words, place), behind.length === 0 ? -1 : Math.min(...behind))
    }),
  )
})
