import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { launchWriterEarly } from './early-writer.ts'
import { readSettings } from './settings.ts'

const data = mkdtempSync(join(tmpdir(), 'sandpiper-early-'))
after(() => rmSync(data, { recursive: true, force: true }))

const launched = (...flags: readonly string[]) => launchWriterEarly(readSettings(['--data', data, ...flags], {}))

test('the writer is launched early only by a node that has indices and a writer thread', () => {
  assert.equal(launched(), undefined, 'no data folder yet')
  mkdirSync(join(data, 'indices'))
  assert.equal(launched(), undefined, 'no indices yet')
  mkdirSync(join(data, 'indices', 'an-index'))
  assert.equal(launched('--threads', '0'), undefined, 'everything runs in the main thread')
  assert.equal(launched('--cluster', 'http://127.0.0.1:9200'), undefined, 'a gateway has no shards')
  assert.notEqual(launched('--threads', '2'), undefined)
})
