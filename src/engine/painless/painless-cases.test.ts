import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { type ApiError, errorBody } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { runCases } from '../cases/case-file.ts'
import { IngestCondition, IngestScript } from '../scripts/ctx-script.ts'
import { inlineScript } from '../scripts/script.ts'
import { compileScript, javaString } from './index.ts'

// Goal: scripts have the same results and errors as on Elasticsearch. Method: the text files of `cases/`. Their outputs
// were recorded from Elasticsearch (`scripts/record-painless.mjs`), so they are recorded again rather than rewritten.
// The JVM's names for variables in null pointer messages are not compared.
const folder = new URL(
  import.meta.url.includes('/dist/') ? '../../../src/engine/painless/cases/' : './cases/',
  import.meta.url,
)

for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
  test(`scripts of ${name} have the recorded results`, () => {
    const wrong: string[] = []
    runCases(new URL(name, folder), run, ({ input, expected }, output) => {
      if (withoutNames(output) !== withoutNames(expected)) {
        wrong.push(`${input.join('\n')}\n  recorded ${expected}\n  ours     ${output}`)
      }
    })
    assert.deepEqual(wrong, [])
  })
}

const DOCUMENT = { a: 1, b: { c: 2.5 }, l: [1, 2], s: 'x', _index: 'i', _id: '1', _version: -3 }

function run(command: string, input: readonly string[]): string {
  const source = input.join('\n')
  try {
    switch (command) {
      case 'ingest':
        return printed(new IngestScript(inlineScript(source)).run(DOCUMENT, 0))
      case 'condition':
        return String(new IngestCondition(inlineScript(source)).holds(DOCUMENT))
      default:
        return javaString(compileScript({ source, context: 'painless_test' }).newInstance({}).execute())
    }
  } catch (error) {
    return failure(error as ApiError)
  }
}

const printed = (members: Record<string, unknown>): string => Buffer.from(encodeJson(sorted(members))).toString()

/** Sorts the members by name, because the order of a hash map is not worth comparing. */
function sorted(members: object): object {
  const entries = Object.entries(members)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, value]) => [name, isPlain(value) ? sorted(value) : value]))
}

const isPlain = (value: unknown): value is object => Object.getPrototypeOf(value)?.constructor === Object

function failure(error: ApiError): string {
  const { type, reason, position, caused_by } = (errorBody(error)['error'] ?? {}) as Record<string, never>
  const { offset } = (position ?? {}) as { offset?: number }
  const cause = caused_by as { type: string; reason: string | null } | undefined
  const what = cause === undefined ? `${type}: ${reason}` : `${cause.type}: ${cause.reason}`
  return `${offset === undefined ? '' : `${reason} at ${offset}: `}${what}`
}

const withoutNames = (text: string) => text.replace(/because .* is null$/, 'because something is null')

test('a script that is nested too deeply to be compiled is a compile error without a position', () => {
  const source = `return ${'1+'.repeat(50_000)}1`
  assert.throws(
    () => compileScript({ source, context: 'painless_test' }),
    (error: ApiError) => {
      const { error: shown } = errorBody(error) as { error: Record<string, unknown> }
      const cause = { type: 'stack_overflow_error', reason: null }
      assert.deepEqual(shown['root_cause'], [cause])
      assert.deepEqual(
        [shown['type'], shown['reason'], shown['script_stack']],
        ['script_exception', 'compile error', []],
      )
      assert.deepEqual(shown['caused_by'], cause)
      return true
    },
  )
})
