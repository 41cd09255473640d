/**
 * Numbers are checked where they are read: whatever stands in the place of one, the answer is a success or a mistake of the client, and
 * holds no number that is none.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../src/testing/index.ts'
import { mutatedRequests, NUMBERS_DOCUMENTS, NUMBERS_MAPPING } from './numeric-members.ts'

/** Elasticsearch answers some of these with a 500 of its own. */
const KNOWN_500 = /"type":"(?:illegal_state_exception|aggregation_execution_exception|arithmetic_exception)"/

test('odd values in the place of numbers are refused or make sense', async () => {
  const search = await startSearch({ listen: false })
  try {
    await search.request('PUT', '/numbers', NUMBERS_MAPPING)
    for (const [i, document] of NUMBERS_DOCUMENTS.entries()) await search.request('PUT', `/numbers/_doc/${i}`, document)
    await search.request('POST', '/numbers/_refresh')
    const wrong: string[] = []
    for (const { name, body } of mutatedRequests()) {
      const answer = await search.request('POST', '/numbers/_search', body)
      const isOurs = answer.status >= 500 && !KNOWN_500.test(answer.text)
      if (isOurs || /:(?:NaN|-?Infinity)[,}\]]/.test(answer.text))
        wrong.push(`${name} -> ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    assert.deepEqual(wrong, [])
  } finally {
    await search.stop()
  }
})
