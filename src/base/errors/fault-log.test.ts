import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LogFields, silentLog } from '../log.ts'
import { FaultLog } from './fault-log.ts'

function faultLog() {
  const lines: { message: string; fields: LogFields | undefined }[] = []
  const log = new FaultLog({ ...silentLog, error: (message, fields) => lines.push({ message, fields }) })
  return { log, lines }
}

const fail = (length: number) => {
  try {
    return new Array(length)
  } catch (error) {
    return error
  }
}

test('a fault is logged with its stack the first time, and then with its number at powers of ten', () => {
  const { log, lines } = faultLog()
  const written = Array.from({ length: 100 }, (_, i) => log.report('failed', fail(-1 - i), { uri: `/${i}` }))
  assert.deepEqual(
    written.flatMap((isWritten, i) => (isWritten ? [i + 1] : [])),
    [1, 10, 100],
  )
  const [first, second, third] = lines.map(({ fields }) => fields!)
  assert.ok(first!['error'] instanceof RangeError && first!['times'] === undefined)
  assert.deepEqual([second!['times'], third!['times'], third!['uri']], [10, 100, '/99'])
  assert.match(String(second!['error']), /^RangeError at fail \(.*fault-log\.test/)
})

test('a fault inside a function of the language is known by its caller', () => {
  const { log, lines } = faultLog()
  const repeat = (text: string, count: number) => {
    try {
      return text.repeat(count)
    } catch (error) {
      return log.report('failed', error)
    }
  }
  assert.deepEqual([repeat('x', -1), repeat('y', 2 ** 30), lines.length], [true, false, 1])
  assert.throws(
    () => 'x'.repeat(-1),
    (error) => log.report('failed', error),
  )
  assert.equal(lines.length, 2)
})

test('faults of other names and other places are logged apart, whatever their messages', () => {
  const { log, lines } = faultLog()
  for (const error of [fail(-1), new RangeError('Invalid array length'), new TypeError('x'), 'text', fail(-2)])
    log.report('failed', error)
  assert.equal(lines.length, 4)
})
