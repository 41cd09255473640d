import assert from 'node:assert/strict'
import test from 'node:test'
import { Unescaper } from './unescape.ts'

/** Unescapes the JSON string and returns the text, after checking that the bytes can be restored. */
function unescaped(json: string): string | undefined {
  const bytes = Buffer.from(json)
  const unescaper = new Unescaper()
  const isWhole = unescaper.unescape(bytes, 1, bytes.length)
  const text = isWhole ? bytes.toString('utf8', 1, unescaper.end) : undefined
  if (isWhole) assert.equal(unescaper.after, bytes.length)
  unescaper.restore(bytes)
  assert.equal(bytes.toString(), json)
  return text
}

test('escapes of every kind become their characters, and the bytes are restored', () => {
  assert.equal(
    unescaped(String.raw`"a\"b\\c\/d\n\t\r\b\f\u0041\u00e4\u20ac\ud83d\ude00"`),
    'a"b\\c/d\n\t\r\b\fA\u00e4€😀',
  )
  assert.equal(unescaped(String.raw`"ä\u00e4€\u20ac😀\"x"`), 'ää€€😀"x')
  assert.equal(unescaped(String.raw`"lone \ud83d."`), 'lone ?.')
})

test('strings longer than the memory for originals are unescaped and restored', () => {
  for (let length = 230; length < 270; length++) {
    const text = `${'p'.repeat(length)}"ä😀\\${'q'.repeat(300)}\n${'€'.repeat(200)}`
    assert.equal(unescaped(JSON.stringify(text)), text)
    const inUnits = Array.from(
      { length: text.length },
      (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
    )
    assert.equal(unescaped(`"${inUnits.join('')}"`), text)
  }
})

test('malformed strings are refused, and the bytes are restored', () => {
  for (const json of ['"\\n', '"\\', '"a\\x"', '"\\u12', '"\\u12g4"', '"\\ud83d\\u00"', '"\\n\u0001"']) {
    assert.equal(unescaped(json), undefined, json)
  }
})
