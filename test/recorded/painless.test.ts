/**
 * Scripts whose results and errors were recorded from an Elasticsearch with Painless (`test/oracle/painless-scripts.ts
 * --record`). The JVM's names for variables in null pointer messages are not compared.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { executeScript } from '../painless/execute.ts'

interface Recorded {
  source: string
  result?: string
  error?: { reason: string; position?: unknown; caused_by: { type: string; reason: string | null } }
}

const lines = readFileSync(new URL('./painless.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const cases = lines.map((line) => JSON.parse(line) as Recorded)

const withoutNames = (text: string | null | undefined) =>
  text?.replace(/because .* is null$/, 'because something is null')

test(`recorded scripts have the recorded results: ${cases.length}`, () => {
  assert.ok(cases.length > 400)
  const wrong: string[] = []
  for (const { source, result, error } of cases) {
    const body = executeScript({ script: { source } }).body as unknown as Recorded
    const same =
      error === undefined
        ? body.result === result
        : body.error?.reason === error.reason &&
          body.error.caused_by.type === error.caused_by.type &&
          withoutNames(body.error.caused_by.reason) === withoutNames(error.caused_by.reason) &&
          JSON.stringify(body.error.position) === JSON.stringify(error.position)
    if (!same) wrong.push(`${source}\n  recorded ${JSON.stringify(error ?? result)}\n  ours ${JSON.stringify(body)}`)
  }
  assert.deepEqual(wrong, [])
})
