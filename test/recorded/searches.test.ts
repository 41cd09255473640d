/**
 * Searches with many options and mistakes over a few documents, with the responses of Elasticsearch 8.19 to the same
 * requests: queries, sorts, fields, highlights, suggestions, counts, validations and explanations.
 *
 * `searches.ndjson` has a request and its response per line. Members that depend on the machine (node, time, ids of
 * indices) were removed from the recordings and are removed here.
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

test('searches have the responses of Elasticsearch', () => checkRecorded(search, 'searches.ndjson'))
