import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Tool, temporaryFolder, until } from './harness.ts'

// Goal: an event whose condition fails is kept with the reason and can be read again.
test('an event whose condition fails goes to the dead letter queue and can be read by the dead_letter_queue input', {
  timeout: 60_000,
}, async (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const data = join(folder.path, 'data')
  const lines = (format: string) => `output { stdout { codec => line { format => "${format}" } } }`
  const writer = new Tool([
    '-e',
    `input { generator { lines => ["7", "x"] count => 1 } }
     filter {
       mutate { copy => { "message" => "n" } }
       if [n] == "7" { mutate { convert => { "n" => "integer" } } }
       if [n] > 3 { mutate { add_tag => ["large"] } }
     } ${lines('%{message} %{tags}')}`,
    '--path.data',
    data,
    '--dead_letter_queue.enable',
  ])
  assert.equal(await writer.ended(), 0, writer.stderr)
  assert.equal(writer.stdout, '7 large\n')
  assert.match(writer.stderr, /Failed to evaluate a condition: .*sent to the dead letter queue/)

  const reader = new Tool([
    '-e',
    `input { dead_letter_queue { path => "${join(data, 'dead_letter_queue')}" } }
     ${lines('%{message} %{[@metadata][dead_letter_queue][plugin_type]}')}`,
    '--path.data',
    join(folder.path, 'other'),
  ])
  await until(
    () => reader.stdout === 'x if-statement\n',
    () => `the letter; ${reader.stdout} ${reader.stderr}`,
  )
  assert.equal(await reader.stop(), 0, reader.stderr)
})
