import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { DeadLetterQueue } from './dead-letter-queue.ts'
import { PageReader } from './page-file.ts'
import { decodeEvent } from './stored-event.ts'

const plugin = { type: 'elasticsearch', id: 'es' }

test('a dead letter has the event, the reason and the time, and a restart begins a new segment', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-letters-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const settings = { folder, bytesMax: 10_000, policy: 'drop_newer', keepMs: undefined } as const
  for (const message of ['one', 'two']) {
    const queue = new DeadLetterQueue({ ...settings, log: silentLog, clock: { nowMs: () => 0 } })
    await queue.write(Event.ofMessage(message, new Timestamp(1)), 'bad mapping', plugin)
    queue.close()
  }
  assert.deepEqual(readdirSync(folder).sort(), ['1.log', '2.log'])
  const reader = PageReader.open(join(folder, '2.log'))
  const letter = decodeEvent(reader.read(10)[0]!)
  reader.close()
  assert.equal(letter.get('message'), 'two')
  assert.equal(letter.get('[@metadata][dead_letter_queue][reason]'), 'bad mapping')
  assert.equal(letter.get('[@metadata][dead_letter_queue][entry_time]'), '1970-01-01T00:00:00.000Z')
})

test('a full dead letter queue accepts no more letters', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-letters-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const settings = { folder, bytesMax: 300, policy: 'drop_newer', keepMs: undefined } as const
  const queue = new DeadLetterQueue({ ...settings, log: silentLog, clock: { nowMs: () => 0 } })
  for (let i = 0; i < 50; i++) await queue.write(Event.ofMessage('x', new Timestamp(1)), 'r', plugin)
  queue.close()
  const reader = PageReader.open(join(folder, '1.log'))
  assert.ok(reader.read(100).length < 5)
  reader.close()
})
