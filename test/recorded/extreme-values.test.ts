/**
 * Aggregations over values at the ends of their types: 64-bit integers, the largest and smallest decimals, dates beyond year
 * 9999 and before year 1, poles and the date line, the first and last addresses, empty and odd terms.
 *
 * `extreme-values.ndjson` has a request per line: those that set the index up, and others with the answer a real Elasticsearch
 * 8.19 gave to them.
 */
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
})
after(() => search.stop())

test('extreme values are counted as Elasticsearch counted them', () => checkRecorded(search, 'extreme-values.ndjson'))
