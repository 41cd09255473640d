/** Pipelines whose work or results grow without end are refused by an error that names the processor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { scriptEnvironment } from '../../engine/scripts/script-environment.ts'
import { IngestRunner } from './run/ingest-runner.ts'

const repeated = (count: number, processor: unknown) => Array.from({ length: count }, () => processor)
const each = (field: string, processor: unknown) => ({ foreach: { field, processor } })
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const LOOP = 'def s = 0; for (int i = 0; i < 990000; i++) { s += i } ctx.s = s'

/** The type of the processor that the error names, its processors and its document. */
const HOSTILE: readonly (readonly [string, unknown[], unknown])[] = [
  ['gsub', repeated(12, { gsub: { field: 'm', pattern: 'a', replacement: 'aaaaaaaaaa' } }), { m: 'a' }],
  ['gsub', repeated(40, { gsub: { field: 'm', pattern: '(.+)', replacement: '$1$1' } }), { m: 'a' }],
  ['gsub', [{ gsub: { field: 'm', pattern: '', replacement: 'x'.repeat(100_000) } }], { m: 'a'.repeat(1_000) }],
  ['set', numbers(40).map((i) => ({ set: { field: `m.c${i}`, copy_from: 'm' } })), { m: { a: 1 } }],
  ['set', [each('a', each('a', { set: { field: 'x', value: 1 } }))], { a: numbers(2_000) }],
  ['lowercase', [each('a', { lowercase: { field: 'm' } })], { a: numbers(5_000), m: 'a'.repeat(50_000) }],
  [
    'join',
    [each('a', { join: { field: 'b', separator: 'x'.repeat(50), target_field: 'c' } })],
    { a: numbers(5_000), b: numbers(5_000) },
  ],
  [
    'split',
    [each('a', { split: { field: 'm', separator: ',', target_field: 'c' } })],
    { a: numbers(5_000), m: `${','.repeat(9_000)}x` },
  ],
  [
    'json',
    [each('a', { json: { field: 'm', target_field: 'c' } })],
    { a: numbers(5_000), m: JSON.stringify(numbers(20_000)) },
  ],
  ['csv', [each('a', { csv: { field: 'm', target_fields: ['c'] } })], { a: numbers(9_000), m: 'x'.repeat(90_000) }],
  [
    'kv',
    [each('a', { kv: { field: 'm', field_split: ' ', value_split: '=', target_field: 'c{{_ingest._value}}' } })],
    { a: numbers(2_000), m: `${'a=1 '.repeat(5_000)}b=1` },
  ],
  [
    'dissect',
    [each('a', { dissect: { field: 'm', pattern: '%{c} %{d}' } })],
    { a: numbers(9_000), m: `${'x'.repeat(90_000)} y` },
  ],
  [
    'grok',
    [each('a', { grok: { field: 'm', patterns: ['%{WORD:c}'] } })],
    { a: numbers(9_000), m: 'x'.repeat(90_000) },
  ],
  [
    'fingerprint',
    [each('a', { fingerprint: { fields: ['b'], target_field: 'c' } })],
    { a: numbers(5_000), b: numbers(5_000) },
  ],
  ['sort', [each('a', { sort: { field: 'b', target_field: 'c' } })], { a: numbers(5_000), b: numbers(5_000) }],
  ['script', repeated(10, { script: { source: LOOP } }), {}],
  [
    'set',
    [
      { set: { if: LOOP.replace('ctx.s = s', 'return true'), field: 'x', value: 1 } },
      ...repeated(9, { set: { if: LOOP.replace('ctx.s = s', 'return true'), field: 'x', value: 1 } }),
    ],
    {},
  ],
  [
    'append',
    [each('a', { append: { field: 'u', value: '{{_ingest._value}}', allow_duplicates: false } })],
    { a: numbers(9_000) },
  ],
]

function runner(): IngestRunner {
  const created = new IngestRunner({ nowMs: () => 0, routeOf: async () => ({ default: undefined, final: undefined }) })
  created.define({
    pipelines: {},
    scripts: {},
    scriptSettings: scriptEnvironment().settings,
    databaseFolder: undefined,
    isUsed: true,
    hasBuiltIns: false,
  })
  return created
}

const bodyOf = (processors: unknown, source: unknown) =>
  Buffer.from(JSON.stringify({ pipeline: { processors }, docs: [{ _source: source }] }))

test('a pipeline that grows or repeats without end is refused, whatever it does about failures', () => {
  const pipelines = runner()
  for (const [type, processors, source] of HOSTILE) {
    for (const lenient of [false, true]) {
      const given = lenient ? processors.map((one) => tolerant(one as Record<string, object>)) : processors
      const body = bodyOf(given, source)
      const simulated = () => pipelines.simulate({ id: undefined, isVerbose: false, body })
      assert.throws(
        simulated,
        (error: ApiError) => {
          assert.ok(error instanceof ApiError, `${type}: ${error}`)
          assert.equal(error.status, 400)
          assert.match(
            error.message,
            new RegExp(`^the processor \\[${type}\\] (?:does more work|makes a larger document)`),
          )
          return true
        },
        JSON.stringify(processors).slice(0, 200),
      )
    }
  }
})

function tolerant(processor: Record<string, object>): unknown {
  return Object.fromEntries(
    Object.entries(processor).map(([type, options]) => [type, { ...options, ignore_failure: true }]),
  )
}

test('a document whose values are shared is not written larger than it may be', () => {
  const set = (i: number) => ({ set: { field: `f${i}`, copy_from: 'm' } })
  const body = bodyOf(numbers(60).map(set), { m: 'a'.repeat(1_000_000) })
  assert.throws(() => runner().simulate({ id: undefined, isVerbose: false, body }), /makes a larger document/)
})

test('a template that renders too much is a mistake of its document', () => {
  const processors = repeated(30, { set: { field: 'm', value: '{{{m}}}{{{m}}}' } })
  const body = bodyOf(processors, { m: 'a' })
  const { docs } = JSON.parse(Buffer.from(runner().simulate({ id: undefined, isVerbose: false, body })).toString())
  assert.equal(docs[0].error.type, 'illegal_argument_exception')
  assert.equal(docs[0].error.reason, 'Maximum of 1048576 bytes is exceeded')
})

test('large documents with ordinary pipelines are accepted', () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `word${i}`)
  const source = {
    text: lines.join(' '),
    list: lines,
    object: Object.fromEntries(lines.map((line) => [line, 1])),
    'a.b': 1,
  }
  const processors = [
    { gsub: { field: 'text', pattern: 'word', replacement: 'term' } },
    { uppercase: { field: 'text' } },
    each('list', { uppercase: { field: '_ingest._value' } }),
    { fingerprint: { fields: ['list', 'object'] } },
    { split: { field: 'text', separator: ' ' } },
    { dot_expander: { field: '*' } },
    { script: { source: 'for (def x : ctx.list) { ctx.last = x }' } },
    { sort: { field: 'list' } },
  ]
  const answer = runner().simulate({ id: undefined, isVerbose: false, body: bodyOf(processors, source) })
  const { docs } = JSON.parse(Buffer.from(answer).toString())
  assert.equal(docs[0].error, undefined)
  assert.equal(docs[0].doc._source.text.length, 20_000)
})
