import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMapping } from './mapping.ts'
import { failureOf, testContext, testMapping } from './mapping-fixture.ts'

// Goal: a mapping prints only what differs from the defaults.
test('a mapping prints only given parameters that differ from the default', () => {
  const mapping = testMapping({
    zeta: { type: 'keyword', index: true, ignore_above: 20, doc_values: false },
    alpha: { type: 'text', analyzer: 'standard', search_analyzer: 'standard' },
    number: { type: 'long', coerce: true, null_value: '5' },
    'obj.inner': { type: 'date', format: 'yyyy', ignore_malformed: false },
    empty: { type: 'object', enabled: true },
    nested: { type: 'nested', include_in_parent: true, dynamic: 'strict' },
    search: { type: 'text', search_analyzer: 'simple' },
  })
  assert.deepEqual(mapping.toJson(), {
    properties: {
      alpha: { type: 'text', analyzer: 'standard' },
      empty: { type: 'object' },
      nested: { type: 'nested', include_in_parent: true, dynamic: 'strict' },
      number: { type: 'long', coerce: true, null_value: 5 },
      obj: { properties: { inner: { type: 'date', format: 'yyyy' } } },
      search: { type: 'text', analyzer: 'default', search_analyzer: 'simple' },
      zeta: { type: 'keyword', doc_values: false, ignore_above: 20 },
    },
  })
})

// Goal: a field that differs from its index setting keeps its value, even after printing and parsing.
test('ignore_malformed of a date is printed if it differs from the index setting', () => {
  const fields = {
    no: { type: 'date', ignore_malformed: false },
    yes: { type: 'ip', ignore_malformed: true },
    own: { type: 'long', ignore_malformed: true },
  }
  const shown = (setting: string) =>
    testMapping(fields, {}, { 'index.mapping.ignore_malformed': setting }).toJson()['properties']
  const own = { type: 'long', ignore_malformed: true }
  assert.deepEqual(shown('true'), { no: { type: 'date', ignore_malformed: false }, own, yes: { type: 'ip' } })
  assert.deepEqual(shown('false'), { no: { type: 'date' }, own, yes: { type: 'ip', ignore_malformed: true } })
})

// Goal: a mapping printed by one thread is parsed to the same mapping by another.
test('a mapping parses its own printed form', () => {
  const first = parseMapping(
    {
      dynamic: 'runtime',
      date_detection: false,
      dynamic_templates: [{ s: { match_mapping_type: 'string', mapping: { type: 'keyword' } } }],
      runtime: { r: { type: 'long' } },
      _meta: { owner: 'x' },
      _source: { excludes: ['a.*'] },
      _routing: { required: true },
      properties: {
        p: { type: 'geo_point', null_value: '1,2' },
        k: { type: 'keyword', copy_to: 'all', meta: { a: 'b' } },
      },
    },
    testContext(),
  )
  assert.deepEqual(parseMapping(first.toJson(), testContext()).toJson(), first.toJson())
})

test('physical field ids stay when a mapping grows or is parsed again', () => {
  const before = testMapping({ b: { type: 'keyword' }, n: { type: 'nested', properties: { x: { type: 'long' } } } })
  const after = before.merge({
    properties: { a: { type: 'text' }, n: { type: 'nested', properties: { w: { type: 'ip' } } } },
  })
  for (const schema of before.schemas) assert.equal(after.schemas[schema.id]!.name, schema.name)
  const whole = parseMapping(after.toJson(), testContext(), { previous: before })
  for (const schema of before.schemas) assert.equal(whole.schemas[schema.id]!.name, schema.name)
})

test('fields are found by full path, including multi-fields and aliases', () => {
  const mapping = testMapping({
    user: { properties: { name: { type: 'text', fields: { raw: { type: 'keyword' } } } } },
    who: { type: 'alias', path: 'user.name' },
    labels: { type: 'flattened' },
  })
  assert.equal(mapping.field('user.name.raw')?.sourcePath, 'user.name')
  assert.equal(mapping.field('who')?.name, 'user.name')
  assert.equal(mapping.field('labels.release.major')?.shape, 'flattened')
  assert.equal(mapping.field('user'), undefined)
  assert.equal(mapping.objectKind('user'), 'object')
})

