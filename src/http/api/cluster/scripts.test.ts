import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
})
after(() => search.stop())

const get = async (path: string) => (await search.request('GET', path)).body as Record<string, unknown>

test('_scripts/painless/_context lists the contexts', async () => {
  const { contexts } = await get('/_scripts/painless/_context')
  assert.ok((contexts as string[]).includes('keyword_field'))
})

test('_scripts/painless/_context describes classes and functions of a context', async () => {
  const found = await get('/_scripts/painless/_context?context=score')
  const classes = found['classes'] as {
    name: string
    methods: { name: string; return: string; parameters: string[] }[]
  }[]
  const [append] = classes.find(({ name }) => name === 'java.lang.Appendable')!.methods
  assert.deepEqual([append!.name, append!.return], ['append', 'java.lang.Appendable'])
  assert.deepEqual(append!.parameters, ['java.lang.CharSequence', 'int', 'int'])
  assert.ok(classes.some(({ name }) => name === 'java.util.Map$Entry'))
  assert.deepEqual(
    (found['imported_methods'] as { name: string }[]).map(({ name }) => name),
    ['saturation', 'sigmoid'],
  )
})

test('_execute scores its document with the similarity of Lucene', async () => {
  await search.request('PUT', '/texts', { mappings: { properties: { t: { type: 'text' } } } })
  const answer = await search.request('POST', '/_scripts/painless/_execute', {
    script: { source: '_score' },
    context: 'score',
    context_setup: { index: 'texts', document: { t: 'red fox' }, query: { match: { t: 'red' } } },
  })
  assert.deepEqual(answer.body, { result: 0.13076457381248474 })
})
