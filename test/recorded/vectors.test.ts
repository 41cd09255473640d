/**
 * Vectors: definitions and mistakes in them, documents that do not fit, neighbours by every similarity and type of element,
 * as a section and as a clause, beside queries, filters, sorts and aggregations.
 *
 * `vectors.ndjson` has a request per line, in order: requests that only prepare, and requests with the response of
 * Elasticsearch 8.19. The indices of floats compare exactly there, too; neighbours with equal scores are left out.
 *
 * `vector-scripts.ndjson` has scripts that compare vectors, and what they see of them.
 */
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
})
after(() => search.stop())

test('vectors in nested objects have the responses of Elasticsearch', () =>
  checkRecorded(search, 'vectors-nested.ndjson'))

test('vectors are written, copied, sorted, collapsed and rescored like those of Elasticsearch', () =>
  checkRecorded(search, 'vector-uses.ndjson'))

test('scripts compare vectors as those of Elasticsearch do', () => checkRecorded(search, 'vector-scripts.ndjson'))

test('vectors have the responses of Elasticsearch', () => checkRecorded(search, 'vectors.ndjson'))
