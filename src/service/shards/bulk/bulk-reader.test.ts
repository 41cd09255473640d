import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../../base/api-error.ts'
import type { BulkRequest } from '../shard-host.ts'
import { ACTION_NAMES, type BulkItems } from './bulk-items.ts'
import { readBulk } from './bulk-reader.ts'

const DEFAULTS: Omit<BulkRequest, 'body'> = {
  defaultIndex: 'idx',
  defaultRouting: undefined,
  defaultPipeline: undefined,
  requireAlias: false,
  requireDataStream: false,
  refresh: 'false',
  sourceFilter: undefined,
  startedAtMs: 0,
}

/** The items as plain values, resolved from the body that the reader parsed. */
async function read(text: string | Buffer, defaults: Partial<BulkRequest> = {}): Promise<unknown[]> {
  const body = Buffer.from(text)
  const items = await readBulk({ ...DEFAULTS, ...defaults, body })
  return Array.from({ length: items.count }, (_, item) => describe(items, item, body))
}

function describe(items: BulkItems, item: number, body: Buffer) {
  const text = (start: number, end: number) => (start < 0 ? undefined : body.toString('utf8', start, end))
  return {
    action: ACTION_NAMES[items.action[item]!],
    index: items.targets[items.target[item]!]!.name,
    id: text(items.idStart[item]!, items.idEnd[item]!),
    routing: text(items.routingStart[item]!, items.routingEnd[item]!),
    source: text(items.sourceStart[item]!, items.sourceEnd[item]!),
  }
}

async function failure(text: string, defaults: Partial<BulkRequest> = {}): Promise<string> {
  try {
    await read(text, defaults)
  } catch (error) {
    if (error instanceof ApiError) return `${error.type}: ${error.message}`
    throw error
  }
  return 'none'
}

test('actions are parsed with their metadata and sources', async () => {
  const body = [
    '{"index":{"_id":"1"}}',
    '{"n":1}',
    '{"create":{"_index":"other","routing":"r"}}',
    '{}',
    '',
    '{"delete":{"_id":7}}',
    '{"update":{"_id":"a\\u0041"}}\r',
    '{"doc":{}}\r',
    '{"index":{"_id":"2","op_type":"create","_index":null}}',
    '{"n":"x"}',
    '',
  ].join('\n')
  const none = undefined
  assert.deepEqual(await read(body), [
    { action: 'index', index: 'idx', id: '1', routing: none, source: '{"n":1}' },
    { action: 'create', index: 'other', id: none, routing: 'r', source: '{}' },
    { action: 'delete', index: 'idx', id: '7', routing: none, source: none },
    { action: 'update', index: 'idx', id: 'aA', routing: none, source: '{"doc":{}}' },
    { action: 'create', index: 'idx', id: '2', routing: none, source: '{"n":"x"}' },
  ])
})

test('a trailing action without its source is dropped', async () => {
  assert.equal((await read('{"index":{}}\n{}\n{"index":{}}\n')).length, 1)
  assert.match(await failure('{"index":{}}\n'), /no requests added/)
})

