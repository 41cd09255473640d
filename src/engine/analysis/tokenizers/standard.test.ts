import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { standardTokenizer } from './standard.ts'

const words = (text: string, max?: number) =>
  standardTokenizer(max)(text).tokens.map((token) => `${token.term} ${token.type.slice(1, -1)}`)

test('the standard tokenizer assigns types to words, numbers and scripts', () => {
  assert.deepEqual(words("can't 3.14 foo_bar a.b x@y.com"), [
    ...["can't ALPHANUM", '3.14 NUM', 'foo_bar ALPHANUM', 'a.b ALPHANUM'],
    ...['x ALPHANUM', 'y.com ALPHANUM'],
  ])
  assert.deepEqual(words('日本 ひら カタカナ 한국어 ไทย'), [
    ...['日 IDEOGRAPHIC', '本 IDEOGRAPHIC', 'ひ HIRAGANA', 'ら HIRAGANA'],
    ...['カタカナ KATAKANA', '한국어 HANGUL', 'ไทย SOUTHEAST_ASIAN'],
  ])
})

test('an emoji sequence is one token', () => {
  assert.deepEqual(words('👍🏻 👨‍👩‍👧 🇩🇪 #️⃣'), ['👍🏻 EMOJI', '👨‍👩‍👧 EMOJI', '🇩🇪 EMOJI', '#️⃣ EMOJI'])
})

test('a combining mark belongs to the letter before it', () => {
  assert.deepEqual(words('e\u0301a \u0301'), ['e\u0301a ALPHANUM'])
})

// Goal: a word longer than the limit is split at the end of the scanner's window, and each piece is matched again.
test('a long word is split into pieces', () => {
  assert.deepEqual(words('jumping a.bcd', 4), ['jump ALPHANUM', 'ing ALPHANUM', 'a.bc ALPHANUM', 'd ALPHANUM'])
  assert.deepEqual(words('abc.d', 4), ['abc ALPHANUM', 'd ALPHANUM'])
})

test('tokens are consecutive slices of the text and never exceed the limit', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 60 })
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, max) => {
      let last = 0
      for (const { term, startOffset, endOffset } of standardTokenizer(max)(text).tokens) {
        assert.ok(startOffset >= last && endOffset > startOffset && endOffset - startOffset <= max)
        assert.equal(term, text.slice(startOffset, endOffset))
        last = endOffset
      }
    }),
  )
})
