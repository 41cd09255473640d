import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { runCases } from '../../engine/cases/case-file.ts'
import { isVersion7, withoutTypes } from './version-7.ts'

// Goal: requests of version 7 clients are rewritten to requests without types, with Elasticsearch's warnings. Method:
// the text file in `cases/`. A command is a method and a path, the input is the body.
const file = new URL(
  import.meta.url.includes('/dist/') ? '../../../src/http/version-7/cases/requests.txt' : 'cases/requests.txt',
  import.meta.url,
)

test('a request of a version 7 client is rewritten to the output of its case', () => {
  runCases(
    file,
    (command, input) => rewritten(command, input.length === 0 ? '' : `${input.join('\n')}\n`),
    ({ command, expected }, output) =>
      assert.equal(output, expected, `${command} (UPDATE_CASES=1 rewrites the outputs)`),
  )
})

test('a media type with compatible-with=7 in Accept or Content-Type makes a version 7 request', () => {
  const seven = 'application/vnd.elasticsearch+json; compatible-with=7'
  assert.equal(isVersion7({ accept: seven }), true)
  assert.equal(isVersion7({ 'content-type': seven }), true)
  assert.equal(isVersion7({ accept: 'application/vnd.elasticsearch+json;compatible-with=8' }), false)
  assert.equal(isVersion7({ accept: 'application/json' }), false)
  assert.equal(isVersion7({}), false)
})

function rewritten(command: string, input: string): string {
  const [method, uri] = command.split(' ')
  try {
    const request = withoutTypes({ method: method!, uri: uri!, body: Buffer.from(input) })
    const lines = [`${method} ${request.uri}${request.typedMappings ? ', typed mappings in the response' : ''}`]
    if (request.body.length > 0) lines.push(request.body.toString().trimEnd())
    return [...lines, ...request.warnings.map((warning) => `warning: ${warning}`)].join('\n')
  } catch (error) {
    if (error instanceof ApiError) return `! ${error.type}: ${error.message}`
    throw error
  }
}
