/**
 * Searches with all kinds of options and mistakes over a few documents, with the answers a real Elasticsearch 8.19 gave to the same
 * requests: queries, sorts, fields, highlights, suggestions, counts, checks and explanations.
 *
 * `searches.ndjson` has a request and its answer per line. What depends on the machine (node, time, ids of indices) was left out
 * when it was recorded, and is left out here.
 */
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
  const settings = { number_of_shards: 1, number_of_replicas: 0 }
  await search.request('PUT', '/books', { settings, mappings: JSON.parse(read('searches-mapping.json')) })
  await search.request('POST', '/books/_bulk?refresh=true', read('searches-documents.ndjson'))
})
after(() => search.stop())

test('searches are answered as Elasticsearch answered them', () => checkRecorded(search, 'searches.ndjson'))
