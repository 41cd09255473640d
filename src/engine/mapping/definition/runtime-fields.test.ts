import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../base/api-error.ts'
import { mappingLimits } from '../mapping-context.ts'
import { runtimeTypes } from '../runtime-field-types.ts'
import { parseRuntimeFields } from './runtime-fields.ts'

const CONTEXT = {
  analysis: { analyzer: () => undefined, normalizer: () => undefined },
  limits: mappingLimits({}),
}

const composite = (fields: unknown) => ({ c: { type: 'composite', script: "emit(['a': 1])", fields } })

function build(definitions: unknown): void {
  for (const type of runtimeTypes(parseRuntimeFields(definitions), CONTEXT, () => undefined).values()) void type.schema
}

const REJECTED: readonly [definitions: unknown, type: string, reason: RegExp][] = [
  [
    composite({ a: { type: 'nope' } }),
    'mapper_parsing_exception',
    /mapper type \[nope\] declared on runtime field \[a\]/,
  ],
  [composite({ a: null }), 'mapper_parsing_exception', /Runtime field \[a\] was set to null but its removal/],
  [
    composite({ a: 5 }),
    'mapper_parsing_exception',
    /Expected map for runtime field \[a\] definition but got a java.lang.In/,
  ],
  [composite({ a: {} }), 'mapper_parsing_exception', /No type specified for runtime field \[a\]/],
  [composite(5), 'mapper_parsing_exception', /\[fields\] must be an object, got Integer\[5\] for field \[c\]/],
  [composite([]), 'mapper_parsing_exception', /\[fields\] must be an object, got ArrayList\[\[\]\] for field \[c\]/],
  [
    composite(null),
    'mapper_parsing_exception',
    /\[fields\] on runtime field \[c\] of type \[composite\] must not have a/,
  ],
  [
    { c: { type: 'composite', script: "emit(['a': 1])" } },
    'illegal_argument_exception',
    /composite runtime field \[c\] must declare its \[fields\]/,
  ],
  [
    composite({ a: { type: 'long', script: 'emit(1)' } }),
    'illegal_argument_exception',
    /Cannot use \[script\] parameter on sub-field \[a\] of composite field \[c\]/,
  ],
  [
    composite({ a: composite({ b: { type: 'long' } }).c }),
    'illegal_argument_exception',
    /Composite field \[a\] cannot be a child of composite field \[c\]/,
  ],
  [
    composite({ a: { type: 'long', x: 1 } }),
    'mapper_parsing_exception',
    /unknown parameter \[x\] on runtime field \[a\]/,
  ],
  [
    { c: { type: 'long', script: null } },
    'mapper_parsing_exception',
    /\[script\] on runtime field \[c\] of type \[long\] must/,
  ],
  [{ c: { type: 'long', script: { source: 5 } } }, 'parse_exception', /Value must be of type String: \[source\]/],
  [
    { c: { type: 'long', script: {} } },
    'parse_exception',
    /Expected one of \[source\] or \[id\] fields, but found none/,
  ],
  [
    { c: { type: 'long', meta: 5 } },
    'mapper_parsing_exception',
    /\[meta\] must be an object, got Integer\[5\] for field \[c\]/,
  ],
]

for (const [definitions, type, reason] of REJECTED) {
  test(`a runtime field is rejected: ${JSON.stringify(definitions)}`, () => {
    assert.throws(
      () => parseRuntimeFields(definitions),
      (error) => {
        assert.ok(error instanceof ApiError)
        assert.equal(error.type, type)
        assert.match(error.message, reason)
        return true
      },
    )
  })
}

test('a runtime date accepts null as its format', () => {
  build({ c: { type: 'date', format: null, locale: null } })
})

// Goal: a definition with a value of a wrong type is a client error. Method: every value at every place.
test('a runtime definition with a value of a wrong type at any place is accepted or a client error', () => {
  const complete = {
    c: { type: 'composite', script: { source: 'emit([:])' }, on_script_error: 'fail', fields: { a: { type: 'long' } } },
    d: { type: 'date', script: { source: 'emit(1)', params: {} }, format: 'yyyy', locale: 'en', meta: { a: 'b' } },
    k: { type: 'keyword' },
  }
  const wrong = [null, true, 5, 1.5, 9223372036854775808n, '', 'x', [], [null], {}, { x: null }]
  for (const copy of replaced(complete, wrong)) {
    try {
      build(copy)
    } catch (error) {
      assert.ok(error instanceof ApiError && error.status < 500, `${error} for ${JSON.stringify(copy, text)}`)
    }
  }
})

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

function* replaced(value: unknown, wrong: readonly unknown[]): Generator<unknown> {
  yield* wrong
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    for (const copy of replaced(member, wrong)) yield { ...value, [key]: copy }
  }
}
