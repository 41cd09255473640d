import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { Output } from '../plugin/output-plugin.ts'
import { noEvents } from './metrics.ts'
import { OutputRouter } from './output-router.ts'

const event = (message: string) => Event.ofMessage(message, new Timestamp(0))
const message = (one: Event) => String(one.get('message'))

function routerFor(output: Output) {
  const letters: string[] = []
  const slot = { name: 'some', id: 'some_1', output, counts: noEvents() }
  const deadLetters = { write: async (letter: Event) => void letters.push(message(letter)) }
  const router = new OutputRouter([{ op: 'output', index: 0 }], [slot], silentLog, deadLetters)
  return { router, letters }
}

test('an event that breaks an output becomes a dead letter, and the rest of its batch is written', async () => {
  const written = new Set<string>()
  const { router, letters } = routerFor({
    async write(events) {
      if (events.some((one) => message(one) === 'bad')) throw new TypeError('not expected')
      for (const one of events) written.add(message(one))
    },
  })
  await router.write(['a', 'bad', 'b'].map(event))
  assert.deepEqual([...written], ['a', 'b'])
  assert.deepEqual(letters, ['bad'])
})

test('an output that rejects with a system error is retried', async () => {
  let tries = 0
  const { router, letters } = routerFor({
    async write() {
      if (++tries < 3) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' })
    },
  })
  await router.write([event('a')])
  assert.equal(tries, 3)
  assert.deepEqual(letters, [])
})

test('a batch is not acknowledged if an output is closed before it has written its events', async () => {
  const { router } = routerFor({
    write: () => Promise.reject(new DOMException('closed', 'AbortError')),
  })
  await assert.rejects(router.write([event('a')]), { name: 'AbortError' })
})
