import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, Tool, temporaryFolder, until } from './harness.ts'

// Goal: a changed configuration is loaded, an invalid one changes nothing, and a pipeline that cannot start is reported
// and can be fixed.
test('with -r, a changed configuration is loaded and an invalid one changes nothing', {
  timeout: 120_000,
}, async (t) => {
  const folder = temporaryFolder()
  const [api, taken] = [await freePort(), await freePort()]
  const stranger = createServer()
  await new Promise<void>((resolve) => stranger.listen(taken, '127.0.0.1', resolve))
  t.after(() => {
    stranger.close()
    folder.remove()
  })
  const path = join(folder.path, 'a.conf')
  const configure = (word: string, more = '') =>
    writeFileSync(
      path,
      `input { heartbeat { interval => 0.05 } ${more} } output { stdout { codec => line { format => "${word}" } } }`,
    )
  configure('one')
  const data = ['--path.data', join(folder.path, 'data')]
  const tool = new Tool(['-f', path, '-r', '--config.reload.interval', '50ms', '--api.http.port', `${api}`, ...data])
  const says = (word: string, after = 0) =>
    until(
      () => tool.stdout.slice(after).includes(word),
      () => `${word}; ${tool.stderr}`,
    )
  await says('one')
  configure('two')
  await says('two')

  configure('three', 'nonsense { }')
  await tool.logged('The new configuration is wrong, the old one stays')
  await tool.logged("Couldn't find any input plugin named 'nonsense'")
  await says('two', tool.stdout.length)

  configure('four', `tcp { host => "127.0.0.1" port => ${taken} }`)
  await tool.logged('The new configuration cannot be started')
  assert.equal(tool.stdout.includes('four'), false)
  configure('five')
  await says('five')
  const stats = (await (await fetch(`http://127.0.0.1:${api}/_node/stats/pipelines/main`)).json()) as {
    pipelines: { main: { reloads: { successes: number; failures: number } } }
  }
  const { successes, failures } = stats.pipelines.main.reloads
  assert.deepEqual([successes, failures], [2, 2])
  assert.equal(await tool.stop(), 0, tool.stderr)
})

test('SIGHUP loads a changed configuration, also without -r', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const path = join(folder.path, 'a.conf')
  const configure = (word: string) =>
    writeFileSync(
      path,
      `input { heartbeat { interval => 0.05 } } output { stdout { codec => line { format => "${word}" } } }`,
    )
  configure('one')
  const tool = new Tool(['-f', path, '--api.enabled', 'false', '--path.data', join(folder.path, 'data')])
  const says = (word: string) =>
    until(
      () => tool.stdout.includes(word),
      () => `${word}; ${tool.stderr}`,
    )
  await says('one')
  configure('two')
  tool.child.kill('SIGHUP')
  await says('two')
  assert.equal(await tool.stop(), 0, tool.stderr)
})
