import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, errorObject } from '../../base/api-error.ts'
import { parseQueryBody } from './parse-query.ts'

function failure(query: unknown): ApiError {
  try {
    parseQueryBody(Buffer.from(JSON.stringify(query)))
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return error
  }
  assert.fail('the query was accepted')
}

// Goal: an error has Elasticsearch's message and the position of the token at which it stops. Method: its recorded
// responses to the same bodies, with the query as the whole body.
const MISTAKES: readonly [query: unknown, type: string, reason: string, place?: number][] = [
  [{}, 'illegal_argument_exception', 'query malformed, empty clause found at [1:2]'],
  [{ mtch: {} }, 'parsing_exception', 'unknown query [mtch] did you mean [match]?', 9],
  [{ match: 'x' }, 'parsing_exception', '[match] query malformed, no start_object after query name', 10],
  [
    { match_all: {}, match_none: {} },
    'parsing_exception',
    '[match_all] malformed query, expected [END_OBJECT] but found [FIELD_NAME]',
    17,
  ],
  [{ match: { t: { query: 'x', foo: 1 } } }, 'parsing_exception', '[match] query does not support [foo]', 34],
  [
    { match: { t: 'x', u: 'y' } },
    'parsing_exception',
    "[match] query doesn't support multiple fields, found [t] and [u]",
    23,
  ],
  [
    { match: { t: 'x', u: null } },
    'parsing_exception',
    "[match] query doesn't support multiple fields, found [t] and [u]",
    23,
  ],
  [
    { terms_set: { k: { terms: ['a', ['b']] } } },
    'parsing_exception',
    '[terms_set] unknown token [END_ARRAY] after [terms]',
    38,
  ],
  [{ match: { t: ['x'] } }, 'illegal_argument_exception', 'Expected text at 1:15 but found START_ARRAY'],
  [{ match: { t: { operator: 'and' } } }, 'parsing_exception', 'No text specified for text query', 33],
  [{ term: { k: ['a'] } }, 'parsing_exception', '[term] query does not support array of values', 14],
  [{ term: { k: null } }, 'illegal_argument_exception', 'field name is null or empty'],
  [{ terms: { k: 'x' } }, 'parsing_exception', '[terms] query does not support [k]', 15],
  [{ terms: { k: ['x'], n: [1] } }, 'parsing_exception', '[terms] query does not support multiple fields', 25],
  [{ range: { n: { foo: 1 } } }, 'parsing_exception', '[range] query does not support [foo]', 22],
  [{ exists: {} }, 'parsing_exception', '[exists] must be provided with a [field]', 12],
  [{ constant_score: {} }, 'parsing_exception', "[constant_score] requires a 'filter' element", 20],
  [{ bool: { mus: [] } }, 'x_content_parse_exception', '[1:10] [bool] unknown field [mus] did you mean [must]?'],
  [
    { bool: { must: 'x' } },
    'x_content_parse_exception',
    "[1:17] [bool] must doesn't support values of type: VALUE_STRING",
  ],
  [{ match_all: { foo: 1 } }, 'parsing_exception', '[1:15] [match_all] unknown field [foo]', 21],
  [
    { function_score: { gauss: { multi_value_mode: 'max' } } },
    'parsing_exception',
    'malformed score function score parameters.',
    53,
  ],
  [{ function_score: { exp: {} } }, 'parsing_exception', 'malformed score function score parameters.', 27],
  [
    { function_score: { script_score: { scriptx: '1' } } },
    'parsing_exception',
    'script_score query does not support [scriptx]',
    46,
  ],
  [
    { function_score: { script_score: { script: '1', params: {} } } },
    'parsing_exception',
    'script_score query does not support [params]',
    58,
  ],
  [
    { function_score: { script_score: { script: { source: '1', extra: 1 } } } },
    'x_content_parse_exception',
    '[1:59] [script] unknown field [extra]',
  ],
  [
    { function_score: { functions: [{ random_score: { extra: {} } }] } },
    'parsing_exception',
    'failed to parse [START_OBJECT]. malformed query, expected a [END_OBJECT] while parsing functions but got a [function_score] instead',
    61,
  ],
  [{ terms_set: { k: { terms: ['a', null] } } }, 'parsing_exception', 'No value specified for terms query', 33],
  [
    { geo_distance: { distance: '1km', p: '0,0', extra: {} } },
    'parsing_exception',
    "[geo_distance] query doesn't support multiple fields, found [p] and [extra]",
    53,
  ],
]

test("an invalid query is rejected with Elasticsearch's message", () => {
  for (const [query, type, reason, col] of MISTAKES) {
    const error = failure(query)
    assert.deepEqual(
      { type: error.type, reason: error.message, details: error.details },
      { type, reason, details: col === undefined ? {} : { line: 1, col } },
      JSON.stringify(query),
    )
  }
})

test("an error inside a bool is the cause of the bool's error, and the root cause", () => {
  const error = failure({ bool: { must: [{ foo: {} }] } })
  assert.deepEqual(errorObject(error), {
    type: 'x_content_parse_exception',
    reason: '[1:25] [bool] failed to parse field [must]',
    caused_by: {
      type: 'parsing_exception',
      reason: 'unknown query [foo]',
      line: 1,
      col: 25,
      caused_by: { type: 'named_object_not_found_exception', reason: '[1:25] unknown field [foo]' },
    },
  })
  assert.equal(error.rootCauses?.[0]?.message, 'unknown query [foo]')
})

test('error positions count lines', () => {
  const body = Buffer.from('{\n  "term": {\n    "k": ["a"]\n  }\n}')
  assert.throws(
    () => parseQueryBody(body),
    (error: ApiError) => error.details['line'] === 3 && error.details['col'] === 10,
  )
})

test('a value in a list counts like a value alone in the functions of function_score', () => {
  const functions = [{ weight: [2] }, { field_value_factor: { field: ['n'] } }]
  parseQueryBody(Buffer.from(JSON.stringify({ function_score: { functions } })))
})

test('queries nested too deeply are rejected', () => {
  let query: unknown = { match_all: {} }
  for (let depth = 0; depth < 31; depth++) query = { bool: { must: query } }
  let innermost = failure(query)
  while (innermost.causedBy !== undefined) innermost = innermost.causedBy
  assert.match(innermost.message, /indices\.query\.bool\.max_nested_depth/)
})
