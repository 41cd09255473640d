import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { encodeJson, formatFloat } from '../../base/json/json-writer.ts'
import { aggregate } from '../aggregations/aggregation-fixture.ts'
import type { MappingJson } from '../mapping/mapping-api.ts'
import { parseQueryBody } from '../query/parse-query.ts'
import type { SearchExecutionContext } from '../scoring/query.ts'
import { openTestShard, runSearch, type TestDocument } from '../search/search-fixture.ts'
import { parseCases, printCases, runCases } from './case-file.ts'

// Goal: each clause, sort and aggregation gives the hits, scores, texts and buckets recorded in its file. Method: the
// text files in the `cases/` folders of query, sort and aggregations; case-file.ts describes them.
const sources = new URL(import.meta.url.includes('/dist/') ? '../../../src/engine/' : '../', import.meta.url)

for (const area of ['query', 'sort', 'aggregations']) {
  const folder = new URL(`${area}/cases/`, sources)
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
    test(`${area} ${name} gives the output of its case file`, () => {
      const runner = new CaseRunner()
      runCases(
        new URL(name, folder),
        (command, input) => runner.run(command, input),
        ({ command, input, expected }, output) =>
          assert.equal(output, expected, `${command} ${input.join(' ')} (UPDATE_CASES=1 rewrites the outputs)`),
      )
    })
  }
}

test('a case file prints as it was read', () => {
  const text = '# first\n\nindex\n{}\n----\n\n# then\nsearch\n{}\n----\ntotal 0\n'
  assert.equal(printCases(parseCases(text)), text)
})

/** The wire form, which can represent 64-bit integers and infinite numbers. */
const json = (value: unknown) => Buffer.from(encodeJson(value)).toString()

class CaseRunner {
  #shard: SearchExecutionContext | undefined

  run(command: string, input: readonly string[]): string {
    try {
      if (command === 'index') return this.#index(input)
      const body = JSON.parse(input.join('\n'))
      if (command === 'search') return this.#search(body)
      if (command === 'text') return this.#text(body)
      if (command === 'aggregate') return this.#aggregate(body)
      throw new Error(`no command [${command}]`)
    } catch (error) {
      if (error instanceof ApiError) return `! ${error.type}: ${error.message}`
      throw error
    }
  }

  /** The mapping on the first line, then a document per line; an empty object ends a segment. */
  #index([mapping, ...lines]: readonly string[]): string {
    const batches: TestDocument[][] = [[]]
    for (const line of lines) {
      const { _id, _deleted, ...source } = JSON.parse(line)
      if (_id === undefined) batches.push([])
      else batches.at(-1)!.push({ id: _id, source, deleted: _deleted === true })
    }
    this.#shard = openTestShard(JSON.parse(mapping!) as MappingJson, batches)
    return ''
  }

  #search(body: { query?: unknown; sort?: unknown; size?: number }): string {
    const { total, hits, keys } = runSearch(this.#shard!, body, { trackScores: body.sort === undefined })
    const lines = hits.map(({ segment, doc, score, sort }) => {
      const id = this.#shard!.view.segments[segment]!.reader.id(doc)
      if (body.sort === undefined) return `${id} score ${formatFloat(score)}`
      const shown = sort.map((value, i) => keys[i]!.format(value))
      return `${id} sort ${json(shown)}`
    })
    return [`total ${total}`, ...lines].join('\n')
  }

  /** The query as Lucene prints it, as written and rewritten. */
  #text(query: unknown): string {
    const weight = parseQueryBody(Buffer.from(JSON.stringify(query))).plan(this.#shard!, true, 1)
    return [weight.text(false), weight.text(true)].join('\n')
  }

  #aggregate({ aggs, query }: { aggs: Record<string, unknown>; query?: unknown }): string {
    const answer = aggregate([this.#shard!], aggs, query === undefined ? {} : { query })
    return Object.entries(answer)
      .map(([name, result]) => `${name} ${json(result)}`)
      .join('\n')
  }
}
