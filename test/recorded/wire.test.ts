/**
 * Goal: the wire format of the documents, indices, searches, paging, cluster and cat APIs and of their errors is that
 * of Elasticsearch. `wire/*.ndjson` have a request per line with the response of Elasticsearch 8.19.
 * `scripts/record.mjs` records them again.
 */
import { after, before, describe, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

for (const family of [
  'documents',
  'indices',
  'search',
  'paging',
  'cluster',
  'cat',
  'differences',
  'version-7',
  'join',
  'small-things',
  'wrong-members',
  'grammar',
  'combined-features',
  'null-settings',
  'explained-structure',
  'order-of-checks',
  'options-of-parts',
  'found-by-chance',
  'generated',
]) {
  describe(`the ${family} APIs`, () => {
    let search: TestSearch
    before(async () => {
      search = await startSearch({ listen: false, errorHelp: false })
    })
    after(() => search.stop())

    test('every response equals that of Elasticsearch', () => checkRecorded(search, `wire/${family}.ndjson`))
  })
}