test('a malformed action line fails the whole bulk request', async () => {
  const cases: [string, string | RegExp][] = [
    ['{"index":{}}\n{}', 'illegal_argument_exception: The bulk request must be terminated by a newline [\\n]'],
    ['\n', 'action_request_validation_exception: Validation Failed: 1: no requests added;'],
    [
      '{"foo":{}}\n{}\n',
      'illegal_argument_exception: Malformed action/metadata line [1], expected field [create], [delete], [index] or ' +
        '[update] but found [foo]',
    ],
    [
      '["index"]\n{}\n',
      'illegal_argument_exception: Malformed action/metadata line [1], expected START_OBJECT but found [START_ARRAY]',
    ],
    [
      '{}\n{}\n',
      'illegal_argument_exception: Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]',
    ],
    [
      '{"index":null}\n{}\n',
      'illegal_argument_exception: Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found ' +
        '[VALUE_NULL]',
    ],
    [
      '{"index":{"_id":["a"]}}\n{}\n',
      'illegal_argument_exception: Malformed action/metadata line [1], expected a simple value for field [_id] but found ' +
        '[START_ARRAY]',
    ],
    [
      '{"index":{"foo":1}}\n{}\n',
      'illegal_argument_exception: Action/metadata line [1] contains an unknown parameter [foo]',
    ],
    ['{"index":{"_id":"1"}}\n\n{"n":1}\n', /line \[3\], expected field .* found \[n\]/],
    ['{"delete":{}}\n{"delete":{"_id":""}}\n', /Validation Failed: 1: id is missing;2: id is missing;$/],
    [`{"index":{"_id":"${'x'.repeat(513)}"}}\n{}\n`, /is too long, must be no longer than 512 bytes but was: 513;$/],
    ['{"update":{"_id":"1","version":1}}\n{"doc":{}}\n', /Update requests do not support versioning/],
    ['{"update":{"_id":"1"}}\n{"upsert":{}}\n', /Validation Failed: 1: script or doc is missing;$/],
    [
      '{"update":{"_id":"1"}}\n{"foo":{}}\n',
      /^x_content_parse_exception: \[1:2\] \[UpdateRequest\] unknown field \[foo\]/,
    ],
    [
      '{"create":{"_id":"1","if_seq_no":1,"if_primary_term":1}}\n{}\n',
      /create operations do not support compare and set/,
    ],
    ['{"index":{"_id":"1","version_type":"foo"}}\n{}\n', 'illegal_argument_exception: No version type match [foo]'],
    [
      '{"index":{"_id":"1","version":9223372036854775808}}\n{}\n',
      /^x_content_parse_exception: \[1:50\] Numeric value \(9223372036854775808\) out of range of long/,
    ],
    ['{"index":{"_id":"1","if_seq_no":1e30}}\n{}\n', /^x_content_parse_exception: \[1:37\] Numeric value \(1e30\)/],
    [
      '{"index":{"_id":"1","if_primary_term":"100000000000000000000"}}\n{}\n',
      'illegal_argument_exception: Value [100000000000000000000] is out of range for a long',
    ],
    [
      '{"index":{"_id":"1","retry_on_conflict":"3000000000"}}\n{}\n',
      'illegal_argument_exception: Value [3000000000] is out of range for an integer',
    ],
    [
      '{"index":{"_id":"1","dynamic_templates":{"k":"x","l":[1]}}}\n{}\n',
      'illegal_argument_exception: Expected text at 1:54 but found START_ARRAY',
    ],
    [
      '{"index":{"_id":"1","dynamic_templates":{"k":null}}}\n{}\n',
      'illegal_argument_exception: Expected text at 1:46 but found VALUE_NULL',
    ],
    ['{"index":{"_id":"1"\n{}\n', /^x_content_e_o_f_exception: \[1:20\] Unexpected end of file/],
  ]
  for (const [body, expected] of cases) {
    if (typeof expected === 'string') assert.equal(await failure(body), expected)
    else assert.match(await failure(body), expected)
  }
  assert.match(
    await failure('{"index":{}}\n{}\n', { defaultIndex: undefined }),
    /Validation Failed: 1: index is missing;$/,
  )
})

// Goal: documents packed into a body come out in order and byte for byte. Method: random ids, routings and JSON
// sources; write a body, parse it, compare.
test('a bulk body parses back to the documents it was built from', async () => {
  const item = fc.record({
    action: fc.constantFrom('index', 'create', 'delete'),
    id: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
    routing: fc.option(fc.string({ minLength: 1, maxLength: 5 }), { nil: undefined }),
    source: fc.json(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 100 }), async (wanted) => {
      const lines = wanted.map(({ action, id, routing, source }) => {
        const head = JSON.stringify({ [action]: { _id: id, routing } })
        return action === 'delete' ? `${head}\n` : `${head}\n${source}\n`
      })
      const expected = wanted.map(({ action, id, routing, source }) => ({
        action,
        index: 'idx',
        id,
        routing,
        source: action === 'delete' ? undefined : source,
      }))
      assert.deepEqual(await read(lines.join('')), expected)
    }),
  )
})

// Goal: a broken body only fails with a client error. Method: valid bodies with random bytes changed.
test('a damaged bulk body is parsed or fails with a client error', async () => {
  const valid = Buffer.from(
    '{"index":{"_id":"1"}}\n{"n":1}\n{"update":{"_id":"2"}}\n{"doc":{"a":[1]}}\n{"delete":{"_id":"3"}}\n',
  )
  const damage = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(damage, async (changes) => {
      const body = Buffer.from(valid)
      for (const [at, byte] of changes) body[at] = byte
      try {
        await read(body)
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
      }
    }),
    { numRuns: 300 },
  )
})

test('update lines with the same script share their parsed form, other lines do not', async () => {
  const line = (params: object) => JSON.stringify({ script: { source: 'ctx._source.n += params.by', params } })
  const sources = [
    line({ by: 1 }),
    line({ by: 1 }),
    line({ by: 2 }),
    line({ by: 2 }),
    '{"doc":{"n":1}}',
    '{"doc":{"n":1}}',
  ]
  const body = Buffer.from(sources.map((source, i) => `{"update":{"_id":"${i}"}}\n${source}\n`).join(''))
  const items = await readBulk({ ...DEFAULTS, body })
  const updates = items.extras.map(({ update }) => update)
  assert.deepEqual(
    updates.map((update) => update?.script?.params['by']),
    [1, 1, 2, 2, undefined, undefined],
  )
  assert.deepEqual(
    updates.map((update, i) => update === updates[i - 1]),
    [false, true, false, true, false, false],
  )
})
