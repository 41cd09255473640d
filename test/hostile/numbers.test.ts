/**
 * Goal: numbers are validated when they are parsed. With any value in place of a number, the response is a success or a
 * client error and contains no invalid number.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../src/testing/index.ts'
import { mutatedRequests, NUMBERS_DOCUMENTS, NUMBERS_MAPPING } from './numeric-members.ts'

const isSlow = process.env['SANDPIPER_SLOW_TESTS'] === '1'
/**
 * The short test takes every 11th request. The number of odd values is no multiple of 11, so that each of them occurs.
 */
const STEP = isSlow ? 1 : 11
/** Elasticsearch responds with a 500 if valid numbers produce an invalid score. */
const NO_SCORE = /function score query returned an invalid score/

test('an odd value in place of a number is rejected or has a valid result', async () => {
  const search = await startSearch({ listen: false })
  try {
    await search.request('PUT', '/numbers', NUMBERS_MAPPING)
    for (const [i, document] of NUMBERS_DOCUMENTS.entries()) await search.request('PUT', `/numbers/_doc/${i}`, document)
    await search.request('POST', '/numbers/_refresh')
    const wrong: string[] = []
    let count = 0
    for (const { name, body } of mutatedRequests()) {
      if (count++ % STEP !== 0) continue
      const answer = await search.request('POST', '/numbers/_search', body)
      const isOurs = answer.status >= 500 && !NO_SCORE.test(answer.text)
      if (isOurs || /:(?:NaN|-?Infinity)[,}\]]/.test(answer.text))
        wrong.push(`${name} -> ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    assert.deepEqual(wrong, [])
  } finally {
    await search.stop()
  }
})
