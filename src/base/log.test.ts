import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, type LogOptions } from './log.ts'

function linesOf(options: Omit<LogOptions, 'write'>, run: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = []
  run(createLog('info', { ...options, write: (line) => lines.push(line) }))
  return lines
}

test('a log drops lines below its level', () => {
  const lines = linesOf({}, (log) => {
    log.debug('not wanted')
    log.warn('wanted')
  })
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /^\d{4}-\d\d-\d\dT\S+Z WARN {2}wanted$/)
})

test('a text line quotes field values that contain spaces, quotes or equals signs', () => {
  const [line] = linesOf({}, (log) => log.info('stopped', { signal: 'SIGTERM', reason: 'a "b" = c', none: undefined }))
  assert.match(line!, /INFO {2}stopped signal=SIGTERM reason="a \\"b\\" = c"$/)
})

test('a JSON line is one object with the level, the message and the fields', () => {
  const [line] = linesOf({ format: 'json' }, (log) =>
    log.error('failed', { index: 'books', error: new TypeError('no\nline') }),
  )
  const parsed = JSON.parse(line!)
  assert.equal(parsed['log.level'], 'ERROR')
  assert.equal(parsed.message, 'failed')
  assert.equal(parsed.index, 'books')
  assert.equal(parsed['error.type'], 'TypeError')
  assert.equal(parsed['error.message'], 'no\nline')
  assert.ok(!line!.includes('\n'))
})

test('a field of a JSON line never replaces the message', () => {
  const [line] = linesOf({ format: 'json' }, (log) => log.info('first', { message: 'second' }))
  assert.equal(JSON.parse(line!).message, 'first')
  assert.equal(JSON.parse(line!)['labels.message'], 'second')
})
