import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import type { Pipeline } from './pipeline.ts'
import { ReloadingPipeline, type StartedPipeline } from './reload.ts'

/** A pipeline that runs until it is stopped. */
function endless(): StartedPipeline {
  let stop = () => {}
  const ended = new Promise<void>((resolve) => {
    stop = resolve
  })
  return { pipeline: { run: () => ended, stop } as unknown as Pipeline, start: async () => {}, reloadable: true }
}

test('a configuration that is empty while it is overwritten is not loaded', async () => {
  let text = 'input { one {} }'
  const built: string[] = []
  const source = {
    read: () => text,
    build: async () => {
      built.push(text)
      return endless()
    },
  }
  const reloading = new ReloadingPipeline(source, { intervalMs: undefined, log: silentLog })
  await reloading.start()
  const running = reloading.run()
  for (const next of ['', '\n', 'input { two {} }']) {
    text = next
    reloading.checkNow()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  assert.deepEqual(built, ['input { one {} }', 'input { two {} }'])
  reloading.stop()
  await running
})
