/**
 * Goal: a shard in a process that is killed at any moment loses no acknowledged write, applies none twice, and opens
 * again. Method: a child process writes with several clients, with refreshes, flushes and merges in between. It is
 * killed after a random time. The data is opened and compared with the operations that the child reported. The next
 * child continues with the same data.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ShardFixture } from '../../src/engine/shard/shard-fixture.ts'
import { DiskDirectory } from '../../src/engine/store/disk-directory.ts'
import { compileTests } from '../compile.mjs'
import { AcknowledgedState } from './acknowledged.ts'

const KILLS = process.env['SANDPIPER_SLOW_TESTS'] === '1' ? 100 : 3
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test(`a shard keeps every acknowledged write through ${KILLS} kills`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-crash-'))
  const state = new AcknowledgedState()
  const programs = mkdtempSync(join(tmpdir(), 'sandpiper-crash-program-'))
  const [writer] = await compileTests(ROOT, ['test/crash/shard-writer.ts'], programs)
  for (let round = 1; round <= KILLS; round++) {
    state.read(await writeAndKill(writer!, folder, round))
    // The check uses a copy, so that the next writer starts from the killed state and not from a clean close.
    const copy = `${folder}-copy`
    cpSync(folder, copy, { recursive: true })
    await verify(copy, state)
    rmSync(copy, { recursive: true })
  }
  assert.ok(state.acknowledgedCount > KILLS, `only ${state.acknowledgedCount} writes were acknowledged`)
  rmSync(folder, { recursive: true })
  rmSync(programs, { recursive: true })
})

async function writeAndKill(writer: string, folder: string, round: number): Promise<string> {
  const child = spawn(process.execPath, [writer, folder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.setEncoding('utf8')
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  await once(child.stdout, 'data')
  // The first writer runs until some writes are acknowledged. Later writers are killed at any moment.
  while (round === 1 && output.split('\na ').length <= KILLS + 1) await once(child.stdout, 'data')
  await delay(Math.random() ** 2 * 400)
  child.kill('SIGKILL')
  const [code, signal] = await once(child, 'close')
  assert.equal(signal, 'SIGKILL', `the writer ended by itself, with code ${code}`)
  return output
}

async function verify(folder: string, state: AcknowledgedState): Promise<void> {
  const fixture = await ShardFixture.open(new DiskDirectory(folder))
  // Throws if a document is visible twice.
  const visible = fixture.visible()
  for (const id of state.ids()) {
    const found = fixture.get(id)
    const survivor =
      found === undefined ? undefined : { number: fixture.source(id)!.n!, version: found.version, seqNo: found.seqNo }
    state.check(id, survivor)
    assert.equal(visible.get(id), found?.version, id)
  }
  await fixture.shard.close()
}
