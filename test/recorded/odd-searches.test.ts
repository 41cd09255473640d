/**
 * Rare searches: every clause on fields of every kind and on metadata fields; values of the wrong kind, empty texts,
 * empty patterns, unsuitable options.
 *
 * `odd-searches.ndjson` has a request per line: requests that set the index up, and requests with the response of
 * Elasticsearch 8.19.
 */
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
})
after(() => search.stop())

test('rare searches have the responses of Elasticsearch', () => checkRecorded(search, 'odd-searches.ndjson'))
