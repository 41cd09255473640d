import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { failureOf, parseDocument, testMapping } from '../mapping-fixture.ts'

test('values become entries of their fields', () => {
  const mapping = testMapping({
    k: { type: 'keyword' },
    t: { type: 'text' },
    n: { type: 'integer' },
    l: { type: 'long' },
    d: { type: 'date' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    o: { properties: { x: { type: 'double' } } },
  })
  const { entries } = parseDocument(
    mapping,
    '{"k":["a","b\\n"],"t":"x \\u00e9","n":"12.7","l":9223372036854775807,"d":"1970-01-01T00:00:01Z","b":"true","o":{"x":1.5},"o.x":2}',
  )
  assert.deepEqual(entries, [
    'k=a',
    'k=b\n',
    't="x é"',
    'n=12',
    'l=9223372036854775807n',
    'd=1000',
    'b=1',
    'o.x=1.5',
    'o.x=2',
  ])
})

test('null becomes null_value, and nothing without one', () => {
  const mapping = testMapping({ k: { type: 'keyword', null_value: 'none' }, n: { type: 'long' } })
  assert.deepEqual(parseDocument(mapping, '{"k":null,"n":null}').entries, ['k=none'])
})

test('multi-fields and copy_to targets receive the same value', () => {
  const mapping = testMapping({
    t: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 3 } }, copy_to: 'all' },
    all: { type: 'text' },
  })
  assert.deepEqual(parseDocument(mapping, '{"t":["ab","abcd"]}').entries, [
    't="ab"',
    't.raw=ab',
    'all="ab"',
    't="abcd"',
    '_ignored=t.raw',
    'all="abcd"',
  ])
})

test('a value beyond ignore_above is listed in _ignored, unless the field stores nothing anyway', () => {
  const nowhere = { type: 'keyword', ignore_above: 3, index: false, doc_values: false }
  const mapping = testMapping({ k: { type: 'keyword', ignore_above: 3 }, s: { ...nowhere, store: true }, n: nowhere })
  assert.deepEqual(parseDocument(mapping, '{"k":"abcd","s":"abcd","n":"abcd"}').entries, ['_ignored=k', '_ignored=s'])
})

test('nested objects become documents before their parent', () => {
  const mapping = testMapping({
    c: { type: 'nested', include_in_root: true, properties: { u: { type: 'keyword', copy_to: 'users' } } },
    users: { type: 'keyword' },
  })
  const { entries, out } = parseDocument(mapping, '{"c":[{"u":"a"},{"u":"b"}]}')
  assert.deepEqual(entries, ['c.u=a@1', 'users=a', 'c.u=a', 'c.u=b@2', 'users=b', 'c.u=b'])
  assert.deepEqual([...out.docOrder.subarray(0, out.docsDone)], [1, 2, 0])
})

test('malformed values are skipped with ignore_malformed', () => {
  const mapping = testMapping({ n: { type: 'integer', ignore_malformed: true }, k: { type: 'keyword' } })
  assert.deepEqual(parseDocument(mapping, '{"n":["x",5],"k":"y"}').entries, ['_ignored=n', 'n=5', 'k=y'])
})

test('fields without doc values and norms are listed in _field_names', () => {
  const mapping = testMapping({ k: { type: 'keyword', doc_values: false }, t: { type: 'text', norms: false } })
  assert.deepEqual(parseDocument(mapping, '{"k":"a","t":"b"}').entries, [
    'k=a',
    '_field_names=k',
    't="b"',
    '_field_names=t',
  ])
})

test('stored fields keep their values in printed form', () => {
  const mapping = testMapping({
    b: { type: 'binary', store: true },
    d: { type: 'date', store: true, index: false, doc_values: false },
  })
  assert.deepEqual(parseDocument(mapping, '{"b":"U29tZQ==","d":0}').entries, [
    '_field_names=b',
    'b=stored "U29tZQ=="',
    '_field_names=d',
    'd=stored "1970-01-01T00:00:00.000Z"',
  ])
})

test('points are parsed in all notations', () => {
  const mapping = testMapping({ p: { type: 'geo_point' } })
  const forms = [
    '{"lat":1,"lon":2}',
    '"1,2"',
    '[2,1]',
    '"POINT(2 1)"',
    '{"type":"Point","coordinates":[2,1]}',
    '[[2,1]]',
  ]
  const entries = forms.map((form) => parseDocument(mapping, `{"p":${form}}`).entries)
  for (const entry of entries) assert.deepEqual(entry, ['p=23860929/23860929'])
})

