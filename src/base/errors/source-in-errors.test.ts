import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../api-error.ts'
import { FaultySource } from '../json/faulty-source.ts'
import { withoutSource, withoutSourceInJson } from './source-in-errors.ts'

const HIDDEN = '[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 3]'

test('pieces of documents are hidden in errors, whatever the documents contain', () => {
  for (const document of ['{"n": }', '"; line: 1, column: 2]', '\\"', 'x'.repeat(900), '\n\u0001é']) {
    const bytes = Buffer.from(document)
    const place = new FaultySource(bytes, 0, bytes.length).placeText(1, 3)
    const cause = new ApiError(400, 'x_content_parse_exception', `[1:2] bad\n at ${place}`)
    const error = new ApiError(400, 'document_parsing_exception', `failed: ${place}`, { causedBy: cause })
    const hidden = withoutSource(error) as ApiError
    assert.deepEqual([hidden.message, hidden.causedBy!.message], [`failed: ${HIDDEN}`, `[1:2] bad\n at ${HIDDEN}`])
    const items = JSON.stringify({
      items: [{ error: { reason: error.message } }, { error: { reason: place } }, { id: 'b' }],
    })
    const shown = JSON.parse(Buffer.from(withoutSourceInJson(Buffer.from(items))).toString())
    assert.deepEqual(shown.items, [
      { error: { reason: `failed: ${HIDDEN}` } },
      { error: { reason: HIDDEN } },
      { id: 'b' },
    ])
  }
})
