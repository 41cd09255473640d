/**
 * Searches that seldom occur: every clause on fields of every kind, and on those that each index has; values of the wrong kind,
 * empty texts, patterns of nothing, options that do not suit.
 *
 * `odd-searches.ndjson` has a request per line: those that set the index up, and others with the answer a real Elasticsearch
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

test('odd searches are answered as Elasticsearch answered them', () => checkRecorded(search, 'odd-searches.ndjson'))
