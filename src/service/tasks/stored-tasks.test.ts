import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSearch } from '../../testing/index.ts'

test('the result of a finished task is found after a restart, and its id is not given again', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'sandpiper-tasks-'))
  try {
    const first = await startSearch({ listen: false, dataFolder })
    await first.request('PUT', '/from/_doc/1?refresh=true', { n: 1 })
    const reindex = { source: { index: 'from' }, dest: { index: 'to' } }
    const { body: started } = await first.request('POST', '/_reindex?wait_for_completion=false', reindex)
    const { task } = started as { task: string }
    const { body: before } = await first.request('GET', `/_tasks/${task}?wait_for_completion=true`)
    await first.stop()

    const second = await startSearch({ listen: false, dataFolder })
    const { status, body: after } = await second.request('GET', `/_tasks/${task}`)
    assert.equal(status, 200)
    assert.deepEqual(after, before)
    const { body: next } = await second.request('POST', '/_reindex?wait_for_completion=false', reindex)
    assert.notEqual((next as { task: string }).task, task)
    await second.stop()
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
})
