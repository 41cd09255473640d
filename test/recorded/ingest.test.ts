/**
 * Ingest pipelines: every processor on values of every kind, conditions, scripts, failures, mistakes in configurations, and documents
 * that go through default and final pipelines.
 *
 * `ingest.ndjson` has a request per line with the response of a real Elasticsearch 8.19.
 */
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
})
after(() => search.stop())

test('requests about ingest pipelines are answered as Elasticsearch answered them', () =>
  checkRecorded(search, 'ingest.ndjson'))
