/**
 * Random expressions and texts that real Ruby (3.1) has matched: places of the first match and all its groups, in
 * characters, and the text with all matches replaced. Both ways to search give the same.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { RubyRegexp } from '../../src/text/regex/ruby-regexp.ts'
import { stepBudget } from '../../src/text/regex/stepwise.ts'

interface Recorded {
  readonly source: string
  readonly flags: string
  readonly texts: readonly string[]
  readonly matches: readonly (readonly ([number, number] | null)[] | null)[]
  readonly replaced: readonly string[]
}

const recorded = readFileSync(new URL('expressions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

function placesOf(regexp: RubyRegexp, text: string) {
  const found = regexp.execFrom(text, 0)
  if (found === null) return null
  const characters = (at: number) => [...text.slice(0, at)].length
  return regexp
    .offsetsOf(text, found)
    .map((place) => (place === undefined ? null : [characters(place[0]), characters(place[1])]))
}

test('random expressions have the matches and groups of real Ruby', () => {
  assert.ok(recorded.length >= 700)
  for (const { source, flags, texts, matches, replaced } of recorded) {
    const regexp = new RubyRegexp(source, {
      ignoreCase: flags.includes('i'),
      dotAll: flags.includes('m'),
      extended: flags.includes('x'),
    })
    for (const [i, text] of texts.entries()) {
      const search = () => [placesOf(regexp, text), regexp.replaceAll(text, '-')]
      const wanted = [matches[i], replaced[i]]
      const name = `/${source}/${flags} on ${JSON.stringify(text)}`
      assert.deepEqual(search(), wanted, name)
      assert.deepEqual(regexp.stepwise(stepBudget(), search), wanted, `${name}, stepwise`)
    }
  }
})
