import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UndecidedMetadataError } from '../../src/base/errors/index-errors.ts'
import { SeededRandom } from '../../src/base/seeded-random.ts'
import type { Change } from '../../src/service/metadata/metadata.ts'
import { MetadataStore } from '../../src/service/metadata/metadata-store.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const policy = (name: string, version: number): Change => ({
  section: 'lifecyclePolicies',
  name,
  value: { version, modifiedMs: 0, policy: {} as never },
})

const stored = (store: MetadataStore) => [...store.state.sections.lifecyclePolicies.keys()].sort()

for (const { noteFails, outcome } of [
  { noteFails: false, outcome: 'does not reappear' },
  { noteFails: true, outcome: 'is answered as undecided' },
]) {
  const note = noteFails ? 'its note cannot be synced either' : 'its note can be synced'
  test(`a rejected change that cannot be cut from the log ${outcome} if ${note}`, async () => {
    const disk = new SimulatedDisk(new SeededRandom(1))
    const metadata = () => disk.directory('/metadata')
    /** Lets the calls to the disk happen until the work is done. */
    const driven = async <T>(work: Promise<T>): Promise<T> => {
      let isDone = false
      const ended = () => {
        isDone = true
      }
      work.then(ended, ended)
      while (!isDone) {
        await new Promise((resolve) => setImmediate(resolve))
        if (disk.isBusy) disk.step()
      }
      return await work
    }
    const store = MetadataStore.open(metadata())
    await driven(store.update(() => [policy('kept', 1)]))
    let syncs = 0
    disk.faultPlan = (_, kind, path) => {
      const isLog = path.endsWith('/log-1')
      // The sync of the change fails and so does its truncation. The next sync makes the change durable.
      if (isLog && kind === 'sync') return ++syncs === 1 ? 'EIO' : undefined
      if (isLog && kind === 'write') return 'EIO'
      return noteFails && kind === 'sync' && path.endsWith('.synced') ? 'EIO' : undefined
    }
    const problem = await driven(store.update(() => [policy('rejected', 1)])).catch((error: Error) => error)
    assert.equal(problem instanceof UndecidedMetadataError, noteFails)
    assert.deepEqual(stored(store), ['kept'])
    disk.faultPlan = () => undefined
    disk.powerCut()
    if (!noteFails) assert.deepEqual(stored(MetadataStore.open(metadata())), ['kept'])
  })
}
