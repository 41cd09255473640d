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

/** Checks the files, and waits until the check is done. */
async function check(reloading: ReloadingPipeline): Promise<void> {
  reloading.checkNow()
  await new Promise((resolve) => setTimeout(resolve, 5))
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
    await check(reloading)
  }
  assert.deepEqual(built, ['input { one {} }', 'input { two {} }'])
  reloading.stop()
  await running
})

for (const outcome of ['valid', 'invalid'] as const) {
  test(`a configuration that is overwritten while it is built is built again, where the first build was ${outcome}`, async () => {
    const final = 'input { three {} }'
    let text = 'input { one {} }'
    const built: string[] = []
    const source = {
      read: () => text,
      build: async () => {
        built.push(text)
        if (text !== 'input { two {} }') return endless()
        text = final
        if (outcome === 'invalid') throw new Error('half of a configuration')
        return endless()
      },
    }
    const reloading = new ReloadingPipeline(source, { intervalMs: undefined, log: silentLog })
    await reloading.start()
    const running = reloading.run()
    text = 'input { two {} }'
    await check(reloading)
    await check(reloading)
    assert.deepEqual(built, ['input { one {} }', 'input { two {} }', final])
    assert.equal(reloading.configText, final)
    const { successes, failures } = reloading.reloads
    assert.deepEqual([successes, failures], [1, 0])
    reloading.stop()
    await running
  })
}
