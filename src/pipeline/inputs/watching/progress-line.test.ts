import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { progressText, showProgress } from './progress-line.ts'

test('the progress line shows the bytes read and the remaining time', () => {
  const text = (readBytes: number, totalBytes: number, speed: number) => progressText({ readBytes, totalBytes }, speed)
  assert.equal(text(25_000_000, 100_000_000, 5_000_000), '25% of 100.0 MB read, 5.0 MB/s, 15 s left')
  assert.equal(text(0, 36_000_000_000, 5_000_000), '0% of 36000.0 MB read, 5.0 MB/s, 2 h 0 min left')
  assert.equal(text(10, 10, 10), '100% of 0.0 MB read, 0.0 MB/s')
  assert.equal(text(0, 0, 0), '100% of 0.0 MB read, 0.0 MB/s')
})

test('the progress line is written to terminals only, and cleared at the end', () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const written: string[] = []
  const screen = { isTTY: true, write: (text: string) => written.push(text) }
  const progress = () => ({ readBytes: 5, totalBytes: 10 })
  const end = showProgress(progress, screen, { write: () => {} })
  mock.timers.tick(2000)
  end()
  assert.deepEqual(
    written.map((text) => text.includes('50%')),
    [true, true, false],
  )
  written.length = 0
  showProgress(progress, { ...screen, isTTY: false }, { write: () => {} })()
  showProgress(progress, screen, screen)()
  assert.deepEqual(written, [])
  mock.timers.reset()
})
