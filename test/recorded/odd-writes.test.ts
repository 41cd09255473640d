/**
 * Rare writes: numbers, dates, points and ranges at the limits of their types, bulk lines with odd members, mappings
 * with parameters of the wrong kind, and lists of names that resolve to nothing.
 *
 * `odd-writes.ndjson` has a request per line, in order: requests that only prepare, and requests with the response of
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

test('rare writes have the responses of Elasticsearch', () => checkRecorded(search, 'odd-writes.ndjson'))
