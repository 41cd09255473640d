import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../base/api-error.ts'
import type { AliasMetadata, IndexMetadata } from '../metadata/metadata.ts'
import { MetadataState } from '../metadata/metadata-state.ts'
import {
  DELETE_INDICES,
  EXPAND_HIDDEN,
  EXPAND_OPEN,
  EXPAND_OPEN_FORBID_CLOSED,
  withParameters,
} from './indices-options.ts'
import { NameResolver } from './name-resolver.ts'

const NOW = Date.UTC(2024, 4, 17, 10)

interface IndexSketch {
  readonly name: string
  readonly closed?: boolean
  readonly hidden?: boolean
  readonly aliases?: Record<string, AliasMetadata>
}

function indexOf({ name, closed, hidden, aliases }: IndexSketch): IndexMetadata {
  return {
    name,
    uuid: `uuid-${name}`,
    state: closed === true ? 'close' : 'open',
    settings: hidden === true ? { 'index.hidden': 'true' } : {},
    mapping: {},
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    aliases: aliases ?? {},
    creationDate: 0,
    shardCount: 1,
    routingShards: 1024,
  }
}

function resolver(...indices: IndexSketch[]): NameResolver {
  const stream = {
    name: 'events',
    indices: ['.ds-events-2024.05.17-000001'],
    generation: 1,
    hidden: false,
    allowCustomRouting: false,
  }
  const all = [...indices, { name: '.ds-events-2024.05.17-000001', hidden: true }].map(indexOf)
  return new NameResolver(
    MetadataState.empty().with([
      ...all.map((index) => ({ section: 'indices' as const, name: index.name, value: index })),
      { section: 'dataStreams', name: 'events', value: stream },
    ]),
    NOW,
  )
}

const NAMES = resolver(
  { name: 'logs-1', aliases: { all: {}, errors: { filter: { term: { level: 'error' } }, searchRouting: 'a,b' } } },
  { name: 'logs-2', aliases: { all: {}, secret: { isHidden: true } } },
  { name: 'logs-old', closed: true, aliases: { all: {} } },
  { name: 'hidden', hidden: true },
  { name: '.dot', hidden: true },
)

const find = (text: string, options = EXPAND_OPEN) =>
  NAMES.indices(text.split(','), options)
    .map(({ name }) => name)
    .sort()

test('wildcards match open, visible indices, including through aliases', () => {
  assert.deepEqual(find('logs-*'), ['logs-1', 'logs-2'])
  assert.deepEqual(find('*'), ['.ds-events-2024.05.17-000001', 'logs-1', 'logs-2'])
  assert.deepEqual(find('_all'), ['.ds-events-2024.05.17-000001', 'logs-1', 'logs-2'])
  assert.deepEqual(find('al*'), ['logs-1', 'logs-2'])
  assert.deepEqual(find('hid*'), [])
  assert.deepEqual(find('sec*'), [])
  assert.deepEqual(find('.d*'), ['.dot', '.ds-events-2024.05.17-000001'])
  assert.deepEqual(find('logs-*', EXPAND_HIDDEN), ['logs-1', 'logs-2', 'logs-old'])
})

test('a plain name is literal, whatever the state of its index', () => {
  assert.deepEqual(find('all'), ['logs-1', 'logs-2', 'logs-old'])
  assert.deepEqual(find('hidden,logs-old'), ['hidden', 'logs-old'])
  assert.deepEqual(find('events'), ['.ds-events-2024.05.17-000001'])
  assert.deepEqual(find('<logs-{now/d}>,logs-1', { ...EXPAND_OPEN, ignoreUnavailable: true }), ['logs-1'])
})

test('an exclusion needs a preceding wildcard', () => {
  assert.deepEqual(find('logs-*,-logs-1'), ['logs-2'])
  assert.deepEqual(find('logs-*,-*2'), ['logs-1'])
  assert.throws(() => find('logs-1,-logs-1'), /no such index \[-logs-1\] and if you intended to exclude this index/)
})

