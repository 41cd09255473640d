import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tryConfig } from './config-trial.ts'

const CONFIG = `filter {
  grok { match => { "message" => "%{IP:client} %{NUMBER:took:int}" } }
  if [took] > 100 {
    mutate { add_tag => ["slow"] remove_field => ["message"] }
  }
  if [client] == "10.0.0.9" { drop {} }
}`

test('a trial lists the fields that each filter added, changed and removed', async () => {
  const { problems, filters, events } = await tryConfig({
    config: CONFIG,
    lines: ['10.0.0.1 250', '10.0.0.1 5'],
    ecs: false,
  })
  assert.deepEqual(problems, [])
  assert.deepEqual(
    filters.map(({ name, line }) => `${name} ${line}`),
    ['grok 2', 'mutate 4', 'drop 6'],
  )
  const [slow, quick] = events
  assert.deepEqual(
    slow!.steps.map(({ filter, line, changes }) => [
      filter,
      line,
      changes.map(({ kind, field }) => `${kind} ${field}`),
    ]),
    [
      ['grok', 2, ['added [client]', 'added [took]']],
      ['mutate', 4, ['removed [message]', 'added [tags]']],
    ],
  )
  assert.equal(slow!.out[0]!['took'], 250)
  assert.deepEqual(
    quick!.steps.map(({ filter }) => filter),
    ['grok'],
  )
})

test('a dropped event ends at the filter that dropped it', async () => {
  const { events } = await tryConfig({ config: CONFIG, lines: ['10.0.0.9 5'], ecs: false })
  assert.deepEqual(events[0]!.out, [])
  assert.deepEqual(events[0]!.steps.at(-1), { filter: 'drop', line: 6, changes: [], isDropped: true })
})

test('a problem is reported with its line and column', async () => {
  const { problems } = await tryConfig({
    config: 'filter {\n  mutate { add_feild => { "a" => "b" } }\n}',
    lines: [],
    ecs: false,
  })
  assert.equal(problems[0]?.line, 2)
  assert.match(problems[0]?.message ?? '', /add_feild/)
  const syntax = await tryConfig({ config: 'filter {\n  grok { match = 1 }\n}', lines: [], ecs: false })
  assert.equal(syntax.problems[0]?.line, 2)
})

test('filters that reach files or the network are refused', async () => {
  const dns = await tryConfig({ config: 'filter { dns { resolve => ["host"] } }', lines: ['x'], ecs: false })
  assert.match(dns.problems[0]?.message ?? '', /not tried here/)
  const file = await tryConfig({
    config: 'filter { translate { source => "a" dictionary_path => "/etc/passwd" } }',
    lines: ['x'],
    ecs: false,
  })
  assert.match(file.problems[0]?.message ?? '', /dictionary_path/)
  assert.deepEqual(file.events, [])
  const rest = await tryConfig({
    config: 'filter { rest { request => { url => "http://127.0.0.1:9/x" } target => "r" } }',
    lines: ['x'],
    ecs: false,
  })
  assert.match(rest.problems[0]?.message ?? '', /the filter rest is not tried here, since it reaches the network/)
  assert.match(rest.problems[0]?.suggestion ?? '', /--dry-run/)
})

test('mistakes in inputs and outputs are reported beside the run of the filters', async () => {
  const { problems, events } = await tryConfig({
    config: 'input { stdin { nosuch => 1 } } filter { mutate { add_tag => ["a"] } }',
    lines: ['x'],
    ecs: false,
  })
  assert.equal(problems.length, 1)
  assert.deepEqual(events[0]!.out[0]!['tags'], ['a'])
})
