/**
 * Goal: invalid settings of analysis components are rejected with Elasticsearch's reason, and never with an internal
 * error.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
})
after(() => search.stop())

const NO_GROUP = ['$', '{x}'].join('')
const LENGTH = 'maxTokenLen must be greater than 0 and less than 1048576 passed:'

const REJECTED: readonly (readonly [
  part: 'char_filter' | 'tokenizer' | 'filter',
  component: object,
  reason: string,
])[] = [
  ['char_filter', { type: 'mapping', mappings: ['=>b'] }, 'cannot match the empty string'],
  ['char_filter', { type: 'mapping', mappings: ['\\u00zz=>a'] }, 'For input string: "00zz" under radix 16'],
  ['char_filter', { type: 'pattern_replace', pattern: 'a', replacement: '\\' }, 'character to be escaped is missing'],
  ['char_filter', { type: 'pattern_replace', pattern: 'a', replacement: NO_GROUP }, 'No group with name {x}'],
  ['char_filter', { type: 'pattern_replace', pattern: 'a', replacement: '$9' }, 'No group 9'],
  ['tokenizer', { type: 'standard', max_token_length: 1048577 }, 'maxTokenLength may not exceed 1048576'],
  ['tokenizer', { type: 'whitespace', max_token_length: 0 }, `${LENGTH} 0`],
  ['tokenizer', { type: 'char_group', max_token_length: 1048577 }, `${LENGTH} 1048577`],
  ['tokenizer', { type: 'keyword', buffer_size: -5 }, `${LENGTH} -5`],
  ['tokenizer', { type: 'path_hierarchy', delimiter: '' }, 'delimiter must be a one char value'],
  ['tokenizer', { type: 'path_hierarchy', buffer_size: -1 }, 'bufferSize cannot be negative'],
  ['filter', { type: 'limit', max_token_count: 0 }, 'maxTokenCount must be greater than zero'],
  [
    'filter',
    { type: 'fingerprint', separator: 'ab' },
    'Setting [separator] must be a single, non-null character. [ab] was provided.',
  ],
  ['filter', { type: 'min_hash', hash_count: 0 }, 'hashCount must be greater than zero'],
  ['filter', { type: 'min_hash', bucket_count: -1 }, 'bucketCount must be greater than zero'],
  ['filter', { type: 'min_hash', hash_set_size: 0 }, 'hashSetSize must be greater than zero'],
  [
    'filter',
    { type: 'synonym', synonyms: ['=>'] },
    "failed to build synonyms from ['__anonymous__synonym' analyzer settings]",
  ],
]

for (const [part, component, reason] of REJECTED) {
  test(`${part} ${JSON.stringify(component)} is rejected with ${reason}`, async () => {
    const components = part === 'tokenizer' ? { tokenizer: component } : { tokenizer: 'standard', [part]: [component] }
    const { status, body } = await search.request('POST', '/_analyze', { text: 'abc', ...components })
    assert.deepEqual([status, body.error?.reason], [400, reason])
  })
}

test('a replacement uses as many digits as name a group of the pattern', async () => {
  const filter = { type: 'pattern_replace', pattern: '(a)(b)', replacement: '$12$2' }
  const { body } = await search.request('POST', '/_analyze', { text: 'ab', tokenizer: 'standard', filter: [filter] })
  assert.equal(body.tokens[0].token, 'a2b')
})
