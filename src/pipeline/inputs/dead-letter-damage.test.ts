import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { type Log, silentLog } from '../../base/log.ts'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { DeadLetterQueue } from '../queue/dead-letter-queue.ts'
import { deadLetterQueue } from './dead_letter_queue.ts'

let root: string
let letters: string
let errors: string[]
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sandpiper-letters-'))
  letters = join(root, 'main')
  errors = []
  for (const messages of [['one', 'two', 'three'], ['four']]) {
    const settings = { folder: letters, bytesMax: 100_000, policy: 'drop_newer', keepMs: undefined } as const
    const queue = new DeadLetterQueue({ ...settings, log: silentLog, clock: { nowMs: () => 0 } })
    for (const message of messages) {
      await queue.write(Event.ofMessage(message, new Timestamp(1)), 'reason', { type: 'x', id: 'y' })
    }
    queue.close()
  }
})
afterEach(() => rmSync(root, { recursive: true }))

/** The messages that an input reads until it finds no more. */
async function readAll(options: Record<string, unknown> = {}): Promise<string[]> {
  const log: Log = { ...silentLog, error: (message) => errors.push(message) }
  const input = deadLetterQueue.create(
    { path: root, pipeline_id: 'main', commit_offsets: true, clean_consumed: true, ...options } as never,
    { log, dataFolder: join(root, 'data') } as never,
  )
  const messages: string[] = []
  const running = input.run({
    push: async (events: Event[], done?: () => void) => {
      for (const event of events) messages.push(String(event.get('message')))
      done?.()
    },
  } as never)
  while (!messages.includes('four')) await new Promise((resolve) => setTimeout(resolve, 5))
  input.stop()
  await running
  return messages
}

function damage(at: (bytes: Buffer) => number): void {
  const bytes = readFileSync(join(letters, '1.log'))
  bytes[at(bytes)]! ^= 1
  writeFileSync(join(letters, '1.log'), bytes)
}

test('a segment that was read is removed', async () => {
  assert.deepEqual(await readAll(), ['one', 'two', 'three', 'four'])
  assert.deepEqual(readdirSync(letters), ['2.log'])
  assert.deepEqual(errors, [])
})

for (const [what, at, messages] of [
  ['header', () => 5, ['one', 'two', 'three', 'four']],
  ['letter', (bytes: Buffer) => bytes.indexOf('two'), ['one', 'three', 'four']],
  ['last letter', (bytes: Buffer) => bytes.length - 3, ['one', 'two', 'four']],
] as const) {
  test(`a segment with a damaged ${what} is reported and kept, and its other letters are read`, async () => {
    damage(at)
    assert.deepEqual(await readAll(), messages)
    assert.deepEqual(readdirSync(letters), ['1.log.damaged', '2.log'])
    assert.match(errors.join(), /1\.log is damaged/)
  })
}

test('a position that was changed is reported, and all letters are read again', async () => {
  const path = join(root, 'data', 'plugins', 'inputs', 'dead_letter_queue', '.sincedb_main')
  await readAll({ clean_consumed: false })
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^2 1/, '2 3'))
  assert.deepEqual(await readAll({ clean_consumed: false }), ['one', 'two', 'three', 'four'])
  assert.match(errors.join(), /holds no position/)
})

test('a position of an earlier version is read', async () => {
  const folder = join(root, 'data', 'plugins', 'inputs', 'dead_letter_queue')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.sincedb_main'), '1 2\n')
  assert.deepEqual(await readAll(), ['three', 'four'])
})
