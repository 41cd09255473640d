import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startFake, Tool, until } from './harness.ts'

test('a scheduled search runs repeatedly and keeps its position', { timeout: 60_000 }, async (t) => {
  const { folder, search, hosts } = await startFake(t)
  search.indices.set('lines', new Map([['1', { message: 'first', n: 7 }]]))
  const last = join(folder.path, 'last')
  const tool = new Tool([
    '-e',
    `input { elasticsearch { hosts => ["${hosts}"] index => "lines" schedule => "* * * * * *"
       query => '{ "query": { "range": { "n": { "gt": ":last_value" } } }, "sort": [ "n" ] }'
       tracking_field => "n" tracking_field_seed => "0" last_run_metadata_path => "${last}" } }
     output { stdout { codec => line { format => "%{message}" } } }`,
    '--path.data',
    join(folder.path, 'data'),
  ])
  const lines = () => tool.stdout.split('\n').length - 1
  await until(
    () => lines() >= 2,
    () => `two runs; ${tool.stderr}`,
  )
  assert.equal(await tool.stop(), 0, tool.stderr)
  assert.equal(readFileSync(last, 'utf8'), '7')
  assert.equal(search.openContexts, 0)
})
