/**
 * Corners of the search: stored fields of nested objects, the texts of nested queries, numbers at the end of their types,
 * metadata fields, points that are none, and clauses with values of the wrong kind.
 *
 * `corner-cases.ndjson` has a request per line: those that set an index up, and others with the answer a real Elasticsearch
 * 8.19 gave to them.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { comparable } from './comparable.ts'

interface Recorded {
  readonly setup?: boolean
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly status: number
  readonly answer: unknown
}

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
})
after(() => search.stop())

test('corner cases are answered as Elasticsearch answered them', async () => {
  const different: string[] = []
  for (const line of readFileSync(new URL('corner-cases.ndjson', import.meta.url), 'utf8')
    .trim()
    .split('\n')) {
    const { setup, method, path, body, status, answer } = JSON.parse(line) as Recorded
    const given = await search.request(method, path, body)
    if (setup === true) continue
    try {
      assert.deepEqual({ status: given.status, answer: comparable(given.body) }, { status, answer })
    } catch (error) {
      different.push(`${method} ${path} ${JSON.stringify(body)}\n${(error as Error).message}`)
    }
  }
  assert.equal(different.length, 0, different.slice(0, 5).join('\n\n'))
})
