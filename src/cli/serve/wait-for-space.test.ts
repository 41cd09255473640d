import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createLog } from '../../base/log.ts'
import { onceThereIsSpace } from './wait-for-space.ts'

test('a start waits for space, says so once, and fails for any other reason', async () => {
  const lines: string[] = []
  const log = createLog('info', { format: 'text', write: (line) => void lines.push(line) })
  const waiting = { folder: tmpdir(), log, pauseMs: 1 }
  let attempts = 0
  const opened = await onceThereIsSpace(async () => {
    if (++attempts < 4) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    return 'open'
  }, waiting)
  assert.deepEqual([opened, attempts, lines.length], ['open', 4, 1])
  assert.match(lines[0]!, /folder=\S+ free_bytes=\d+/)
  await assert.rejects(
    onceThereIsSpace(() => Promise.reject(new Error('broken')), waiting),
    /broken/,
  )
})
