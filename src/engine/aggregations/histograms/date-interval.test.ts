import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../base/api-error.ts'
import { RequestReader } from '../../request/request-reader.ts'
import { parseAggregations } from '../parse-aggregations.ts'

// Goal: date_histogram and the date sources of a composite parse intervals alike, with Elasticsearch's order of errors.
// Method: the same members in both places; causes recorded from Elasticsearch.
const PLACES = [
  (members: object) => ({ date_histogram: { field: 't', ...members } }),
  (members: object) => ({ composite: { sources: [{ d: { date_histogram: { field: 't', ...members } } }] } }),
]

function causeOf(aggregation: object): string | undefined {
  const reader = new RequestReader(Buffer.from(JSON.stringify({ a: aggregation })))
  reader.next()
  try {
    parseAggregations(reader)
    return undefined
  } catch (error) {
    let cause: unknown = error
    while (cause instanceof ApiError && cause.causedBy !== undefined) cause = cause.causedBy
    return (cause as Error).message
  }
}

test('invalid date intervals are rejected in the order and words of Elasticsearch', () => {
  for (const place of PLACES) {
    assert.equal(
      causeOf(place({ fixed_interval: '1s', calendar_interval: 'bad' })),
      'The supplied interval [bad] could not be parsed as a calendar interval.',
    )
    assert.equal(
      causeOf(place({ calendar_interval: '1d', fixed_interval: 'bad' })),
      'Cannot use [fixed_interval] with [calendar_interval] configuration option.',
    )
    assert.equal(
      causeOf(place({ fixed_interval: '1s', calendar_interval: '1d' })),
      'Cannot use [calendar_interval] with [fixed_interval] configuration option.',
    )
    assert.equal(
      causeOf(place({ fixed_interval: '1s', offset: '5' })),
      'failed to parse setting [DateHistogramAggregationBuilder.parseOffset] with value [5] as a time value: unit is missing or unrecognized',
    )
    assert.equal(causeOf(place({ fixed_interval: '1s', offset: 1.7 })), undefined)
  }
})
