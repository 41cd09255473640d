import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../base/api-error.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { IndexTemplate } from '../metadata/metadata.ts'
import { MetadataState } from '../metadata/metadata-state.ts'
import { compose, matchingTemplate } from './compose-template.ts'
import { parseLegacyTemplate } from './legacy-template-parser.ts'
import { mergeMappings } from './merge-mappings.ts'
import { patternsOverlap } from './pattern-overlap.ts'
import { printIndexTemplate } from './print-template.ts'
import { parseIndexTemplate } from './template-parser.ts'
import { checkComponent } from './template-rules.ts'

// Goal: two patterns overlap exactly if some name matches both. Method: all names of up to five letters of a small
// alphabet.
test('two patterns overlap if one name matches both', () => {
  const names = allNames(['a', 'b'], 5)
  const pattern = fc.stringMatching(/^[ab*]{1,3}$/)
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const both = names.some((name) => namePattern(one)(name) && namePattern(other)(name))
      assert.equal(patternsOverlap(one, other), both || (one === '*' && other === '*'), `${one} ${other}`)
    }),
    { numRuns: 400 },
  )
})

function allNames(letters: readonly string[], length: number): string[] {
  if (length === 0) return ['']
  const shorter = allNames(letters, length - 1)
  return [...new Set([...shorter, ...shorter.flatMap((name) => letters.map((letter) => name + letter))])]
}

test('a later mapping replaces fields and merges objects, however they are spelled', () => {
  const merged = mergeMappings([
    { dynamic: 'strict', properties: { 'o.a': { type: 'keyword', ignore_above: 5 }, x: { type: 'text' } } },
    { properties: { o: { properties: { b: { type: 'long' } } }, 'o.a': { type: 'text' } }, _meta: { m: 1 } },
    { properties: { x: { type: 'object', properties: {} } }, _meta: { n: 2 }, dynamic: false },
  ])
  assert.deepEqual(merged, {
    dynamic: false,
    _meta: { m: 1, n: 2 },
    properties: {
      o: { properties: { a: { type: 'text' }, b: { type: 'long' } } },
      x: { type: 'object', properties: {} },
    },
  })
})

test('a later dynamic template replaces an earlier one with the same name', () => {
  const merged = mergeMappings([
    { dynamic_templates: [{ a: { match: '1' } }, { b: { match: '2' } }] },
    { dynamic_templates: [{ a: { match: '3' } }, { c: { match: '4' } }] },
  ])
  assert.deepEqual(merged['dynamic_templates'], [{ a: { match: '3' } }, { b: { match: '2' } }, { c: { match: '4' } }])
})

test('the template with the highest priority applies, after its components', () => {
  const low: IndexTemplate = { patterns: ['*'], composedOf: [], priority: 1 }
  const high: IndexTemplate = {
    patterns: ['logs-*'],
    composedOf: ['one', 'two'],
    priority: 5,
    template: { settings: { 'index.codec': 'default' }, aliases: { al: { isHidden: true } } },
  }
  const state = MetadataState.empty().with([
    { section: 'indexTemplates', name: 'low', value: low },
    { section: 'indexTemplates', name: 'high', value: high },
    {
      section: 'componentTemplates',
      name: 'one',
      value: { template: { settings: { 'index.codec': 'x', 'index.priority': '1' }, aliases: { al: {}, other: {} } } },
    },
    { section: 'componentTemplates', name: 'two', value: { template: { settings: { 'index.priority': '2' } } } },
  ])
  assert.equal(matchingTemplate(state, 'logs-1', false)?.name, 'high')
  assert.equal(matchingTemplate(state, 'other', false)?.name, 'low')
  assert.equal(matchingTemplate(state, 'other', true), undefined)
  const composed = compose(state, high)
  assert.deepEqual(composed.settings, { 'index.codec': 'default', 'index.priority': '2' })
  assert.deepEqual(composed.aliases, { al: { isHidden: true }, other: {} })
})

