/**
 * Goal: the wire format of documents, indices, searches, paging, cluster and cat APIs, and of the errors of each. A request per line in
 * `wire/*.ndjson`, with the answer a real Elasticsearch 8.19 gave; `scripts/record.mjs` records them again.
 */
import { after, before, describe, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

for (const family of ['documents', 'indices', 'search', 'paging', 'cluster', 'cat', 'differences', 'version-7']) {
  describe(`the ${family} APIs`, () => {
    let search: TestSearch
    before(async () => {
      search = await startSearch({ listen: false, errorHelp: false })
    })
    after(() => search.stop())

    test('answer as Elasticsearch answered', () => checkRecorded(search, `wire/${family}.ndjson`))
  })
}
