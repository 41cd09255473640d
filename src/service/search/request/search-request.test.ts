import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { ApiError } from '../../../base/api-error.ts'
import { runCases } from '../../../engine/cases/case-file.ts'
import { newSearchBody } from './search-body.ts'
import { parseSearchBody } from './search-request.ts'

// Goal: every member of a search body is parsed to the recorded values or rejected with the recorded error. Method: the
// text files in `cases/`. The output of `search` lists the members that differ from an empty body.
const folder = new URL(
  import.meta.url.includes('/dist/') ? '../../../../src/service/search/request/cases/' : 'cases/',
  import.meta.url,
)
const EMPTY = newSearchBody() as unknown as Readonly<Record<string, unknown>>

for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
  test(`a search body of ${name} is parsed to the output of its case`, () => {
    runCases(
      new URL(name, folder),
      (_command, input) => parsed(input.join('\n')),
      ({ input, expected }, output) =>
        assert.equal(output, expected, `${input.join(' ')} (UPDATE_CASES=1 rewrites the outputs)`),
    )
  })
}

function parsed(text: string): string {
  try {
    const body = parseSearchBody(Buffer.from(text)) as unknown as Readonly<Record<string, unknown>>
    return Object.entries(body)
      .filter(([name, value]) => shown(value) !== shown(EMPTY[name]))
      .map(([name, value]) => `${name} ${shown(value)}`)
      .join('\n')
  } catch (error) {
    if (error instanceof ApiError) return shownError(error)
    throw error
  }
}

/** The error with its position and its causes, one per line. */
function shownError(error: ApiError): string {
  const { line, col } = error.details as { line?: number; col?: number }
  const place = line === undefined ? '' : ` at ${line}:${col}`
  const cause = error.causedBy === undefined ? '' : `\n  caused by ${shownError(error.causedBy)}`
  return `! ${error.type}${place}: ${error.message}${cause}`
}

/** JSON of plain values. Other objects are shown by the name of their class. */
function shown(value: unknown): string {
  return (
    JSON.stringify(value, (_name, member: unknown) => {
      if (typeof member === 'bigint') return `${member}n`
      if (typeof member === 'function') return '[function]'
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
      const { name } = (Object.getPrototypeOf(member) ?? Object.prototype).constructor as { name: string }
      if (member instanceof Map) return Object.fromEntries(member)
      if (name !== 'Object') return `[${name}]`
      return Object.values(member).some((each) => typeof each === 'function') ? '[object with functions]' : member
    }) ?? 'undefined'
  )
}
