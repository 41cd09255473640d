/**
 * Corner cases of search: stored fields of nested objects, the texts of nested queries, numbers at the limits of their
 * types, metadata fields, invalid points, texts that are nearly numbers, and clauses and documents with values of the
 * wrong kind.
 *
 * `corner-cases.ndjson` has a request per line: requests that set an index up, and requests with the response of
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

test('corner cases of search have the responses of Elasticsearch', () => checkRecorded(search, 'corner-cases.ndjson'))
