import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { launchWriterEarly } from './early-writer.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'sandpiper-early-'))
after(() => rmSync(dataFolder, { recursive: true, force: true }))

test('the writer is launched early only by a node that has indices and a writer thread', () => {
  assert.equal(launchWriterEarly({ threads: 2, dataFolder }), undefined, 'no folder of indices yet')
  mkdirSync(join(dataFolder, 'indices'))
  assert.equal(launchWriterEarly({ threads: 2, dataFolder }), undefined, 'no indices yet')
  mkdirSync(join(dataFolder, 'indices', 'an-index'))
  assert.equal(launchWriterEarly({ threads: 0, dataFolder }), undefined, 'everything runs in the main thread')
  assert.notEqual(launchWriterEarly({ threads: 2, dataFolder }), undefined)
})
