import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../event/event.ts'
import { makeInput } from '../registry/plugin-fixture.ts'
import { exec } from './exec.ts'
import { pipe } from './pipe.ts'

// The second program of the shell outlives it and keeps its output open.
const COMMAND = 'echo begun; sleep 600 & sleep 600; true'

for (const [name, plugin, options] of [
  ['pipe', pipe, {}],
  ['exec', exec, { interval: 600 }],
] as const) {
  test(`the input ${name} ends with everything that its command has started`, async () => {
    const input = await makeInput(plugin, { command: COMMAND, ...options })
    const events: Event[] = []
    const running = input.run({
      push: (more) => {
        events.push(...more)
        return undefined
      },
    })
    // The next turn, when the shell is there; a signal before its programs start ends it as well.
    await new Promise((resolve) => setImmediate(resolve))
    input.stop()
    await running
    assert.ok(events.length <= 1)
  })
}
