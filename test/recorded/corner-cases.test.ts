/**
 * Corners of the search: stored fields of nested objects, the texts of nested queries, numbers at the end of their types,
 * metadata fields, points that are none, texts that are nearly numbers, and clauses and documents with values of the wrong kind.
 *
 * `corner-cases.ndjson` has a request per line: those that set an index up, and others with the answer a real Elasticsearch
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

test('corner cases are answered as Elasticsearch answered them', () => checkRecorded(search, 'corner-cases.ndjson'))
