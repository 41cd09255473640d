/** The fragments of the unified highlighter for one document, as a server of version 8.19 gave them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery, parseQueryBody } from '../../query/parse-query.ts'
import { parseHighlight } from '../../request/highlight/parse-highlight.ts'
import { RequestReader } from '../../request/request-reader.ts'
import { HitDocument } from '../fetch/hit-document.ts'
import { openTestShard } from '../search-fixture.ts'
import { Highlighter } from './highlighter.ts'

const context = openTestShard({ r: { type: 'text' }, n: { type: 'nested', properties: { x: { type: 'text' } } } }, [
  [
    {
      id: '1',
      source: {
        r:
          'No customs departed before manifest. A fuel waited for the pilot because of a storm near the old crane e.g.; ' +
          'a crane of the harbor.',
        n: [{ x: 'The quick brown fox is brown.' }, { x: 'A quick dog' }],
      },
    },
  ],
])

function fragments(query: unknown, field: string, options: object): string[] | undefined {
  const reader = new RequestReader(Buffer.from(JSON.stringify({ fields: { [field]: options } })))
  reader.next()
  const parsed = parseHighlight(reader, parseQuery)
  const highlighter = new Highlighter(context, parsed, parseQueryBody(Buffer.from(JSON.stringify(query))))
  const { segments } = context.view
  return highlighter.highlight(new HitDocument(segments[0]!, segments[0]!.reader.docCount - 1))?.[field]
}

interface Case {
  readonly query: unknown
  readonly size?: number
  readonly expected: readonly string[]
}

test('a fragment surrounds the middle of its match, and goes back to where a sentence seems to begin', () => {
  const cases: readonly Case[] = [
    { query: { match: { r: 'manifest' } }, size: 20, expected: ['departed before <em>manifest</em>'] },
    { query: { match: { r: 'pilot' } }, size: 10, expected: ['for the <em>pilot</em>'] },
    {
      query: { match: { r: 'crane' } },
      size: 60,
      expected: [
        'fuel waited for the pilot because of a storm near the old <em>crane</em>',
        'e.g.; a <em>crane</em> of the harbor.',
      ],
    },
    { query: { match: { r: 'harbor' } }, size: 40, expected: ['.; a crane of the <em>harbor</em>.'] },
    {
      query: { match_phrase: { r: { query: 'pilot manifest fuel', slop: 12 } } },
      size: 30,
      expected: ['<em>manifest. A fuel waited for the pilot</em> because'],
    },
  ]
  for (const { query, size, expected } of cases) {
    assert.deepEqual(fragments(query, 'r', size === undefined ? {} : { fragment_size: size }), expected)
  }
})

test('words are marked one by one if the query looks into nested objects', () => {
  const cases: readonly Case[] = [
    {
      query: {
        nested: { path: 'n', query: { multi_match: { type: 'phrase', query: 'quick brown fox', fields: ['n.x'] } } },
      },
      expected: ['The <em>quick</em> <em>brown</em> <em>fox</em> is brown.'],
    },
    {
      query: { nested: { path: 'n', query: { match_phrase_prefix: { 'n.x': { query: 'quick brown f' } } } } },
      expected: ['The <em>quick</em> <em>brown</em> <em>fox</em> is brown.'],
    },
  ]
  for (const { query, size, expected } of cases) {
    assert.deepEqual(fragments(query, 'n.x', size === undefined ? {} : { fragment_size: size }), expected)
  }
})

test('this holds for other fields, too, and for excluded clauses', () => {
  const cases: readonly Case[] = [
    {
      query: {
        bool: {
          must: [{ match_phrase: { r: 'old crane' } }],
          must_not: [{ nested: { path: 'n', query: { match: { 'n.x': 'absent' } } } }],
        },
      },
      size: 30,
      expected: ['pilot because of a storm near the <em>old</em>', '<em>crane</em> e.g.; a crane of the harbor'],
    },
  ]
  for (const { query, size, expected } of cases) {
    assert.deepEqual(fragments(query, 'r', size === undefined ? {} : { fragment_size: size }), expected)
  }
})

test('optional clauses beside required ones are not marked inside a filter', () => {
  const cases: readonly Case[] = [
    {
      query: {
        bool: { filter: [{ bool: { must: [{ match: { r: 'storm' } }], should: [{ match: { r: 'pilot' } }] } }] },
      },
      size: 40,
      expected: ['fuel waited for the pilot because of a <em>storm</em>'],
    },
    {
      query: { bool: { must: [{ bool: { must: [{ match: { r: 'storm' } }], should: [{ match: { r: 'pilot' } }] } }] } },
      size: 40,
      expected: [
        'A fuel waited for the <em>pilot</em> because of a',
        '<em>storm</em> near the old crane e.g.; a crane of',
      ],
    },
  ]
  for (const { query, size, expected } of cases) {
    assert.deepEqual(fragments(query, 'r', size === undefined ? {} : { fragment_size: size }), expected)
  }
})
