import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Tool, temporaryFolder, until } from './harness.ts'

// Goal: an output that cannot write loses no line, at any position of the input: not while it waits, not when the tool
// is killed at that time, and not the lines that share a batch with one that can never be written. Method: lines name
// their files, some with invalid file names; the target folder is a file at first. The tool is killed while it waits
// and restarted before the folder is created.
test('a file output that cannot write loses no line through a kill -9', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const log = join(folder.path, 'app.log')
  const out = join(folder.path, 'out')
  const config = join(folder.path, 'full.conf')
  const lines = Array.from({ length: 3000 }, (_, i) => `line-${i} ${i % 500 === 499 ? 'x'.repeat(300) : `f${i % 3}`}`)
  writeFileSync(log, `${lines.join('\n')}\n`)
  writeFileSync(out, 'in the way')
  writeFileSync(
    config,
    `input { file { path => "${log}" start_position => "beginning" stat_interval => "50 ms" } }
     filter { dissect { mapping => { "message" => "%{} %{name}" } } }
     output { file { path => "${out}/%{name}.log" codec => line { format => "%{message}" } } }`,
  )
  const start = () => new Tool(['-f', config, '--path.data', join(folder.path, 'data'), '-w', '2'])
  const first = start()
  await first.logged('Output file failed, events wait until it works again')
  await sleep(300)
  await first.kill()
  const second = start()
  await second.logged('Output file failed, events wait until it works again')
  renameSync(out, `${out}.aside`)
  mkdirSync(out)
  const written = () =>
    new Set(readdirSync(out).flatMap((name) => readFileSync(join(out, name), 'utf8').trimEnd().split('\n')))
  await until(
    () => written().size >= lines.length,
    () => `${lines.length} lines, ${written().size} are there; ${second.stderr.slice(-2000)}`,
  )
  assert.equal(await second.stop(), 0, second.stderr)
  assert.deepEqual([...written()].sort(), [...lines].sort())
  assert.ok(existsSync(join(out, '_filepath_failures')))
  rmSync(`${out}.aside`)
})