test('ranges store both bounds, with exclusive integer bounds moved inside', () => {
  const mapping = testMapping({ r: { type: 'integer_range' } })
  const inside = parseDocument(mapping, '{"r":{"gt":1,"lt":5}}').entries
  assert.deepEqual(inside, parseDocument(mapping, '{"r":{"gte":2,"lte":4}}').entries)
})

test('flattened objects yield terms with and without their keys', () => {
  const mapping = testMapping({ f: { type: 'flattened' } })
  assert.deepEqual(parseDocument(mapping, '{"f":{"a":{"b":"x"}},"f.c":1}').entries, [
    'f=x',
    'f._keyed=a.b\u0000x',
    'f=1',
    'f._keyed=c\u00001',
  ])
})

test('unmapped fields are returned as a mapping update', () => {
  const { update } = parseDocument(
    testMapping({}),
    '{"s":"x","n":1,"f":1.5,"b":true,"d":"2020-01-01","o":{"a":[null,2]},"e":null}',
  )
  assert.deepEqual(update, {
    properties: {
      s: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
      n: { type: 'long' },
      f: { type: 'float' },
      b: { type: 'boolean' },
      d: { type: 'date' },
      o: { properties: { a: { type: 'long' } } },
    },
  })
})

test('dynamic templates take precedence over the JSON type', () => {
  const mapping = testMapping(
    {},
    {
      dynamic_templates: [
        { ids: { match: 'n_*', match_mapping_type: 'long', mapping: { type: 'integer' } } },
        { text: { match_mapping_type: 'string', mapping: { type: 'keyword', meta: { from: '{name}' } } } },
      ],
    },
  )
  assert.deepEqual(parseDocument(mapping, '{"n_1":1,"n":1,"s":"x"}').update, {
    properties: {
      n_1: { type: 'integer' },
      n: { type: 'long' },
      s: { type: 'keyword', meta: { from: 's' } },
    },
  })
})

test('dynamic: runtime creates runtime fields, dynamic: false creates nothing', () => {
  const runtime = parseDocument(testMapping({}, { dynamic: 'runtime' }), '{"a":"x","o":{"n":1}}')
  assert.deepEqual(runtime.update, { runtime: { a: { type: 'keyword' }, 'o.n': { type: 'long' } } })
  assert.equal(parseDocument(testMapping({}, { dynamic: 'false' }), '{"a":{"b":1}}').update, undefined)
})

test('subobjects: false flattens objects to dotted names', () => {
  const mapping = testMapping({ 'a.b': { type: 'long' } }, { subobjects: false })
  const { entries, update } = parseDocument(mapping, '{"a":{"b":1,"c":{"d":2}}}')
  assert.deepEqual(entries, ['a.b=1', 'a.c.d=2'])
  assert.deepEqual(update, { subobjects: false, properties: { 'a.c.d': { type: 'long' } } })
})

