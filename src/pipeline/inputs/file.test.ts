import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { multiline } from '../codecs/multiline.ts'
import type { Event } from '../event/event.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { makeInput, RunningInput, testContext } from '../registry/plugin-fixture.ts'
import { file } from './file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-file-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = (name: string) => join(folder, name)
const messages = (events: readonly Event[]) => events.map((event) => event.get('message'))

async function start(options: Record<string, unknown>): Promise<RunningInput> {
  const quick = { stat_interval: '10 ms', discover_interval: 1, sincedb_path: path('.sincedb') }
  const context = testContext({ dataFolder: folder })
  return new RunningInput(await makeInput(file, { path: [path('*.log')], ...quick, ...options }, context)).start()
}

test('an existing file is read from its end, a file created later from its start', async () => {
  writeFileSync(path('old.log'), 'before\n')
  const input = await start({})
  appendFileSync(path('old.log'), 'added\n')
  await input.take(1)
  writeFileSync(path('new.log'), 'first\nsecond\n')
  assert.deepEqual(messages(await input.take(3)), ['added', 'first', 'second'])
  assert.equal(input.events[0]!.get('path'), path('old.log'))
  assert.equal(input.events[0]!.get('host'), 'here')
  assert.equal(input.events[0]!.get('[@metadata][path]'), path('old.log'))
  await input.stop()
})

test('an incomplete line waits for its rest, even across a restart', async () => {
  writeFileSync(path('a.log'), 'whole\nha')
  const first = await start({ start_position: 'beginning' })
  assert.deepEqual(messages(await first.take(1)), ['whole'])
  await first.stop()
  assert.match(readFileSync(path('.sincedb'), 'utf8'), /^\d+ \d+ \d+ 6 [\d.]+ .*a\.log\n0 0 0 \d+ 0 checksum\n$/)
  appendFileSync(path('a.log'), 'lf\n')
  const second = await start({ start_position: 'beginning' })
  assert.deepEqual(messages(await second.take(1)), ['half'])
  await second.stop()
})

test('a renamed file continues at its position, and the new file is read from its start', async () => {
  writeFileSync(path('a.log'), 'one\n')
  const input = await start({ start_position: 'beginning' })
  await input.take(1)
  renameSync(path('a.log'), path('a.1.log'))
  appendFileSync(path('a.1.log'), 'two\n')
  writeFileSync(path('a.log'), 'three\n')
  assert.deepEqual(messages(await input.take(3)).sort(), ['one', 'three', 'two'])
  await input.stop()
})

// Goal: replaced content is detected even if the file is longer than before.
test('a rewritten file is read from its start, whether it is longer or shorter', async () => {
  writeFileSync(path('a.log'), 'first content\n')
  const input = await start({ start_position: 'beginning' })
  await input.take(1)
  writeFileSync(path('a.log'), 'second content, which is longer\nand more\n')
  assert.deepEqual(messages(await input.take(3)), ['first content', 'second content, which is longer', 'and more'])
  writeFileSync(path('a.log'), 'short\n')
  assert.equal(messages(await input.take(4))[3], 'short')
  await input.stop()
})

test('a position is stored only when the events before it were acknowledged', async () => {
  writeFileSync(path('a.log'), 'one\ntwo\n')
  const context = testContext({ dataFolder: folder })
  const given = { path: [path('*.log')], start_position: 'beginning', sincedb_path: path('.sincedb') }
  const input = await makeInput(file, given, context)
  await input.start?.()
  let pushed: (() => void) | undefined
  const seen = new Promise<void>((resolve) => {
    pushed = resolve
  })
  const done = input.run({
    push: () => {
      pushed!()
      return undefined
    },
  })
  await seen
  input.stop()
  await done
  await input.close?.()
  assert.match(readFileSync(path('.sincedb'), 'utf8'), /^\d+ \d+ \d+ 0 /)
})

// Goal: lines that may still extend an event are not stored as read before the event is emitted.
test('the position stays before a multiline event until the event is complete', async () => {
  const context = testContext({ dataFolder: folder })
  const pattern = { pattern: '^\\s', what: 'previous' }
  const codec = multiline.create(withDefaults(multiline.options, pattern), context)
  writeFileSync(path('a.log'), 'one\n  more of one\ntwo\n')
  const saving = { codec, start_position: 'beginning', sincedb_write_interval: '10 ms' }
  const input = await start(saving)
  await input.take(1)
  const saved = () => (existsSync(path('.sincedb')) ? readFileSync(path('.sincedb'), 'utf8').split(' ')[3] : '')
  while (saved() !== '18') await new Promise((resolve) => setTimeout(resolve, 5))
  appendFileSync(path('a.log'), '  more of two\nthree\n')
  assert.deepEqual(messages(await input.take(2)), ['one\n  more of one', 'two\n  more of two'])
  // Stopping ends the event as well.
  await input.stop()
  assert.equal(messages(input.events)[2], 'three')
  assert.equal(saved(), String(readFileSync(path('a.log')).length))
})

test('read mode reads whole files, including compressed ones, and deletes them', async () => {
  writeFileSync(path('a.log'), 'one\ntwo without end')
  writeFileSync(path('b.log.gz'), gzipSync('three\nfour\n'))
  const options = { path: [path('*.log*')], mode: 'read', exit_after_read: true, file_sort_by: 'path' }
  const input = await start(options)
  await input.ended()
  assert.deepEqual(messages(input.events), ['one', 'two without end', 'three', 'four'])
  assert.ok(!existsSync(path('a.log')))
  assert.ok(!existsSync(path('b.log.gz')))
})

