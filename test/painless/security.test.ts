import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ESCAPES, EXHAUSTION, LITERALS } from './escapes.ts'
import { executeScript } from './execute.ts'

/** Reaching every limit takes half a minute. Without slow tests only every sixth script runs. */
const slow = process.env['SANDPIPER_SLOW_TESTS'] === '1'
const exhaustion = slow ? EXHAUSTION : EXHAUSTION.filter((_, i) => i % 6 === 0)

/** The scripts that did not end with a script error. */
function allowed(attempts: readonly string[]): string[] {
  return attempts.flatMap((source) => {
    const { status, body } = executeScript({ script: { source } })
    const error = body['error'] as { type?: string } | undefined
    if (status === 400 && error?.type === 'script_exception') return []
    return [`${source.slice(0, 200)} => ${JSON.stringify(body).slice(0, 200)}`]
  })
}

test(`every script that tries to reach the host ends with a script error: ${ESCAPES.length}`, () => {
  assert.ok(ESCAPES.length >= 200)
  assert.deepEqual(allowed(ESCAPES), [])
})

test(`every script that tries to exhaust the process ends with a script error: ${exhaustion.length} of ${EXHAUSTION.length}`, () => {
  assert.deepEqual(allowed(exhaustion), [])
})

test('string literals of scripts cannot end literals of the generated code', () => {
  for (const literal of LITERALS) {
    const { body } = executeScript({ script: { source: `${literal}.length() + ${literal}` } })
    assert.ok(typeof body['result'] === 'string', `${literal}: ${JSON.stringify(body)}`)
  }
})

test('a script that writes to maps cannot change the prototypes of the host', () => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    const { body } = executeScript({ script: { source: `Map m = [:]; m['${key}'] = ['x': 1]; m.${key}.x` } })
    assert.equal(body['result'], '1')
  }
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})