test('an error in a template reports its position', () => {
  const reason = (body: string) => {
    try {
      parseIndexTemplate(Buffer.from(body))
    } catch (error) {
      assert(error instanceof ApiError)
      return error.causedBy === undefined ? error.message : `${error.message} <- ${error.causedBy.message}`
    }
    return ''
  }
  assert.equal(reason('{"index_patterns":["x*"],"foo":1}'), '[1:26] [index_template] unknown field [foo]')
  assert.equal(
    reason('{"index_patterns":["x"],"template":{"foo":1}}'),
    '[1:43] [index_template] failed to parse field [template] <- [1:37] [template] unknown field [foo]',
  )
  assert.equal(reason('{"template":{}}'), 'Required [index_patterns]')
  assert.equal(reason('{"index_patterns":"x","template":{"mappings":{"_doc":{}}}}'), '')
})

test('a null setting of a template removes the value of its components, and a later value replaces the null', () => {
  const parts = [
    { settings: { 'index.codec': 'default', 'index.priority': '1' } },
    { unset: ['index.codec', 'index.priority'] },
  ]
  const state = MetadataState.empty().with(
    parts.map((template, i) => ({ section: 'componentTemplates', name: `c${i}`, value: { template } }) as const),
  )
  const composed = compose(state, {
    patterns: ['x'],
    composedOf: ['c0', 'c1'],
    template: { settings: { 'index.priority': '3' } },
  })
  assert.deepEqual(composed.settings, { 'index.priority': '3' })
  assert.deepEqual(composed.unset, ['index.codec'])
})

test('a template keeps its null settings and shows them, but not empty mappings', () => {
  const body = {
    index_patterns: 'x',
    template: { settings: { refresh_interval: null, codec: 'default' }, mappings: {} },
  }
  const template = parseIndexTemplate(Buffer.from(JSON.stringify(body)))
  assert.deepEqual(JSON.parse(JSON.stringify(printIndexTemplate(template, true)))['template'], {
    settings: { 'index.codec': 'default', 'index.refresh_interval': null },
  })
})

test('a template with a null in a list or with mappings that are no object is rejected', () => {
  const cause = (template: unknown) => {
    try {
      parseIndexTemplate(Buffer.from(JSON.stringify({ index_patterns: 'x', template })))
    } catch (error) {
      return (error as ApiError).causedBy?.causedBy?.message
    }
    return undefined
  }
  assert.equal(cause({ settings: { a: [null] } }), 'only value lists are allowed in serialized settings')
  assert.equal(cause({ mappings: 1 }), 'Unexpected token: VALUE_NUMBER')
  assert.equal(cause({ mappings: null }), 'Unexpected token: VALUE_NULL')
})

test('a component template with a private setting is rejected, also if the setting is null', () => {
  const settings = { 'index.version.created': '8000099' }
  assert.throws(
    () => checkComponent('c', { settings }),
    /private index setting \[index.version.created\] can not be set explicitly/,
  )
  assert.throws(() => checkComponent('c', { unset: ['index.version.created'] }), /is not present in the index settings/)
  checkComponent('c', { settings: { 'index.number_of_shards': '2' } })
})

test('the order of a legacy template is an integer of 32 bits or its text, and anything else is rejected', () => {
  const parse = (order: unknown) => parseLegacyTemplate({ index_patterns: ['a'], order }).order
  assert.deepEqual([null, 3, '3', '+3', '-3'].map(parse), [0, 3, 3, 3, -3])
  for (const wrong of ['', ' 1', '0x10', '1e2', '3000000000']) {
    assert.throws(() => parse(wrong), { type: 'number_format_exception', message: `For input string: "${wrong}"` })
  }
  assert.throws(() => parse([1]), { message: 'For input string: "[1]"' })
  assert.throws(() => parse({}), { message: 'For input string: "{}"' })
  assert.throws(() => parse(3_000_000_000), { type: 'arithmetic_exception', status: 400 })
})

test('versions and priorities of templates may exceed 32 bits', () => {
  const { version, priority } = parseIndexTemplate(
    Buffer.from('{"index_patterns":["a"],"version":20261118210000,"priority":"3000000000"}'),
  )
  assert.deepEqual([version, priority], [20261118210000, 3000000000])
})
