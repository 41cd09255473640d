/**
 * Writes nobody means to send: numbers, dates, points and ranges at the edges of their types, lines of a bulk with odd members,
 * mappings with parameters of the wrong kind, and lists of names that come to nothing.
 *
 * `odd-writes.ndjson` has a request per line, one after the other: those that only prepare, and others with the answer a real
 * Elasticsearch 8.19 gave to them.
 */
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
})
after(() => search.stop())

test('odd writes are answered as Elasticsearch answered them', () => checkRecorded(search, 'odd-writes.ndjson'))
