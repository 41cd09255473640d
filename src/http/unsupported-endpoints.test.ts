import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startSearch } from '../testing/index.ts'
import { UnsupportedEndpoints } from './unsupported-endpoints.ts'

describe('unsupported endpoints', () => {
  test('a request for a missing API of Elasticsearch gets an error with status and type', () => {
    const endpoints = new UnsupportedEndpoints()
    const answer = endpoints.answer('POST', '/_sql/translate', () => 1)
    assert.equal(answer?.status, 400)
    assert.match(JSON.stringify(answer?.body), /"\[\/_sql\] is not supported by Sandpiper; see docs\/compatibility.md/)
  })

  test('paths of supported APIs and of indices are left to the router', () => {
    const endpoints = new UnsupportedEndpoints()
    for (const path of ['/', '/logs', '/logs/_search', '/_search', '/_sqlite', '/a/_doc/_sql', '/_query_rules_x']) {
      assert.equal(
        endpoints.answer('GET', path, () => 1),
        undefined,
        path,
      )
    }
  })

  test('requests for missing APIs are counted by endpoint', async () => {
    const search = await startSearch({ listen: false })
    try {
      await search.request('POST', '/_ml/anomaly_detectors/_stats')
      await search.request('POST', '/_ml/info')
      await search.request('GET', '/logs/_eql/search')
      const { status, body } = await search.request('GET', '/_sandpiper/unsupported')
      assert.equal(status, 200)
      const counts = (body as { unsupported: { endpoint: string; count: number }[] }).unsupported
      assert.deepEqual(
        counts.map(({ endpoint, count }) => [endpoint, count]),
        [
          ['/_ml', 2],
          ['/{index}/_eql', 1],
        ],
      )
    } finally {
      await search.stop()
    }
  })
})
