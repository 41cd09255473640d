/** Sends the requests of a recorded file, a line each, and compares the answers with those a real Elasticsearch 8.19 gave. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestSearch } from '../../src/testing/index.ts'

interface Recorded {
  /** Such a request only prepares what others ask for. */
  readonly setup?: boolean
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly status: number
  readonly answer: unknown
}

/** How many differences a failure shows. */
const SHOWN = 5

export async function checkRecorded(search: TestSearch, file: string): Promise<void> {
  const different: string[] = []
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  for (const line of lines) {
    const { setup, method, path, body, status, answer } = JSON.parse(line) as Recorded
    const given = await search.request(method, path, body)
    if (setup === true) continue
    try {
      assert.deepEqual({ status: given.status, answer: comparable(given.body) }, { status, answer })
    } catch (error) {
      different.push(`${method} ${path} ${JSON.stringify(body)}\n${(error as Error).message}`)
    }
  }
  assert.equal(different.length, 0, different.slice(0, SHOWN).join('\n\n'))
}

const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  'took',
  '_node',
  'node',
  'index_uuid',
  'uuid',
  '_scroll_id',
  'nodes',
])

/** Answers without what depends on the machine, its clock and its random ids. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\[([a-z]+)\/[\w-]{22}\]/g, '[$1]')
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !OF_THE_MACHINE.has(name))
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]))
}
