import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMapping } from '../mapping.ts'
import { failureOf, testContext, testMapping } from '../mapping-fixture.ts'

/** The first error of a mapping. */
const failed = (parse: () => unknown) => failureOf(parse)[0]!.replace('Failed to parse mapping: ', '')

// Elasticsearch reads mappings into hash maps, whose order decides what an error names and how it prints objects.
test('objects in errors of a mapping are printed in hash order', () => {
  assert.equal(
    failed(() => testMapping({ o: { properties: {}, two: { zzz: 1, b: 2 }, obj: 2 } })),
    'mapper_parsing_exception: Mapping definition for [o] has unsupported parameters:  [obj : 2] [two : {b=2, zzz=1}]',
  )
  assert.equal(
    failed(() => testMapping({ m: { type: 'keyword', meta: { two: { zzz: 1, b: 2 } } } })),
    'mapper_parsing_exception: [meta] values can only be strings, but got LinkedHashMap[{b=2, zzz=1}] for field [m]',
  )
})

test('the first unknown parameter in hash order is reported', () => {
  const parse = (json: Record<string, unknown>) => failed(() => parseMapping(json, testContext()))
  assert.equal(
    parse({ _source: { two: 1, zzz: 1, obj: 1 } }),
    'mapper_parsing_exception: unknown parameter [obj] on metadata field [_source]',
  )
  assert.equal(
    parse({ runtime: { x: { type: 'long', zzz: 1, b: 2, obj: 3 } } }),
    'mapper_parsing_exception: unknown parameter [b] on runtime field [x] of type [long]',
  )
})
