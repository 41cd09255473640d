/** Sends the requests of a recorded file, one per line, and compares the responses with those of Elasticsearch 8.19. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestSearch } from '../../src/testing/index.ts'
import { comparable, fillIn, keptMembers, shapeOf, without } from './exchange.mjs'

/** A line of a recorded file. `scripts/record.mjs` describes the members. */
interface Recorded {
  readonly setup?: boolean
  readonly shape?: boolean
  readonly keep?: Readonly<Record<string, string>>
  readonly headers?: Record<string, string>
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly status: number
  readonly answer: unknown
}

/** The maximum number of differences in a failure message. */
const SHOWN = 5

export async function checkRecorded(search: TestSearch, file: string): Promise<void> {
  const different: string[] = []
  const kept: Record<string, unknown> = {}
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  for (const line of lines) {
    const { setup, shape, keep, headers, method, path, body, status, answer } = JSON.parse(line) as Recorded
    const given = await search.request(method, fillIn(path, kept), fillIn(body, kept), headers)
    Object.assign(kept, keptMembers(keep, given.body))
    if (setup === true) continue
    try {
      const compared = shape === true ? shapeOf(given.body) : comparable(without(given.body ?? '', keep))
      assert.deepEqual({ status: given.status, answer: compared }, { status, answer: answer ?? '' })
    } catch (error) {
      different.push(`${method} ${path} ${JSON.stringify(body)}\n${(error as Error).message}`)
    }
  }
  assert.equal(different.length, 0, `${different.length} differ\n${different.slice(0, SHOWN).join('\n\n')}`)
}
