import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scriptEnvironment } from '../../engine/scripts/script-environment.ts'
import type { IngestDefinitions, IngestedDocument, IngestRequest, IngestRoute } from './run/definitions.ts'
import { IngestRunner } from './run/ingest-runner.ts'

const NO_ROUTE: IngestRoute = { default: undefined, final: undefined }

function runnerOf(pipelines: Record<string, unknown>, routes: Record<string, IngestRoute> = {}): IngestRunner {
  const runner = new IngestRunner({ nowMs: () => 1_700_000_000_000, routeOf: async (name) => routes[name] ?? NO_ROUTE })
  const definitions: IngestDefinitions = {
    pipelines: Object.fromEntries(Object.entries(pipelines).map(([id, config]) => [id, JSON.stringify(config)])),
    scripts: {},
    scriptSettings: scriptEnvironment().settings,
    databaseFolder: undefined,
    isUsed: true,
    hasBuiltIns: false,
  }
  runner.define(definitions)
  return runner
}

const REQUEST: Omit<IngestRequest, 'source'> = {
  index: 'logs',
  id: '1',
  routing: undefined,
  version: -3,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  pipeline: 'p',
  final: undefined,
}

async function run(runner: IngestRunner, source: string, request: Partial<IngestRequest> = {}) {
  const bytes = Buffer.from(source)
  const range = { bytes, start: 0, end: bytes.length }
  return await runner.run({ ...REQUEST, source: bytes, ...request }, range)
}

const textOf = (result: unknown) => (result as IngestedDocument).source

function simulated(processors: unknown[], source: unknown, query: { verbose?: boolean } = {}) {
  const body = Buffer.from(JSON.stringify({ pipeline: { processors }, docs: [{ _source: source }] }))
  const answer = runnerOf({}).simulate({ id: undefined, isVerbose: query.verbose === true, body })
  return (JSON.parse(Buffer.from(answer).toString()) as { docs: Record<string, unknown>[] }).docs[0]!
}

const sourceOf = (doc: Record<string, unknown>) => (doc['doc'] as Record<string, unknown>)['_source']

describe('an ingest pipeline', () => {
  test('leaves the numbers of a document as they were written', async () => {
    const runner = runnerOf({ p: { processors: [{ set: { field: 'a', value: 1 } }] } })
    const result = await run(runner, '{"d":1.0,"l":12345678901234567890,"n":-7,"e":1e3}')
    assert.deepEqual(JSON.parse(textOf(result)), { d: 1, l: 12345678901234567000, n: -7, e: 1000, a: 1 })
    assert.match(textOf(result), /"d":1\.0/)
    assert.match(textOf(result), /"l":12345678901234567890/)
  })

  test('that sets the index runs the final pipeline of the new index, not its default pipeline', async () => {
    const pipelines = {
      p: { processors: [{ set: { field: '_index', value: 'other' } }] },
      d: { processors: [{ set: { field: 'default', value: true } }] },
      f: { processors: [{ set: { field: 'final', value: true } }] },
    }
    const runner = runnerOf(pipelines, { other: { default: 'd', final: 'f' } })
    const result = (await run(runner, '{}')) as IngestedDocument
    assert.equal(result.index, 'other')
    assert.deepEqual(JSON.parse(textOf(result)), { final: true })
    assert.deepEqual(result.executed, ['p', 'f'])
  })

  test('that reroutes a document in a cycle fails', async () => {
    const to = (index: string) => ({ processors: [{ reroute: { destination: index } }] })
    const runner = runnerOf(
      { p: to('b'), b: to('logs') },
      { b: { default: 'b', final: undefined }, logs: { default: 'p', final: undefined } },
    )
    await assert.rejects(run(runner, '{}'), /index cycle detected while processing pipeline \[b\]/)
  })

  test('drops a document and counts processed and failed documents', async () => {
    const runner = runnerOf({ p: { processors: [{ drop: { if: 'ctx.a == 1' } }, { fail: { message: 'no' } }] } })
    assert.equal(await run(runner, '{"a":1}'), 'dropped')
    await assert.rejects(run(runner, '{"a":2}'), { type: 'fail_processor_exception', message: 'no', status: 500 })
    const { p } = runner.stats().pipelines
    assert.equal(p!.count, 2)
    assert.equal(p!.failed, 1)
    assert.deepEqual(
      p!.processors.map(({ type, count, failed }) => [type, count, failed]),
      [
        ['drop', 1, 0],
        ['fail', 1, 1],
      ],
    )
  })

  test('that calls itself through another pipeline fails', async () => {
    const runner = runnerOf({
      p: { processors: [{ pipeline: { name: 'q' } }] },
      q: { processors: [{ pipeline: { name: 'p' } }] },
    })
    await assert.rejects(run(runner, '{}'), /Cycle detected for pipeline: p/)
  })

  test('traces the grok pattern that matched only if its values can be converted', () => {
    const grok = { field: 'm', patterns: ['%{NUMBER:n:long}', '%{GREEDYDATA:all}'], trace_match: true }
    const metadata = (doc: Record<string, unknown>) => (doc['doc'] as { _ingest: Record<string, unknown> })['_ingest']
    assert.equal(metadata(simulated([{ grok }], { m: 'x' }))['_grok_match_index'], '1')
    const kept = [{ grok: { ...grok, ignore_failure: true } }]
    assert.equal(metadata(simulated(kept, { m: '10.0.0.7' }))['_grok_match_index'], undefined)
  })

  test('with a grok pattern of exponential cost ends with an error', async () => {
    const processors = [{ grok: { field: 'm', patterns: ['^(?:a+)+$'] } }]
    const doc = simulated(processors, { m: `${'a'.repeat(40)}b` })
    assert.match(JSON.stringify(doc), /interrupted|do not match/)
  })

  test('with a gsub pattern of exponential cost ends with an error', async () => {
    const processors = [{ gsub: { field: 'm', pattern: '(x+x+)+y', replacement: '' } }]
    const doc = simulated(processors, { m: 'x'.repeat(5_000) })
    assert.match(JSON.stringify(doc), /too many steps|"_source"/)
  })
})

describe('templates of processors', () => {
  test('read fields, metadata and the details of a failure', () => {
    const processors = [
      { set: { field: 'greeting', value: 'Hello {{{user.name}}} of {{_index}}, {{n}}, {{list.1}}' } },
      { set: { field: '{{user.name}}', value: { '{{_id}}': ['{{n}}'] } } },
      { fail: { message: 'no {{n}}', on_failure: [{ set: { field: 'e', value: '{{_ingest.on_failure_message}}' } }] } },
    ]
    const doc = simulated(processors, { user: { name: 'Ada' }, n: 1.5, list: ['x', 'y'] })
    assert.deepEqual(sourceOf(doc), {
      user: { name: 'Ada' },
      n: 1.5,
      list: ['x', 'y'],
      greeting: 'Hello Ada of _index, 1.5, y',
      Ada: { _id: ['1.5'] },
      e: 'no 1.5',
    })
  })
})
