import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, Tool, temporaryFolder, until } from './harness.ts'

// Goal: a running pipeline can be observed: metrics for Prometheus, rates by plugin, and passing events.
test('metrics, top and tap show a running pipeline', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const port = await freePort()
  const config = join(folder.path, 'busy.conf')
  writeFileSync(
    config,
    `input { heartbeat { interval => 0.05 message => "beat" } }
     filter { mutate { id => "change" replace => { "message" => "changed" } } }
     output { null { } }`,
  )
  const tool = new Tool(['-f', config, '--path.data', join(folder.path, 'data'), '--api.http.port', String(port)])
  await tool.logged('The monitoring API listens')
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  assert.match(metrics, /# TYPE logstash_pipeline_up gauge\nlogstash_pipeline_up\{pipeline="main"\} 1\n/)
  assert.match(
    metrics,
    /logstash_plugin_events_in_total\{pipeline="main",type="filter",plugin="mutate",id="change"\} \d+/,
  )
  const api = ['--api', `127.0.0.1:${port}`]
  const tap = new Tool(['tap', 'change', '--limit', '1', ...api])
  assert.equal(await tap.ended(), 0, tap.stderr)
  assert.match(tap.stdout, /^before \{.*"message":"beat".*\}\nafter {2}\{.*"message":"changed".*\}\n$/)
  const none = new Tool(['tap', 'nothing', ...api])
  assert.equal(await none.ended(), 1)
  assert.match(none.stderr, /no filter nothing in pipeline main; there is mutate \(change\)/)
  const top = new Tool(['top', '--once', '--interval', '0.2', ...api])
  assert.equal(await top.ended(), 0, top.stderr)
  assert.match(top.stdout, /filter {2}mutate +change/)
  assert.equal(await tool.stop(), 0, tool.stderr)
})

// Goal: pipelines.yml is watched while the tool runs, so that pipelines are added, changed and removed.
test('with -r, a changed pipelines.yml adds, changes and removes pipelines', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const settings = join(folder.path, 'config')
  mkdirSync(settings)
  const define = (...ids: string[]) =>
    writeFileSync(
      join(settings, 'pipelines.yml'),
      ids
        .map(
          (id) =>
            `- pipeline.id: ${id}\n  config.string: 'input { heartbeat { interval => 100 } } output { null { } }'\n`,
        )
        .join(''),
    )
  define('one', 'two')
  const port = await freePort()
  const flags = ['-r', '--config.reload.interval', '100ms', '--api.http.port', String(port)]
  const tool = new Tool(['--path.settings', settings, '--path.data', join(folder.path, 'data'), ...flags])
  await tool.logged('The monitoring API listens')
  const running = async () => {
    const stats = (await (await fetch(`http://127.0.0.1:${port}/_node/stats/pipelines`)).json()) as {
      pipelines: Record<string, unknown>
    }
    return Object.keys(stats.pipelines).sort().join()
  }
  assert.equal(await running(), 'one,two')
  define('two', 'three')
  await until(
    async () => (await running()) === 'three,two',
    () => tool.stderr,
  )
  writeFileSync(join(settings, 'pipelines.yml'), 'no list: at all\n')
  await tool.logged('The pipelines are unchanged')
  assert.equal(await running(), 'three,two')
  assert.equal(await tool.stop(), 0, tool.stderr)
})

// Goal: positions can be shown and changed between runs, and files can be read again without a change of the
// configuration.
test('--from-beginning reads files again once', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const log = join(folder.path, 'app.log')
  writeFileSync(log, 'one\n')
  const config = join(folder.path, 'copy.conf')
  writeFileSync(
    config,
    `input { file { path => "${log}" stat_interval => "20 ms" start_position => "beginning" } }
     output { stdout { codec => line { format => "%{message}" } } }`,
  )
  const args = ['-f', config, '--path.data', join(folder.path, 'data')]
  for (const [flags, expected] of [
    [[], 'one\n'],
    [['--from-beginning'], 'one\ntwo\n'],
    [[], 'three\n'],
  ] as const) {
    const tool = new Tool([...args, ...flags])
    await until(
      () => tool.stdout === expected,
      () => `${JSON.stringify(expected)}, not ${JSON.stringify(tool.stdout)}; ${tool.stderr}`,
    )
    assert.equal(await tool.stop(), 0, tool.stderr)
    appendFileSync(log, expected === 'one\n' ? 'two\n' : 'three\n')
  }
})
