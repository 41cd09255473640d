/**
 * Runtime fields of every type in queries, sorts, aggregations and fetches, and scripts in every place of a search.
 *
 * `runtime-fields.ndjson` has a request per line: requests that set the index up, and requests with the response of
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

test('searches with runtime fields and scripts have the responses of Elasticsearch', () =>
  checkRecorded(search, 'runtime-fields.ndjson'))