const badDefinitions: [name: string, definition: unknown, failure: string][] = [
  [
    'unknown type',
    { type: 'strng' },
    'The mapper type [strng] declared on field [f] does not exist. It might have been created within a future version or requires a plugin to be installed. Check the documentation.',
  ],
  ['no type', { index: true }, 'No type specified for field [f]'],
  ['unknown parameter', { type: 'keyword', foo: 1 }, 'unknown parameter [foo] on mapper [f] of type [keyword]'],
  ['null', { type: 'keyword', index: null }, '[index] on mapper [f] of type [keyword] must not have a [null] value'],
  [
    'object in a multi-field',
    { type: 'keyword', fields: { a: { type: 'object' } } },
    'Type [object] cannot be used in multi field',
  ],
  [
    'dot in a multi-field',
    { type: 'keyword', fields: { 'a.b': { type: 'keyword' } } },
    "Field name [a.b] which is a multi field of [f] cannot contain '.'",
  ],
  ['not an object', 'keyword', 'Expected map for property [fields] on field [f] but got a class java.lang.String'],
  [
    'unknown member of an object',
    { type: 'object', foo: 5 },
    'Mapping definition for [f] has unsupported parameters:  [foo : 5]',
  ],
  ['alias without path', { type: 'alias' }, 'The [path] property must be specified for field [f].'],
  [
    'meta',
    { type: 'keyword', meta: { a: { b: 1 } } },
    '[meta] values can only be strings, but got LinkedHashMap[{b=1}] for field [f]',
  ],
]
for (const [name, definition, failure] of badDefinitions) {
  test(`a mapping definition is rejected: ${name}`, () => {
    assert.deepEqual(
      failureOf(() => testMapping({ f: definition as never })),
      [`mapper_parsing_exception: Failed to parse mapping: ${failure}`, `mapper_parsing_exception: ${failure}`],
    )
  })
}

test('an invalid date format is reported with its fault', () => {
  assert.deepEqual(failureOf(() => testMapping({ d: { type: 'date', format: 'qqqq_bad' } })).slice(0, 2), [
    'mapper_parsing_exception: Failed to parse mapping: Error parsing [format] on field [d]: Invalid format: [qqqq_bad]: Unknown pattern letter: b',
    'illegal_argument_exception: Error parsing [format] on field [d]: Invalid format: [qqqq_bad]: Unknown pattern letter: b',
  ])
})

const conflicts: [name: string, before: unknown, after: unknown, failure: string][] = [
  [
    'another type',
    { type: 'integer' },
    { type: 'keyword' },
    'illegal_argument_exception: mapper [f] cannot be changed from type [integer] to [keyword]',
  ],
  [
    'fixed parameters',
    { type: 'text' },
    { type: 'text', analyzer: 'simple', index: false },
    'illegal_argument_exception: Mapper for [f] conflicts with existing mapper:\n\tCannot update parameter [index] from [true] to [false]\n\tCannot update parameter [analyzer] from [default] to [simple]',
  ],
  [
    'norms back on',
    { type: 'text', norms: false },
    { type: 'text' },
    'illegal_argument_exception: Mapper for [f] conflicts with existing mapper:\n\tCannot update parameter [norms] from [false] to [true]',
  ],
  [
    'object to nested',
    { properties: {} },
    { type: 'nested' },
    "illegal_argument_exception: can't merge a non-nested mapping [f] with a nested mapping",
  ],
  [
    'field to object',
    { type: 'keyword' },
    { properties: {} },
    "illegal_argument_exception: can't merge a non object mapping [f] with an object mapping",
  ],
  [
    'enabled',
    { type: 'object' },
    { type: 'object', enabled: false },
    "mapper_exception: the [enabled] parameter can't be updated for the object mapping [f]",
  ],
]
for (const [name, before, after, failure] of conflicts) {
  test(`a mapping update is rejected: ${name}`, () => {
    const mapping = testMapping({ f: before as never })
    assert.deepEqual(
      failureOf(() => mapping.merge({ properties: { f: after } })),
      [failure],
    )
  })
}

test('an update resets updatable parameters and adds multi-fields', () => {
  const mapping = testMapping({ f: { type: 'keyword', ignore_above: 20, fields: { a: { type: 'text' } } } })
  const merged = mapping.merge({ properties: { f: { type: 'keyword', fields: { b: { type: 'long' } } } } })
  assert.deepEqual(merged.toJson()['properties'], {
    f: { type: 'keyword', fields: { a: { type: 'text' }, b: { type: 'long' } } },
  })
})

test('targets of aliases and copy_to must be valid', () => {
  assert.deepEqual(
    failureOf(() => testMapping({ al: { type: 'alias', path: 'zz' } })),
    [
      'mapper_parsing_exception: Invalid [path] value [zz] for field alias [al]: an alias must refer to an existing field in the mappings.',
    ],
  )
  assert.deepEqual(
    failureOf(() => testMapping({ f: { type: 'keyword', fields: { a: { type: 'keyword', copy_to: 'x' } } } })),
    ['illegal_argument_exception: [copy_to] may not be used to copy from a multi-field: [f.a]'],
  )
})

test('the number of fields and their depth are limited', () => {
  const settings = { 'index.mapping.total_fields.limit': '2', 'index.mapping.depth.limit': '2' }
  assert.deepEqual(
    failureOf(() =>
      testMapping({ a: { type: 'text', fields: { k: { type: 'keyword' } } }, b: { type: 'long' } }, {}, settings),
    ),
    ['illegal_argument_exception: Limit of total fields [2] has been exceeded'],
  )
})

