import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BoundedSentences } from './fragment-bounds.ts'
import { Boundaries } from './text-breaks.ts'

function pieces(text: string, boundaries: Boundaries): string[] {
  const found: string[] = []
  for (let from = 0; from < text.length; ) {
    const to = boundaries.following(from)
    found.push(text.slice(from, to))
    from = to
  }
  return found
}

// The expected parts are those of Elasticsearch 8 for the same texts.
test('a sentence ends at a mark, and at a full stop followed by a new start', () => {
  const sentences = (text: string) => pieces(text, Boundaries.sentences(text)).map((piece) => piece.trim())
  assert.deepEqual(sentences('Mr. Smith went to U.S.A. x. He paid 3.50 x. “Quote x.” End'), [
    'Mr.',
    'Smith went to U.S.A. x.',
    'He paid 3.50 x.',
    '“Quote x.”',
    'End',
  ])
  assert.deepEqual(sentences('Wait!? Really?! ok!no ... X more'), ['Wait!?', 'Really?!', 'ok!', 'no ...', 'X more'])
  assert.deepEqual(sentences('one. two. 3 x. (3 y.  wide. - z. (w'), ['one. two. 3 x. (3 y.', 'wide. - z.', '(w'])
  assert.deepEqual(sentences('a\nb\r\nc\u2029d'), ['a\nb\r\nc', 'd'])
})

test('a word includes marks between letters and between digits', () => {
  const words = (text: string) => pieces(text, Boundaries.words(text)).join('|')
  assert.equal(words("it's a-b x.y U.S.A."), "it's| |a-b| |x.y| |U.S.A|.")
  assert.equal(words('3.5 1,000 $5 5% 1-2 1.a'), '3.5| |1,000| |$5| |5%| |1|-|2| |1|.|a')
  assert.equal(words('é日本語カナ ひら漢字'), 'é|日本語|カナ| |ひら|漢字')
})

test('boundaries divide a text without loss', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'B', ' ', '.', '!', '(', '"', '3', '\n', '日') }), (text) => {
      for (const boundaries of [Boundaries.sentences(text), Boundaries.words(text)]) {
        assert.equal(pieces(text, boundaries).join(''), text)
      }
    }),
  )
})

test('a long sentence is cut at words around the match', () => {
  const text = 'one two three four five six seven eight nine ten. Short. End.'
  const around = (size: number, word: string) => {
    const bounds = new BoundedSentences(text, size)
    const at = text.indexOf(word)
    return text.slice(bounds.preceding(at + 1), bounds.following(at)).trim()
  }
  assert.equal(around(20, 'six'), 'two three four five six')
  assert.equal(around(20, 'one'), 'one two three four five')
  assert.equal(around(20, 'Short'), 'Short. End.')
  assert.equal(around(100, 'ten'), text)
})
