import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnose } from './json-diagnosis.ts'

/** Messages recorded from Elasticsearch 8.19. The part after the message names source, line and column. */
const CASES: readonly (readonly [json: string, message: string, line: number, column: number])[] = [
  ['{"a":', 'Unexpected end-of-input within/between Object entries', 1, 6],
  ['{"a":1,', 'Unexpected end-of-input within/between Object entries', 1, 8],
  ['{"a"', 'Unexpected end-of-input within/between Object entries', 1, 5],
  ['{"', `Unexpected end-of-input: was expecting closing '"' for name`, 1, 3],
  ['{"a', 'Unexpected end-of-input in field name', 1, 4],
  ['{"a":"x', 'Unexpected end-of-input in VALUE_STRING', 1, 8],
  ['{"a":-', 'Unexpected end-of-input in FIELD_NAME', 1, 7],
  ['{/*', 'Unexpected end-of-input in a comment', 1, 4],
  ['{"a":"\\', 'Unexpected end-of-input in character escape sequence', 1, 8],
  ['{a:1}', "Unexpected character ('a' (code 97)): was expecting double-quote to start field name", 1, 2],
  ['{"a":1,}', "Unexpected character ('}' (code 125)): was expecting double-quote to start field name", 1, 8],
  ['{"a" 1}', "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value", 1, 6],
  ['{"a":1 "b":2}', `Unexpected character ('"' (code 34)): was expecting comma to separate Object entries`, 1, 8],
  ['{"a":[1 2]}', "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries", 1, 9],
  ['{"a":}', "Unexpected character ('}' (code 125)): expected a value", 1, 6],
  ['{"a":1/2}', "Unexpected character ('2' (code 50)): was expecting either '*' or '/' for a comment", 1, 8],
  ['{"a":"\\q"}', "Unrecognized character escape 'q' (code 113)", 1, 8],
  [
    '{"a":"\\u12x4"}',
    "Unexpected character ('x' (code 120)): expected a hex-digit for character escape sequence",
    1,
    11,
  ],
  ['{"a":01}', 'Invalid numeric value: Leading zeroes not allowed', 1, 7],
  ['{"a":1.}', "Unexpected character ('}' (code 125)) in numeric value: Decimal point not followed by a digit", 1, 8],
  [
    '{"a":1e}',
    "Unexpected character ('}' (code 125)) in numeric value: Exponent indicator not followed by a digit",
    1,
    8,
  ],
  ['{"a":NaN}', "Non-standard token 'NaN': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow", 1, 9],
  ['{"a":1,"a":2}', "Duplicate field 'a'", 1, 11],
  [
    '{"a":"\t"}',
    'Illegal unquoted character ((CTRL-CHAR, code 9)): has to be escaped using backslash to be included in string value',
    1,
    7,
  ],
  ['{漢:1}', "Unexpected character ('漢' (code 28450 / 0x6f22)): was expecting double-quote to start field name", 1, 4],
  [
    '{"a":1,\n "b":\r\n  x}',
    "Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
    3,
    5,
  ],
]

test("a JSON fault is reported with Elasticsearch's message and position", () => {
  for (const [json, message, line, column] of CASES) {
    const bytes = Buffer.from(json)
    const fault = diagnose(bytes, 0, bytes.length)
    assert.ok(fault !== undefined, json)
    const source = `\n at [Source: (byte[])"${json.replace('\t', '\\u0009')}"; line: ${line}, column: ${column}]`
    assert.equal(fault.message, message + source)
    assert.deepEqual([fault.line, fault.column], [line, column])
  }
})

test('an unclosed object or array is reported with the position of its opening bracket', () => {
  const bytes = Buffer.from('{"a":[1,2')
  assert.match(
    diagnose(bytes, 0, bytes.length)!.message,
    /expected close marker for Array \(start marker at .*column: 6\]\)/,
  )
})

test('a long source is truncated in the message', () => {
  const bytes = Buffer.from(`{"a":"${'x'.repeat(600)}",}`)
  assert.match(diagnose(bytes, 0, bytes.length)!.message, /"\[truncated 109 bytes\]; line: 1, column: 609\]$/)
})

test('JSON nested beyond the limit is rejected', () => {
  const bytes = Buffer.from('['.repeat(1001))
  assert.match(
    diagnose(bytes, 0, bytes.length)!.message,
    /^Document nesting depth \(1001\) exceeds the maximum allowed/,
  )
})

test('well-formed JSON has no fault', () => {
  const bytes = Buffer.from('{"a":[1,-0.5e+3,true,null,{"b":"\\u00e9"}]} 5 "x"')
  assert.equal(diagnose(bytes, 0, bytes.length), undefined)
})
