import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatByteSize, parseByteSize } from './byte-size.ts'

test('a byte size is a number with a unit in any case', () => {
  const read: [text: string, bytes: number][] = [
    ['512b', 512],
    ['5kb', 5120],
    ['5K', 5120],
    ['1.5mb', 1_572_864],
    ['5 MB', 5_242_880],
    ['2g', 2 ** 31],
    ['0', 0],
    ['-1', -1],
    ['-1b', -1],
  ]
  for (const [text, bytes] of read) assert.equal(parseByteSize(text, 'limit'), bytes, text)
})

test("a malformed byte size is rejected with Elasticsearch's message", () => {
  const setting = (text: string) => `failed to parse setting [limit] with value [${text}]`
  const refused: [text: string, message: string][] = [
    ['5', `${setting('5')} as a size in bytes: unit is missing or unrecognized`],
    ['', `${setting('')} as a size in bytes: unit is missing or unrecognized`],
    ['1.5xmb', setting('1.5xmb')],
    ['-5mb', `${setting('-5mb')} as a size in bytes`],
  ]
  for (const [text, message] of refused) {
    assert.throws(() => parseByteSize(text, 'limit'), { type: 'parse_exception', message })
  }
})

test('a byte size prints in its largest unit with at most one decimal', () => {
  const printed: [bytes: number, text: string][] = [
    [0, '0b'],
    [1023, '1023b'],
    [1536, '1.5kb'],
    [1_000_000, '976.5kb'],
    [2 ** 50, '1pb'],
  ]
  for (const [bytes, text] of printed) assert.equal(formatByteSize(bytes), text)
})
