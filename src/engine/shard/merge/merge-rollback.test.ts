// Goal: a rollback replaces the list of segments, so a merge of the old list must not change the new one. Method: a merge starts while the
// rollback waits for the disk, and ends after the rollback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FaultyDirectory } from '../../store/faulty-directory.ts'
import { ShardFixture } from '../shard-fixture.ts'
import { BackgroundMergeRunner, type MergeJob, type MergeRunner } from './merge-runner.ts'

/** Merges wait until they are let through. */
class GatedRunner implements MergeRunner {
  readonly #runner = new BackgroundMergeRunner()
  readonly #gates: (() => void)[] = []
  #isOpen = false
  started = 0

  async run(job: MergeJob) {
    this.started++
    if (!this.#isOpen) await new Promise<void>((resolve) => this.#gates.push(resolve))
    return this.#runner.run(job)
  }

  letThrough(): void {
    this.#gates.shift()?.()
  }

  open(): void {
    this.#isOpen = true
    this.letThrough()
  }

  close(): Promise<void> {
    return this.#runner.close()
  }
}

function gate() {
  let resolve!: () => void
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !condition(); turn++) await nextTurn()
  assert.ok(condition())
}

test('the result of a merge that starts during a rollback is discarded', async () => {
  const directory = new FaultyDirectory()
  const mergeRunner = new GatedRunner()
  const shard = await ShardFixture.open(directory, { mergeRunner })
  shard.index('1', { n: 1 })
  await shard.shard.flush()
  shard.index('2', { n: 1 })
  await shard.shard.refresh()
  const merging = shard.shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false, flush: false })
  await until(() => mergeRunner.started === 1)
  shard.index('3', { n: 1 })

  const syncFolder = directory.syncFolder.bind(directory)
  const flushIsSyncing = gate()
  const mayContinue = gate()
  directory.syncFolder = async () => {
    directory.syncFolder = syncFolder
    flushIsSyncing.resolve()
    await mayContinue.promise
    directory.failingFolderSyncs = 1
    await syncFolder()
  }
  const flushing = assert.rejects(shard.shard.flush(), /EIO/)
  await flushIsSyncing.promise
  directory.failingSyncs = 1
  shard.index('4', { n: 1 })
  const rejected = assert.rejects(shard.shard.sync(), /EIO/)
  await until(() => directory.failingSyncs === 0)
  // The rollback waits for the flush, which will fail. The first merge ends, and the forced merge starts the next one.
  mergeRunner.letThrough()
  await until(() => mergeRunner.started === 2)
  mayContinue.resolve()
  await Promise.all([flushing, rejected])
  // A get waits for the rollback.
  await shard.shard.getSafe(Buffer.from('1'))
  mergeRunner.open()
  await merging
  await shard.shard.refresh()
  assert.deepEqual([...shard.visible().keys()].sort(), ['1', '2', '3'])
  await shard.shard.close()
})
