import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTO_ID_LENGTH, AutoIds } from './auto-id.ts'

// Goal: ids never repeat, whatever the clock does. Method: more ids than the counter has values, with a clock that
// stands still or goes back.
test('generated ids are unique, even if the clock goes back', () => {
  const times = [5000, 5000, 4000, 5000, 3000]
  let call = 0
  const ids = new AutoIds(() => times[call++ % times.length]!)
  const seen = new Set(Array.from({ length: 50_000 }, () => ids.next()))
  assert.equal(seen.size, 50_000)
})

test('a generated id has 20 characters that need no escaping in a path', () => {
  const ids = new AutoIds()
  for (let i = 0; i < 100; i++) assert.match(ids.next(), /^[A-Za-z0-9_-]{20}$/)
  assert.equal(ids.next().length, AUTO_ID_LENGTH)
})

test('two processes generate different ids at the same moment', () => {
  const now = () => 1_700_000_000_000
  const left = new Set(
    Array.from(
      { length: 1000 },
      (
        (ids) => () =>
          ids.next()
      )(new AutoIds(now)),
    ),
  )
  const right = new AutoIds(now)
  for (let i = 0; i < 1000; i++) assert.ok(!left.has(right.next()))
})