test('read mode can log completed files instead', async () => {
  writeFileSync(path('a.log'), 'one\n')
  const logging = { file_completed_action: 'log', file_completed_log_path: path('done.txt') }
  const input = await start({ mode: 'read', exit_after_read: true, ...logging })
  await input.ended()
  assert.ok(existsSync(path('a.log')))
  assert.equal(readFileSync(path('done.txt'), 'utf8'), `${path('a.log')}\n`)
})

test('thousands of files are followed with few of them open', async () => {
  const count = 2000
  for (let i = 0; i < count; i++) writeFileSync(path(`${i}.log`), `line ${i}\n`)
  const input = await start({ start_position: 'beginning', max_open_files: 10, discover_interval: 100 })
  assert.equal(new Set(messages(await input.take(count))).size, count)
  await input.stop()
})

test('contradictory options are rejected', async () => {
  await assert.rejects(
    start({ path: ['relative.log'] }),
    /File paths must be absolute, relative path specified: relative.log/,
  )
  await assert.rejects(start({ sincedb_path: folder }), /must point to a file, received a directory/)
  await assert.rejects(start({ mode: 'read', file_completed_action: 'log' }), PluginOptionError)
  await assert.rejects(start({ stat_interval: 'soon' }), /no time span/)
})

test('a sincedb record that was unused for long is removed', async () => {
  writeFileSync(path('a.log'), 'one\n')
  const first = await start({ start_position: 'beginning' })
  await first.take(1)
  await first.stop()
  // In Logstash's form, without a checksum.
  const record = readFileSync(path('.sincedb'), 'utf8').replace(/^0 0 0 .*\n/m, '')
  writeFileSync(path('.sincedb'), record.replace(/^(\d+ \d+ \d+ \d+) [\d.]+/, `$1 ${Date.now() / 1000 - 10 * 86_400}`))
  const patient = await start({ start_position: 'beginning' })
  appendFileSync(path('a.log'), 'two\n')
  assert.deepEqual(messages(await patient.take(1)), ['two'])
  await patient.stop()
  writeFileSync(path('.sincedb'), record.replace(/^(\d+ \d+ \d+ \d+) [\d.]+/, `$1 ${Date.now() / 1000 - 10 * 86_400}`))
  const second = await start({ start_position: 'beginning', sincedb_clean_after: '9 days' })
  assert.deepEqual(messages(await second.take(2)), ['one', 'two'])
  await second.stop()
})

test('a file that is deleted before its turn does not block the input', async () => {
  for (const name of ['a.log', 'b.log']) writeFileSync(path(name), `${name}\n`)
  const options = { path: [path('*.log')], mode: 'read', exit_after_read: true, file_sort_by: 'path' }
  const input = await makeInput(
    file,
    { ...options, sincedb_path: path('.sincedb') },
    testContext({ dataFolder: folder }),
  )
  await input.start?.()
  const seen: unknown[] = []
  await input.run({
    push: (events, onAcknowledged) => {
      seen.push(...messages(events))
      rmSync(path('b.log'), { force: true })
      onAcknowledged?.()
      return undefined
    },
  })
  await input.close?.()
  assert.deepEqual(seen, ['a.log'])
})

test('a position is on disk soon after its events were acknowledged', async () => {
  writeFileSync(path('a.log'), 'one\ntwo\n')
  const input = await start({ start_position: 'beginning', sincedb_write_interval: 0.01 })
  await input.take(2)
  const saved = () => (existsSync(path('.sincedb')) ? readFileSync(path('.sincedb'), 'utf8').split(' ')[3] : '')
  while (saved() !== '8') await new Promise((resolve) => setTimeout(resolve, 5))
  await input.stop()
})

// Goal: a position that cannot be trusted must not make lines count as delivered.
test('damaged positions are set aside, and files are read again from their start', async () => {
  writeFileSync(path('a.log'), 'one\n')
  const first = await start({ start_position: 'beginning' })
  await first.take(1)
  await first.stop()
  const whole = readFileSync(path('.sincedb'), 'utf8')
  writeFileSync(path('.sincedb'), whole.replace(/^(\d+ \d+ \d+) 4/, '$1 5'))
  appendFileSync(path('a.log'), 'two\n')
  const second = await start({})
  assert.deepEqual(messages(await second.take(2)), ['one', 'two'])
  await second.stop()
  assert.ok(readdirSync(folder).some((name) => name.startsWith('.sincedb.damaged-')))
})

test('positions written by Logstash, without a checksum, are accepted', async () => {
  writeFileSync(path('a.log'), 'one\n')
  const first = await start({ start_position: 'beginning' })
  await first.take(1)
  await first.stop()
  const whole = readFileSync(path('.sincedb'), 'utf8')
  writeFileSync(path('.sincedb'), whole.slice(0, whole.indexOf('\n') + 1))
  appendFileSync(path('a.log'), 'two\n')
  const second = await start({})
  assert.deepEqual(messages(await second.take(1)), ['two'])
  await second.stop()
})

test('unreadable positions stop the pipeline instead of making every file count as new', async () => {
  mkdirSync(path('.sincedb'))
  await assert.rejects(start({ start_position: 'beginning' }))
})
