import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { runCases } from '../../engine/cases/case-file.ts'
import {
  parseByQueryBody,
  parseReindexBody,
  readConflicts,
  readRequestsPerSecond,
  readSlices,
} from './by-query-request.ts'

// Goal: bodies and parameters of by-query requests are parsed to the recorded values or rejected with the recorded
// error. Method: the text files in `cases/`.
const folder = new URL(
  import.meta.url.includes('/dist/') ? '../../../src/service/by-query/cases/' : 'cases/',
  import.meta.url,
)

for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
  test(`a by-query request of ${name} is parsed to the output of its case`, () => {
    runCases(
      new URL(name, folder),
      (command, input) => run(command, input.join('\n')),
      ({ command, input, expected }, output) =>
        assert.equal(output, expected, `${command} ${input.join(' ')} (UPDATE_CASES=1 rewrites the outputs)`),
    )
  })
}

function run(command: string, input: string): string {
  try {
    return JSON.stringify(parse(command, input)) ?? 'undefined'
  } catch (error) {
    if (error instanceof ApiError) return shownError(error)
    throw error
  }
}

function parse(command: string, input: string): unknown {
  const [kind, parameter] = command.split(' ')
  const body = Buffer.from(input)
  if (kind === 'update' || kind === 'delete') return parseByQueryBody(body, kind)
  if (kind === 'reindex') return parseReindexBody(body)
  if (kind === 'slices') return readSlices(parameter)
  if (kind === 'conflicts') return readConflicts(parameter!)
  if (kind === 'requests_per_second') return String(readRequestsPerSecond(parameter))
  throw new Error(`no command [${command}]`)
}

function shownError(error: ApiError): string {
  const cause = error.causedBy === undefined ? '' : `\n  caused by ${shownError(error.causedBy)}`
  return `! ${error.type}: ${error.message}${cause}`
}

test('a max_docs that is no number is rejected, and null counts as absent', () => {
  const parse = (maxDocs: unknown) => parseByQueryBody(Buffer.from(JSON.stringify({ max_docs: maxDocs })), 'update')
  for (const wrong of ['1', [], {}, true]) {
    assert.throws(() => parse(wrong), { type: 'class_cast_exception', status: 400 })
  }
  assert.equal(parse(null).maxDocs, undefined)
  assert.equal(parse(5).maxDocs, 5)
})

test('conflicts of a body is checked before max_docs, the script and the search, and null counts as absent', () => {
  const parse = (body: object) => parseByQueryBody(Buffer.from(JSON.stringify(body)), 'update')
  const wrong = 'conflicts may only be "proceed" or "abort" but was [wrong]'
  for (const beside of [{ max_docs: -1 }, { script: { source: 1 } }, { query: { unknown: {} } }]) {
    assert.throws(() => parse({ ...beside, conflicts: 'wrong' }), { message: wrong })
  }
  assert.throws(() => parse({ script: { x: 1 }, query: { unknown: {} } }), { message: 'Unsupported field [x]' })
  assert.throws(() => parse({ conflicts: 1 }), { type: 'class_cast_exception', status: 400 })
  assert.equal(parse({ conflicts: null }).conflicts, undefined)
})
