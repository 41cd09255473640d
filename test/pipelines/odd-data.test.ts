import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Tool, temporaryFolder } from './harness.ts'

// Goal: no data stops an input. Method: objects with scalars in the fields that inputs, codecs and their options write.
test('events with a scalar in place of a field that the input adds are processed', { timeout: 60_000 }, async (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const config = `input { stdin { codec => json_lines add_field => { "[a][b]" => "x" } tags => ["t"] } }
    output { stdout { codec => json_lines } }`
  const flags = [
    '--path.data',
    folder.path,
    '--path.settings',
    folder.path,
    '--pipeline.ecs_compatibility',
    'v8',
    '-w',
    '1',
  ]
  const tool = new Tool([...flags, '--api.enabled', 'false', '-e', config])
  const lines = ['{"a":1,"host":"h","event":"e","tags":{"x":1}}', '{"@timestamp":7,"@metadata":5,"a":[]}', '{"a":{}}']
  tool.child.stdin!.end(`${lines.join('\n')}\n`)
  assert.equal(await tool.ended(), 0, tool.stderr)
  const [first, second, third] = tool.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual([first!['a'], first!['host'], first!['event']], [1, 'h', 'e'])
  assert.equal(second!['_@timestamp'], 7)
  assert.deepEqual(third!['a'], { b: 'x' })
  assert.match(tool.stderr, /Options of input stdin could not be applied to an event/)
})