test("missing, closed and unsuitable names fail with Elasticsearch's errors", () => {
  const cases: [string, typeof EXPAND_OPEN, RegExp][] = [
    ['nope', EXPAND_OPEN, /^no such index \[nope\]$/],
    ['nope*', { ...EXPAND_OPEN, allowNoIndices: false }, /^no such index \[nope\*\]$/],
    ['<x-{now/d}>', EXPAND_OPEN, /^no such index \[x-2024\.05\.17\]$/],
    ['_x', EXPAND_OPEN, /^Invalid index name \[_x\], must not start with '_'\.$/],
    ['logs-old', EXPAND_OPEN_FORBID_CLOSED, /^closed$/],
    ['all', EXPAND_OPEN_FORBID_CLOSED, /^closed$/],
    ['all', DELETE_INDICES, /^The provided expression \[all\] matches an alias/],
    ['events', DELETE_INDICES, /^no such index \[events\]$/],
    ['a:b', EXPAND_OPEN, /^Cross-cluster calls are not supported/],
    [
      'events::failures',
      DELETE_INDICES,
      /^Index component selectors are not supported in this context but found selector/,
    ],
    ['logs-*::data', DELETE_INDICES, /^Index component selectors are not supported .* \[logs-\*::data\]$/],
    ['events::x', EXPAND_OPEN, /^Invalid index name \[events::x\], .* \[x\] is not a recognized selector$/],
    ['logs-*', withParameters(EXPAND_OPEN, { expandWildcards: ['none'] }), /^no such index \[logs-\*\]$/],
  ]
  for (const [names, options, text] of cases) assert.throws(() => find(names, options), { message: text })
  assert.throws(() => withParameters(EXPAND_OPEN, { expandWildcards: ['x'] }), /No valid expand wildcard value \[x\]/)
})

test('an alias filter applies to an index only if every name that reached it is a filtered alias', () => {
  const target = (text: string) =>
    NAMES.searchTargets(text.split(','), EXPAND_OPEN).find((t) => t.index.name === 'logs-1')!
  assert.deepEqual(target('errors').filters, [{ term: { level: 'error' } }])
  assert.deepEqual([...target('errors').searchRouting!], ['a', 'b'])
  assert.equal(target('errors,all').filters, undefined)
  assert.equal(target('errors,logs-1').filters, undefined)
  assert.equal(target('err*,logs-2').filters?.length, 1)
  assert.equal(target('*').filters, undefined)
})

// Goal: a list of names never resolves to an index that no part of it matches. Method: random indices and expressions;
// each result must match a positive part, by its own or an alias's name.
test('random expressions resolve only to indices that one of their parts matches', () => {
  const name = fc.stringMatching(/^[ab]{1,3}$/)
  const expression = fc.stringMatching(/^-?[ab*]{1,3}$/)
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({ name, closed: fc.boolean(), hidden: fc.boolean(), alias: fc.stringMatching(/^[xy]$/) }),
        {
          selector: (index) => index.name,
          maxLength: 5,
        },
      ),
      fc.array(expression, { minLength: 1, maxLength: 4 }),
      (indices, expressions) => {
        const names = resolver(...indices.map(({ alias, ...index }) => ({ ...index, aliases: { [alias]: {} } })))
        let found: IndexMetadata[]
        try {
          found = names.indices(expressions, EXPAND_OPEN)
        } catch (error) {
          assert(error instanceof ApiError)
          return
        }
        const positive = expressions.filter((text) => !text.startsWith('-'))
        for (const index of found) {
          const known = [index.name, ...Object.keys(index.aliases)]
          const asked = positive.filter((text) => known.some((own) => matches(text, own)) || text === '*')
          assert(asked.length > 0, `${index.name} for ${expressions}`)
          const byWildcardOnly = asked.every((text) => text.includes('*'))
          if (byWildcardOnly) assert.equal(index.state, 'open')
        }
      },
    ),
    { numRuns: 500 },
  )
})

function matches(pattern: string, name: string): boolean {
  return new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name)
}
