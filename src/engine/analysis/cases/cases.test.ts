import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ApiError } from '../../../base/api-error.ts'
import { type AnalyzeRequest, analyzeRequest, type NameOrDefinition } from '../analyze-request.ts'
import { renderTokens } from './render-tokens.ts'

// Goal: each component produces the tokens, offsets and errors of Elasticsearch. Method: the text files in this folder
// contain a request and below it the response of a real server. The compiled test finds them in the sources.
const folder = new URL(
  import.meta.url.includes('/dist/') ? '../../../../src/engine/analysis/cases/' : '.',
  import.meta.url,
)
for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt') && name !== 'stems.txt')) {
  test(`analysis components answer as recorded: ${file}`, () => {
    const blocks = readFileSync(new URL(file, folder), 'utf8').trim().split('\n\n').slice(1)
    for (const block of blocks) {
      const [request, expected] = block.split('\n') as [string, string]
      assert.equal(answer(JSON.parse(request)), expected, request)
    }
  })
}

interface RecordedRequest extends Omit<AnalyzeRequest, 'text' | 'charFilter'> {
  text: string | string[]
  char_filter?: NameOrDefinition[]
}

function answer({ char_filter: charFilter, text, ...rest }: RecordedRequest): string {
  try {
    const output = analyzeRequest({ ...rest, charFilter, text: [text].flat() })
    return 'tokens' in output ? renderTokens(output.tokens) || '-' : ''
  } catch (error) {
    if (error instanceof ApiError) return `! ${error.message}`
    throw error
  }
}
