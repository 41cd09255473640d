import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlowMatcher } from './slow-matcher.ts'

/** A back reference keeps the matcher from recording failures. */
const ENDLESS = { source: '^(?:(a)|aa)+\\1c$', text: `${'a'.repeat(60)}b` }

test('one thread answers match after match', async () => {
  const matcher = new SlowMatcher()
  try {
    assert.deepEqual(await matcher.match({ source: '(a)b', text: 'ab' }, 60_000), { groups: ['a'] })
    assert.deepEqual(await matcher.match({ source: '(a)c', text: 'xac' }, undefined), { groups: ['a'] })
    assert.deepEqual(await matcher.match({ source: '(a)d', text: 'ab' }, 60_000), { groups: null })
  } finally {
    await matcher.close()
  }
})

test('a match that is too slow or cannot be compiled does not affect those that wait behind it', async () => {
  const matcher = new SlowMatcher()
  try {
    const answers = await Promise.allSettled([
      matcher.match({ source: '(a)b', text: 'ab' }, 60_000),
      matcher.match(ENDLESS, 5),
      matcher.match({ source: '(a', text: 'ab' }, 60_000),
      matcher.match(ENDLESS, 5),
      matcher.match({ source: '(a)c', text: 'ac' }, 60_000),
    ])
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed')),
      [{ groups: ['a'] }, 'timeout', 'failed', 'timeout', { groups: ['a'] }],
    )
  } finally {
    await matcher.close()
  }
})

test('closing ends a match without a limit', async () => {
  const matcher = new SlowMatcher()
  const endless = matcher.match(ENDLESS, undefined)
  const settled = assert.rejects(endless, /has ended/)
  // The first match has its thread by the next turn.
  await Promise.resolve()
  await matcher.close()
  await settled
})
