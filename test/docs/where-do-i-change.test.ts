/**
 * Goal: whoever adds an entry to a list by docs/where-do-i-change.md finds every place.
 * Method: entries that exist were added once. Every source that names one in a string or as a member must be a place that the
 * row of its list names: a file, or a file in a folder. Words are chosen that mean nothing else.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  'add a query clause': ['wrapper', 'combined_fields', 'match_bool_prefix', 'geo_polygon'],
  'add an aggregation': ['median_absolute_deviation', 'boxplot', 'serial_diff', 'matrix_stats'],
  'add a token filter': ['delimited_payload', 'keep_types', 'dictionary_decompounder', 'common_grams'],
  'add an ingest processor': ['network_direction', 'dot_expander', 'uri_parts', 'registered_domain'],
}

/** Places that name entries for a reason of their own, which a new entry does not share. */
const OTHER_REASONS: Readonly<Record<string, string>> = {
  'src/gateway/': 'differences of a cluster',
  'src/engine/limits/': 'clauses that a role may not have',
}

const rows = new Map(
  [...readFileSync(join(ROOT, 'docs/where-do-i-change.md'), 'utf8').matchAll(/^\| \*\*(.+?)\*\* \| (.+) \|$/gm)].map(
    ([, title, places]) => [title!, [...places!.matchAll(/`(src\/[^`]+)`/g)].map(([, path]) => path!)] as const,
  ),
)

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|\.generated\.ts$/.test(path))
  .map((path) => ({ path: `src/${path}`, text: readFileSync(join(ROOT, 'src', path), 'utf8') }))

for (const [title, words] of Object.entries(ENTRIES)) {
  test(`"${title}" names every place of ${words.join(', ')}`, () => {
    const places = rows.get(title)
    assert.ok(places !== undefined, 'the page has no such row')
    const isNamed = (path: string) =>
      [...places, ...Object.keys(OTHER_REASONS)].some((place) => path === place || path.startsWith(`${place}`))
    for (const word of words) {
      const literal = new RegExp(`['"\`\\s]${word}['"\`\\s]|^\\s*${word}:`, 'm')
      const found = sources.filter(({ text }) => literal.test(withoutComments(text))).map(({ path }) => path)
      assert.notDeepEqual(found, [], word)
      assert.deepEqual(
        found.filter((path) => !isNamed(path)),
        [],
        word,
      )
    }
  })
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}
