/** Goal: runtime fields that read each other in a cycle fail in the script, with its position, as in Elasticsearch. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../src/testing/index.ts'

test('a runtime field whose script reads the field itself fails with a script_exception', async () => {
  const search = await startSearch({ listen: false })
  try {
    await search.request('PUT', '/numbers/_doc/1?refresh=true', { n: 1 })
    for (const [type, script, offset] of [
      ['long', "emit(doc['a'].value + 1)", 9],
      ['keyword', "emit(doc['a'].value + '.')", 9],
    ] as const) {
      const { status, body } = await search.request('POST', '/numbers/_search', {
        runtime_mappings: { a: { type, script } },
        fields: ['a'],
      })
      assert.equal(status, 400)
      const { reason } = body.error.failed_shards[0]
      assert.equal(reason.type, 'script_exception')
      assert.equal(reason.position.offset, offset)
      assert.deepEqual(reason.caused_by, {
        type: 'illegal_argument_exception',
        reason: 'Cyclic dependency detected while resolving runtime fields: a -> a',
      })
    }
  } finally {
    await search.stop()
  }
})
