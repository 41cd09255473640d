import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ATTEMPTS, LITERALS } from './escapes.ts'
import { executeScript } from './execute.ts'

test(`every attempt to leave or exhaust the sandbox ends with a script error: ${ATTEMPTS.length}`, () => {
  assert.ok(ATTEMPTS.length >= 200)
  const slow: string[] = []
  const allowed: string[] = []
  for (const source of ATTEMPTS) {
    const started = process.cpuUsage()
    const { status, body } = executeScript({ script: { source } })
    const { user } = process.cpuUsage(started)
    if (user > 20_000_000) slow.push(source)
    const error = body['error'] as { type?: string } | undefined
    if (status !== 400 || error?.type !== 'script_exception') allowed.push(`${source.slice(0, 200)} => ${JSON.stringify(body).slice(0, 200)}`)
  }
  assert.deepEqual(allowed, [])
  assert.deepEqual(slow, [], 'these did not end in bounded time')
})

test('string literals of scripts cannot end literals of the generated code', () => {
  for (const literal of LITERALS) {
    const { body } = executeScript({ script: { source: `${literal}.length() + ${literal}` } })
    assert.ok(typeof body['result'] === 'string', `${literal}: ${JSON.stringify(body)}`)
  }
})

test('the prototypes of the host are untouched by scripts that write to maps', () => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    const { body } = executeScript({ script: { source: `Map m = [:]; m['${key}'] = ['x': 1]; m.${key}.x` } })
    assert.equal(body['result'], '1')
  }
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})
