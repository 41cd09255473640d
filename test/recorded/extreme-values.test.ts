/**
 * Aggregations over values at the limits of their types: 64-bit integers, the largest and smallest decimals, dates
 * after year 9999 and before year 1, poles and the date line, the first and last addresses, empty and odd terms.
 *
 * `extreme-values.ndjson` has a request per line: requests that set the index up, and requests with the response of
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

test('aggregations over extreme values have the responses of Elasticsearch', () =>
  checkRecorded(search, 'extreme-values.ndjson'))
