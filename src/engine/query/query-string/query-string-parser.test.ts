import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hitIds, openTestShard } from '../../search/search-fixture.ts'

const shard = openTestShard(
  { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'integer' } },
  [
    [
      { id: '1', source: { t: 'quick brown fox', k: 'red', n: 1 } },
      { id: '2', source: { t: 'lazy brown dog', k: 'blue', n: 5 } },
      { id: '3', source: { t: 'quick dog', u: 'fox', n: 9 } },
      { id: '4', source: { k: 'Red', n: 5 } },
    ],
  ],
)

const find = (query: string, options: object = { default_field: 't' }) =>
  hitIds(shard, { query: { query_string: { query, ...options } }, sort: '_doc' }).join('')

// Goal: every element of the syntax finds the documents it describes.
test('the query string language matches as documented', () => {
  const cases: [query: string, ids: string][] = [
    ['quick', '13'],
    ['quick dog', '123'],
    ['quick AND dog', '3'],
    ['quick && dog', '3'],
    ['+quick dog', '13'],
    ['quick -dog', '1'],
    ['quick NOT dog', '1'],
    ['"brown fox"', '1'],
    ['"quick fox"~1', '1'],
    ['qu*', '13'],
    ['QU*', '13'],
    ['?azy', '2'],
    ['quik~', '13'],
    ['/br[a-z]+n/', '12'],
    ['(lazy OR fox) AND brown', '12'],
    ['u:fox', '3'],
    ['k:red', '1'],
    ['n:[1 TO 5}', '1'],
    ['n:>=5', '234'],
    ['n:<5', '1'],
    ['_exists_:k', '124'],
    ['k:*', '124'],
    ['*:*', '1234'],
    ['nowhere:x', ''],
    ['quick\\ brown', '123'],
  ]
  for (const [query, ids] of cases) assert.equal(find(query), ids, query)
})

test('query_string searches a list of fields, and a pattern for all fields', () => {
  assert.equal(find('fox', { fields: ['t', 'u'] }), '13')
  assert.equal(find('fox', {}), '13')
  assert.equal(find('5', {}), '24')
  assert.equal(find('quick dog', { fields: ['t', 'u'], default_operator: 'and' }), '3')
})

test('with default_operator AND, OR overrides the sign of a word', () => {
  const options = { default_field: 't', default_operator: 'and' }
  assert.equal(find('lazy OR +fox', options), '12')
  assert.equal(find('brown +fox', options), '1')
})

test('a malformed query string is rejected with its position', () => {
  assert.throws(
    () => find('t:(fox'),
    (error: Error & { causedBy?: Error }) =>
      error.message === 'Failed to parse query [t:(fox]' &&
      (error.causedBy?.message ?? '').startsWith(
        'Cannot parse \'t:(fox\': Encountered "<EOF>" at line 1, column 6.\nWas expecting one of:\n    <AND> ...\n',
      ),
  )
})

test('simple_query_string accepts any text', () => {
  const simple = (query: string) =>
    hitIds(shard, { query: { simple_query_string: { query, fields: ['t'] } }, sort: '_doc' }).join('')
  assert.equal(simple('quick + dog'), '3')
  assert.equal(simple('"brown fox" | lazy'), '12')
  assert.equal(simple('qui*'), '13')
  assert.equal(simple('fox +('), '1')
  assert.equal(simple('"unclosed'), '')
  assert.equal(simple('quick + -dog'), '1')
  assert.equal(simple('quick (( +dog (('), simple('quick + dog'))
  assert.equal(simple('quick +() dog'), simple('quick dog'))
  assert.equal(simple('quick +"" dog'), simple('quick dog'))
  assert.equal(simple('(quick +(dog)) lazy)'), simple('(quick + dog) | lazy'))
})

test('a purely negative group matches nothing, even next to other filters', () => {
  const nothing = { bool: { must_not: [{ match: { t: 'fox' } }], should: [{ fuzzy: { t: 'nowhere' } }] } }
  assert.deepEqual(hitIds(shard, { query: { bool: { filter: [{ exists: { field: 'n' } }, nothing] } } }), [])
})

test('a text that is nested too deeply is rejected by both languages, and a deep one is not', () => {
  const nested = (depth: number) => `${'(fox '.repeat(depth)}dog${')'.repeat(depth)}`
  for (const name of ['query_string', 'simple_query_string']) {
    const ids = (query: string) => hitIds(shard, { query: { [name]: { query, fields: ['t'] } }, sort: '_doc' }).join('')
    assert.equal(ids(nested(100)), '123')
    assert.throws(() => ids(nested(8_000)), {
      status: 400,
      message: 'failed to create query: The request is nested too deeply',
    })
  }
})
