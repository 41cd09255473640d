import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { RotatingFile } from './rotating-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-log-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const failOnError = (error: Error) => assert.fail(error)

test('a rotating file keeps the newest lines in the given number of files', async () => {
  const path = join(folder, 'deep', 'node.log')
  const file = new RotatingFile(path, { maxBytes: 100, maxFiles: 3, onError: failOnError })
  await file.open()
  for (let i = 0; i < 50; i++) {
    file.write(`line ${i}`)
    await file.flush()
  }
  await file.close()
  const kept = [`${path}.2`, `${path}.1`, path].map((name) => readFileSync(name, 'utf8')).join('')
  const first = Number(/^line (\d+)/.exec(kept)![1])
  assert.equal(kept, Array.from({ length: 50 - first }, (_, i) => `line ${first + i}\n`).join(''))
  assert.ok(!existsSync(`${path}.3`))
  for (const name of [path, `${path}.1`, `${path}.2`]) assert.ok(statSync(name).size <= 100)
})

test('a reopened rotating file appends at its end', async () => {
  const path = join(folder, 'again.log')
  for (const line of ['one', 'two']) {
    const file = new RotatingFile(path, { maxBytes: 1000, maxFiles: 2, onError: failOnError })
    await file.open()
    file.write(line)
    await file.close()
  }
  assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n')
})

test('lines that are still queued when the process exits are written', async () => {
  const path = join(folder, 'exit.log')
  const file = new RotatingFile(path, { maxBytes: 1000, maxFiles: 2, onError: failOnError })
  await file.open()
  file.write('last words')
  file.flushSync()
  await file.close()
  assert.equal(readFileSync(path, 'utf8'), 'last words\n')
})
