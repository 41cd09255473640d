import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryParameters } from './query-parameters.ts'

const query = (text: string) => new QueryParameters(text)

test('query parameters are decoded, the last of several values wins, and & and ; both separate', () => {
  const parameters = query('a=1&b=x+y%2Fz;a=2&flag&=odd')
  assert.equal(parameters.string('a'), '2')
  assert.equal(parameters.string('b'), 'x y/z')
  assert.equal(parameters.string('flag'), '')
  assert.equal(parameters.string('odd'), '')
  assert.equal(parameters.string('none', 'default'), 'default')
})

test('an empty boolean parameter is true where that is allowed', () => {
  assert.equal(query('v').boolean('v', false), true)
  assert.equal(query('v=false').boolean('v', true), false)
  assert.equal(query('').boolean('v'), undefined)
  assert.throws(() => query('v=yes').boolean('v'), /Failed to parse value \[yes\] as only \[true\] or \[false\]/)
  assert.throws(() => query('v').strictBoolean('v'), /Could not convert \[v\] to boolean/)
})

test('numeric parameters are checked for their type', () => {
  assert.equal(query('n=-3').integer('n'), -3)
  assert.equal(query('n=9007199254740991').long('n'), 9007199254740991)
  assert.equal(query('n=0.5').float('n'), 0.5)
  assert.throws(() => query('n=abc').integer('n'), /Failed to parse int parameter \[n\] with value \[abc\]/)
  assert.throws(() => query('n=99999999999').integer('n'), /Failed to parse int parameter/)
  assert.throws(() => query('n=9223372036854775808').long('n'), /Failed to parse long parameter/)
  assert.throws(() => query('n=').float('n'), /Failed to parse float parameter/)
})

test('durations are parsed to milliseconds, and lists are split at commas', () => {
  assert.equal(query('t=5m').duration('t'), 300_000)
  assert.equal(query('').duration('t', 7), 7)
  assert.deepEqual(query('l=a,b').list('l'), ['a', 'b'])
  assert.deepEqual(query('l=').list('l'), [])
})

test('unread parameters are reported in alphabetical order with suggestions', () => {
  const parameters = query('routng=1&zzz=2&size=3')
  parameters.string('routing')
  parameters.integer('size')
  const error = parameters.unknownParameters('/logs/_search')
  assert.equal(
    error?.message,
    'request [/logs/_search] contains unrecognized parameters: [routng] -> did you mean [routing]?, [zzz]',
  )
  parameters.accept('routng', 'zzz')
  assert.equal(parameters.unknownParameters('/logs/_search'), undefined)
})

test('a malformed percent escape is reported with its parameter', () => {
  assert.throws(() => query('a=%zz'), /bad_parameter_exception|invalid escape sequence `%zz' at index 0 of: %zz/)
})
