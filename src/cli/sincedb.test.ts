import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLog } from '../base/log.ts'
import { identityOf, Sincedb } from '../pipeline/inputs/watching/sincedb.ts'
import { sincedb } from './sincedb.ts'

/** Runs the command and returns its output. */
async function printed(args: string[]): Promise<string> {
  let text = ''
  const write = process.stdout.write
  process.stdout.write = ((piece: string) => {
    text += piece
    return true
  }) as typeof write
  try {
    await sincedb(args)
  } finally {
    process.stdout.write = write
  }
  return text
}

test('sincedb lists positions and remaining bytes, sets positions and removes entries', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-sincedb-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const log = join(folder, 'app.log')
  writeFileSync(log, 'one\ntwo\n')
  const path = join(folder, 'plugins', 'inputs', 'file', '.sincedb_0123')
  mkdirSync(join(folder, 'plugins', 'inputs', 'file'), { recursive: true })
  const settings = { path, keepMs: 1e12, saveMs: 1e9, log: silentLog }
  const identity = identityOf(statSync(log, { bigint: true }))
  const written = new Sincedb(settings)
  written.set(identity, 4, log, Date.now())
  await written.close(Date.now())
  const position = () => {
    const read = new Sincedb(settings)
    read.load(Date.now())
    return read.get(identity)?.position
  }
  const here = ['--path.data', folder]
  assert.match(await printed(here), /4 {2}4 bytes left .*app\.log\n$/)
  await printed(['set', log, 'end', ...here])
  assert.equal(position(), 8)
  await printed(['set', log, '0', ...here])
  assert.equal(position(), 0)
  await printed(['forget', log, ...here])
  assert.equal(position(), undefined)
  await assert.rejects(printed(['forget', log, ...here]), /is not remembered/)
  await assert.rejects(printed(['set', log, 'soon', ...here]), /is not remembered|no position/)
})