const failures: [name: string, properties: unknown, document: string, chain: string[]][] = [
  [
    'a text for a number',
    { n: { type: 'integer' } },
    '{"n":"abc"}',
    [
      "document_parsing_exception: [1:6] failed to parse field [n] of type [integer] in document with id '1'. Preview of field's value: 'abc'",
      'number_format_exception: For input string: "abc"',
    ],
  ],
  [
    'an object for a keyword',
    { k: { type: 'keyword' } },
    '{"k":{"a":1}}',
    [
      "document_parsing_exception: [1:12] failed to parse field [k] of type [keyword] in document with id '1'. Preview of field's value: '{a=1}'",
      'illegal_argument_exception: Expected text at 1:6 but found START_OBJECT',
    ],
  ],
  [
    'a value for an object',
    { o: { properties: {} } },
    '{\n "o":"x"}',
    [
      'document_parsing_exception: [2:6] object mapping for [o] tried to parse field [o] as object, but found a concrete value',
    ],
  ],
  [
    'dots into a field',
    { a: { type: 'keyword' } },
    '{"a.b":1}',
    [
      "document_parsing_exception: [1:8] failed to parse field [a] of type [keyword] in document with id '1'. Preview of field's value: '{b=1}'",
      "illegal_state_exception: Can't get text on a START_OBJECT at 1:2",
    ],
  ],
  [
    'an alias',
    { k: { type: 'keyword' }, al: { type: 'alias', path: 'k' } },
    '{"al":"x"}',
    ['document_parsing_exception: [1:7] Cannot write to a field alias [al].'],
  ],
  [
    'a byte too large',
    { n: { type: 'byte' } },
    '{"n":200}',
    [
      "document_parsing_exception: [1:6] failed to parse field [n] of type [byte] in document with id '1'. Preview of field's value: '200'",
      'illegal_argument_exception: Value [200] is out of range for a byte',
    ],
  ],
  [
    'a text without coercion',
    { n: { type: 'integer', coerce: false } },
    '{"n":"12"}',
    [
      "document_parsing_exception: [1:6] failed to parse field [n] of type [integer] in document with id '1'. Preview of field's value: '12'",
      'illegal_argument_exception: Integer value passed as String',
    ],
  ],
  [
    'an infinite float',
    { n: { type: 'float' } },
    '{"n":1e+40}',
    [
      "document_parsing_exception: [1:6] failed to parse field [n] of type [float] in document with id '1'. Preview of field's value: 'Infinity'",
      'illegal_argument_exception: [float] supports only finite values, but got [Infinity]',
    ],
  ],
  [
    'a point off the globe',
    { p: { type: 'geo_point' } },
    '{"p":{"lat":95,"lon":4}}',
    [
      'document_parsing_exception: [1:23] failed to parse field [p] of type [geo_point]',
      'illegal_argument_exception: illegal latitude value [95.0] for p',
    ],
  ],
  [
    'coordinates that are none, also where malformed points are tolerated',
    { p: { type: 'geo_point', ignore_malformed: true } },
    '{"p":[1,"a"]}',
    [
      'document_parsing_exception: [1:9] failed to parse: For input string: "a"',
      'number_format_exception: For input string: "a"',
    ],
  ],
  [
    'more than a height',
    { p: { type: 'geo_point', ignore_malformed: true } },
    '{"p":[1,2,null]}',
    [
      'document_parsing_exception: [1:11] failed to parse: field type does not accept > 3 dimensions',
      'parse_exception: field type does not accept > 3 dimensions',
    ],
  ],
  [
    'values that disagree',
    {},
    '{"a":[1,2.5]}',
    ['illegal_argument_exception: mapper [a] cannot be changed from type [long] to [float]'],
  ],
  [
    'an empty name',
    {},
    '{"":1}',
    [
      'document_parsing_exception: [1:2] failed to parse: field name cannot be an empty string',
      'illegal_argument_exception: field name cannot be an empty string',
    ],
  ],
  ['not an object', {}, '[1]', ['document_parsing_exception: Malformed content, must start with an object']],
]
for (const [name, properties, document, chain] of failures) {
  test(`a document with ${name} is rejected with position, preview and cause`, () => {
    assert.deepEqual(
      failureOf(() => parseDocument(testMapping(properties as never), document)),
      chain,
    )
  })
}

test('strict objects reject unmapped members, even null', () => {
  const mapping = testMapping({ o: { type: 'object', dynamic: 'strict' } })
  assert.deepEqual(
    failureOf(() => parseDocument(mapping, '{"o":{"b":null}}')),
    [
      'strict_dynamic_mapping_exception: [1:11] mapping set to strict, dynamic introduction of [b] within [o] is not allowed',
    ],
  )
})

test('a failed document changes nothing, whatever fields it added before', () => {
  const mapping = testMapping({ n: { type: 'integer' } })
  failureOf(() => parseDocument(mapping, '{"new":1,"n":"x"}'))
  assert.deepEqual(mapping.toJson(), { properties: { n: { type: 'integer' } } })
})

// Goal: text reaches the index unchanged, whatever characters it contains and wherever it occurs. Method: random
// strings through JSON.stringify, some with forced escapes, read back from the entries.
test('keywords keep every character', () => {
  const mapping = testMapping({
    k: { type: 'keyword' },
    m: { type: 'keyword', null_value: 'a long value that stands for null' },
  })
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 30 }), (values) => {
      const document = JSON.stringify({ m: null, k: values }).replaceAll('a', '\\u0061')
      const { entries } = parseDocument(mapping, document)
      assert.deepEqual(
        entries.slice(1),
        values.map((value) => `k=${value}`),
      )
    }),
  )
})

test('members of an object in place of a binary value are taken for members of the enclosing object', () => {
  const properties = { bi: { type: 'binary' }, z: { type: 'long' } }
  const failure = (mapping: object, document: string) =>
    failureOf(() => parseDocument(testMapping({ ...properties, ...mapping } as never), document))
  const extra = 'illegal_argument_exception: Malformed content, found extra data after parsing: '
  assert.deepEqual(failure({}, '{"bi":{"a":1}}'), [`${extra}END_OBJECT`])
  assert.deepEqual(failure({}, '{"bi":{"a":1},"z":2}'), [`${extra}FIELD_NAME`])
  assert.deepEqual(failure({ o: { dynamic: 'strict', properties } }, '{"o":{"bi":{"a":1}}}'), [
    'strict_dynamic_mapping_exception: [1:17] mapping set to strict, dynamic introduction of [a] within [o] is not allowed',
  ])
})