test('field mappings are shown with and without defaults', () => {
  const mapping = testMapping({ o: { properties: { b: { type: 'binary' } } } })
  assert.deepEqual(mapping.fieldMappingJson('o.b', false), { b: { type: 'binary' } })
  assert.deepEqual(mapping.fieldMappingJson('o.b', true), {
    b: { type: 'binary', meta: {}, store: false, doc_values: false },
  })
  assert.equal(mapping.fieldMappingJson('o', false), undefined)
})

test('subobjects is printed if it was given, even with its default', () => {
  const properties = { a: { type: 'object', subobjects: true }, b: { type: 'object' } }
  assert.deepEqual(testMapping(properties).toJson(), { properties })
})

test('an object with other options than its parent cannot be added below subobjects: false', () => {
  const mapping = parseMapping({ subobjects: false }, testContext())
  const added = (options: object) =>
    failureOf(() => mapping.merge({ properties: { a: { type: 'object', ...options } } }))
  const start =
    'illegal_argument_exception: Object mapper [a] was found in a context where subobjects is set to false. Auto-flattening [a] failed because '
  assert.deepEqual(added({ subobjects: true }), [`${start}the value of [subobjects] is [true]`])
  assert.deepEqual(added({ enabled: false }), [`${start}the value of [enabled] is [false]`])
})

test('a null in the conditions of a dynamic template or in the relations of a join is rejected', () => {
  const reason =
    'Cannot invoke "Object.toString()" because the return value of "java.util.Map$Entry.getValue()" is null'
  for (const json of [
    { dynamic_templates: [{ y: { match: null, mapping: { type: 'keyword' } } }] },
    { properties: { j: { type: 'join', relations: { a: null } } } },
  ]) {
    assert.equal(failureOf(() => parseMapping(json, testContext())).at(-1), `null_pointer_exception: ${reason}`)
  }
})

test('a null or a wrong type in place of a setting of the root or of an object is rejected', () => {
  const causeOf = (json: Record<string, unknown>) => failureOf(() => parseMapping(json, testContext())).at(-1)
  const isNull = (what: string) => `null_pointer_exception: Cannot invoke "Object.toString()" because "${what}" is null`
  assert.equal(causeOf({ _source: { enabled: null } }), isNull('node'))
  assert.equal(causeOf({ _source: { mode: null } }), isNull('o'))
  assert.equal(causeOf({ _source: { includes: ['a', null] } }), isNull('item'))
  assert.equal(
    causeOf({ _source: { excludes: null } }),
    'null_pointer_exception: Cannot invoke "java.util.List.iterator()" because "values" is null',
  )
  assert.match(
    causeOf({ _source: { excludes: 'a' } })!,
    /^class_cast_exception: class java.lang.String cannot be cast to class java.util.List/,
  )
  assert.equal(causeOf({ _routing: { required: null } }), isNull('node'))
  assert.equal(causeOf({ date_detection: null }), isNull('node'))
  assert.equal(causeOf({ dynamic: null }), isNull('fieldNode'))
  assert.equal(causeOf({ dynamic_date_formats: null }), isNull('fieldNode'))
  assert.equal(causeOf({ dynamic_date_formats: ['yyyy', null] }), isNull('formatter'))
  assert.equal(
    causeOf({ dynamic_date_formats: 5 }),
    'illegal_argument_exception: Invalid format: [5]: expected string value',
  )
  assert.match(causeOf({ dynamic_date_formats: ['none'] })!, /Unknown pattern letter: o/)
  assert.equal(causeOf({ properties: { a: { type: 'object', enabled: null } } }), isNull('node'))
  assert.match(
    causeOf({ properties: { a: { type: 'nested', include_in_root: null } } })!,
    /unsupported parameters: {2}\[include_in_root : null\]/,
  )
})

test('null for subobjects and none for dynamic_date_formats leave a mapping without them', () => {
  const shown = (json: Record<string, unknown>) => parseMapping(json, testContext()).toJson()
  assert.deepEqual(shown({ subobjects: null }), {})
  assert.deepEqual(shown({ properties: { a: { type: 'nested', subobjects: null } } }), {
    properties: { a: { type: 'nested' } },
  })
  assert.deepEqual(shown({ dynamic_date_formats: 'none' }), { dynamic_date_formats: [] })
})

test('store_array_source of an object is shown as synthetic_source_keep, which arrays of nested objects cannot have', () => {
  const shown = (json: Record<string, unknown>) => parseMapping(json, testContext()).toJson()
  const properties = { a: { type: 'object', store_array_source: false } }
  assert.deepEqual(shown({ store_array_source: true, properties }), {
    synthetic_source_keep: 'arrays',
    properties: { a: { type: 'object', synthetic_source_keep: 'arrays' } },
  })
  const nested = { properties: { a: { type: 'nested', synthetic_source_keep: 'arrays' } } }
  assert.throws(() => shown(nested), /can't be set to \[arrays\] for nested object \[a\]/)
  assert.throws(() => shown({ synthetic_source_keep: 'all' }), /root object can't be configured/)
})
