/**
 * Scripts of every context and runtime fields in requests that users send: value scripts of aggregations, scripts of hits,
 * explanations, updates and their metadata, mistakes.
 *
 * `script-contexts.ndjson` has a request per line: requests that set the indices up, and requests with the response of
 * Elasticsearch 8.19 with Painless.
 */
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
})
after(() => search.stop())

test('scripts of all contexts have the responses of Elasticsearch', () =>
  checkRecorded(search, 'script-contexts.ndjson'))
