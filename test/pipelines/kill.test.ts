import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, startFake, Tool, until } from './harness.ts'

const KILLS = process.env['SANDPIPER_SLOW_TESTS'] === '1' ? 100 : 3
const TIMEOUT_MS = 60_000 + KILLS * 20_000
/** A tool that runs only for moments cannot keep up with a writer that never pauses. */
const BACKLOG_LINES_MAX = 3000

// Goal: after kills at any moment, every line is in the index, and with ids exactly once. Method: a writer appends
// lines, only so far ahead that the kills still coincide with the ends of files, and rotates the file by renaming. The
// tool is killed at random moments and restarted.
test('a pipeline from file to index loses no line through kill -9', { timeout: TIMEOUT_MS }, async (t) => {
  const { folder, search, hosts } = await startFake(t)
  const log = join(folder.path, 'app.log')
  const config = join(folder.path, 'kill.conf')
  writeFileSync(
    config,
    `input { file { path => "${folder.path}/app.log*" start_position => "beginning" stat_interval => "50 ms"
       discover_interval => 1 sincedb_write_interval => "100 ms" file_chunk_size => 4096 } }
     output { elasticsearch { hosts => ["${hosts}"] index => "lines" document_id => "%{message}"
       retry_initial_interval => 1 } }`,
  )
  writeFileSync(log, '')
  let count = 0
  const write = (lines: number) => {
    let text = ''
    for (let i = 0; i < lines; i++) text += `line-${count++}\n`
    appendFileSync(log, text)
  }
  const stored = () => search.indices.get('lines')?.size ?? 0
  // Occasional failures make batches wait, which moves the kills to other places.
  search.bulkStatus = () => (Math.random() < 0.05 ? 503 : 200)
  const start = () => new Tool(['-f', config, '--path.data', join(folder.path, 'data'), '-w', '2'])

  for (let kill = 0; kill < KILLS; kill++) {
    const tool = start()
    if (count - stored() < BACKLOG_LINES_MAX) write(500)
    await tool.logged('Watching')
    const killAt = Date.now() + Math.random() * 400
    while (Date.now() < killAt) {
      if (count - stored() < BACKLOG_LINES_MAX) write(50)
      await sleep(10)
    }
    // The file is renamed while the tool reads. The pattern covers both names.
    if (kill % 3 === 1) {
      renameSync(log, `${log}.${kill}`)
      writeFileSync(log, '')
      write(100)
      await sleep(300)
    }
    await tool.kill()
    write(100)
  }
  search.bulkStatus = () => 200
  const last = start()
  await until(
    () => stored() >= count,
    () => `${count} lines, ${stored()} are there; ${last.stderr.slice(-2000)}`,
  )
  assert.equal(await last.stop(), 0, last.stderr)
  const documents = search.indices.get('lines')!
  assert.equal(documents.size, count)
  for (let i = 0; i < count; i++) assert.equal(documents.get(`line-${i}`)?.['message'], `line-${i}`)
})

// Goal: events that the persisted queue received from a socket survive a kill. Method: the index rejects everything
// while lines arrive. The tool is killed when the page files contain the lines, and restarted.
test('a persisted queue keeps the events received over tcp through kill -9', { timeout: TIMEOUT_MS }, async (t) => {
  const { folder, search, hosts } = await startFake(t)
  const port = await freePort()
  const config = join(folder.path, 'kill.conf')
  writeFileSync(
    config,
    `input { tcp { port => ${port} host => "127.0.0.1" } }
     output { elasticsearch { hosts => ["${hosts}"] index => "lines" document_id => "%{message}"
       retry_initial_interval => 1 } }`,
  )
  const data = join(folder.path, 'data')
  const start = () =>
    new Tool(['-f', config, '--path.data', data, '-S', 'queue.type=persisted', '-S', 'queue.page_capacity=64kb'])
  let count = 0
  for (let kill = 0; kill < KILLS; kill++) {
    search.bulkStatus = () => (Math.random() < 0.5 ? 503 : 200)
    const tool = start()
    await tool.logged('Listening for tcp')
    let text = ''
    for (let i = 0; i < 1000; i++) text += `line-${count++}\n`
    const stream = connect(port, '127.0.0.1')
    stream.on('error', () => {})
    stream.write(text)
    // The line is in a page file or already delivered.
    const lastLine = `line-${count - 1}`
    await until(
      () => search.indices.get('lines')?.has(lastLine) === true || isQueued(join(data, 'queue', 'main'), lastLine),
      () => `${lastLine} in the queue; ${tool.stderr}`,
    )
    await sleep(Math.random() * 100)
    await tool.kill()
    stream.destroy()
  }
  search.bulkStatus = () => 200
  const last = start()
  await until(
    () => search.indices.get('lines')?.size === count,
    () => `${count} lines, ${search.indices.get('lines')?.size} are there; ${last.stderr.slice(-2000)}`,
  )
  assert.equal(await last.stop(), 0, last.stderr)
})

function isQueued(folder: string, line: string): boolean {
  return readdirSync(folder).some((name) => {
    try {
      return name.startsWith('page.') && readFileSync(join(folder, name), 'utf8').includes(`"message":"${line}"`)
    } catch {
      // Page files may be deleted while they are listed.
      return false
    }
  })
}

// Goal: rotation under load loses no line: by renaming, and by truncation after everything was read. Method: a writer
// rotates every few hundred lines while the tool follows the file.
test('rotation and truncation under load lose no line', { timeout: 120_000 }, async (t) => {
  const { folder, search, hosts } = await startFake(t)
  const log = join(folder.path, 'app.log')
  const config = join(folder.path, 'rotate.conf')
  writeFileSync(
    config,
    `input { file { path => "${log}" start_position => "beginning" stat_interval => "20 ms" } }
     output { elasticsearch { hosts => ["${hosts}"] index => "lines" document_id => "%{message}" } }`,
  )
  writeFileSync(log, '')
  const tool = new Tool(['-f', config, '--path.data', join(folder.path, 'data')])
  await tool.logged('Watching')
  let count = 0
  const write = (path: string, lines: number) => {
    let text = ''
    for (let i = 0; i < lines; i++) text += `line-${count++}\n`
    appendFileSync(path, text)
  }
  const stored = () => search.indices.get('lines')?.size ?? 0
  // A file that is renamed before the tool has opened it is not read: its new name is not configured.
  write(log, 1)
  await until(
    () => stored() === count,
    () => 'the first line',
  )
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 10; i++) {
      write(log, 50)
      await sleep(5)
    }
    if (round % 2 === 0) {
      renameSync(log, `${log}.${round}`)
      // The writer continues to write to the renamed file for a while.
      write(`${log}.${round}`, 50)
      writeFileSync(log, '')
      write(log, 10)
      await sleep(50)
      write(`${log}.${round}`, 50)
    } else {
      await until(
        () => stored() === count,
        () => `${count} lines before the truncation, ${stored()} are there`,
      )
      truncateSync(log)
    }
  }
  await until(
    () => stored() === count,
    () => `${count} lines, ${stored()} are there; ${tool.stderr}`,
  )
  assert.equal(await tool.stop(), 0, tool.stderr)
})
