import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Tool, temporaryFolder, until } from './harness.ts'

// Goal: pipelines of one program pass events to each other, and a stop processes all events first.
test('one pipeline sends events to two other pipelines', { timeout: 60_000 }, async (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const out = (name: string) => join(folder.path, `${name}.txt`)
  const text = (name: string) => {
    try {
      return readFileSync(out(name), 'utf8')
    } catch {
      return ''
    }
  }
  const receiver = (name: string) => `
- pipeline.id: ${name}
  config.string: |
    input { pipeline { address => "${name}" } }
    filter { mutate { add_field => { "seen" => "${name}" } } }
    output { file { path => "${out(name)}" codec => line { format => "%{[event][sequence]} %{seen}" } } }`
  mkdirSync(join(folder.path, 'config'))
  writeFileSync(
    join(folder.path, 'config', 'pipelines.yml'),
    `- pipeline.id: source
  config.string: |
    input { generator { count => 500 } }
    output { pipeline { send_to => ["left", "right"] } }${receiver('left')}${receiver('right')}
`,
  )
  const tool = new Tool(['--path.settings', join(folder.path, 'config'), '--path.data', join(folder.path, 'data')])
  await until(
    () => text('left').includes('499 left') && text('right').includes('499 right'),
    () => `the last event on both sides; ${tool.stderr}`,
  )
  assert.equal(await tool.stop(), 0, tool.stderr)
  for (const name of ['left', 'right']) {
    const lines = text(name).trim().split('\n')
    assert.equal(lines.length, 500)
    assert.equal(new Set(lines).size, 500)
  }
})
