import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DryRunSettings, runFilters } from '../dry-run/run-filters.ts'

/** The events after some filters, without the fields that every event has. */
async function run(
  filters: string,
  inputs: (string | Record<string, unknown>)[],
  settings: DryRunSettings = { ecs: 'disabled' },
): Promise<Record<string, unknown>[]> {
  const events = await runFilters(`filter { ${filters} }`, inputs, settings)
  return events.map(({ '@timestamp': _time, '@version': _version, ...rest }) => rest)
}

test('mutate runs its operations in a fixed order and stops at the first failure', async () => {
  const steps = 'mutate { join => { "a" => "-" } split => { "a" => "," } rename => { "x" => "a" } uppercase => ["a"] }'
  assert.deepEqual(await run(steps, [{ x: 'p,q' }]), [{ a: 'P-Q' }])
  const failing = 'mutate { convert => { "n" => "integer" } uppercase => ["b"] add_tag => ["ok"] }'
  assert.deepEqual(
    await run(failing, [
      { n: '0x1F', b: 'x' },
      { n: 'abc', b: 'x' },
    ]),
    [
      { n: 31, b: 'X', tags: ['ok'] },
      { n: 'abc', b: 'x', tags: ['_mutate_error'] },
    ],
  )
  const european = 'mutate { convert => { "a" => "float_eu" "b" => "boolean" } gsub => ["c", "(\\d)", "<\\1>"] }'
  assert.deepEqual(await run(european, [{ a: '1.234,5', b: 'YES', c: ['a1', 5] }]), [
    { a: 1234.5, b: true, c: ['a<1>', 5] },
  ])
})

test('common options are applied in order, and only on success', async () => {
  const config =
    'grok { match => { "message" => "^%{INT:i}$" } add_field => { "r" => "%{message}" } remove_field => ["message"] add_tag => ["t", "t"] }'
  assert.deepEqual(await run(config, ['12', 'abc']), [
    { i: '12', r: '12', tags: ['t', 't'] },
    { message: 'abc', tags: ['_grokparsefailure'] },
  ])
})

test('events made by clone and split continue after their filter', async () => {
  const cloned = await run('clone { clones => ["c"] add_tag => ["copy"] } mutate { add_field => { "x" => "1" } }', [
    { a: 1 },
  ])
  assert.deepEqual(cloned, [
    { a: 1, x: '1' },
    { a: 1, type: 'c', tags: ['copy'], x: '1' },
  ])
  assert.deepEqual(await run('split { field => "a" } if [a] == 2 { drop { } }', [{ a: [1, 2, 3], k: 0 }]), [
    { a: 1, k: 0 },
    { a: 3, k: 0 },
  ])
  assert.deepEqual(await run('split { field => "n" }', [{ n: 5 }]), [{ n: 5, tags: ['_split_type_failure'] }])
})

test('kv parses quotes, brackets, repeated keys and nested pairs', async () => {
  const line = 'a=1 a=2 q="x \\"y\\" z" b=[c d] url=http://h/?q=1 "k"=v'
  const [event] = await run('kv { remove_field => ["message"] }', [line])
  assert.deepEqual(event, { a: ['1', '2'], q: 'x \\"y\\" z', b: 'c d', url: 'http://h/?q=1', '"k"': 'v' })
  const nested =
    'kv { recursive => true field_split => ";" trim_value => "<>" target => "t" remove_field => ["message"] }'
  assert.deepEqual(await run(nested, ['a="b=1;c=2";d=<3>']), [{ t: { a: { b: '1', c: '2' }, d: '3' } }])
})

test('json, csv and dissect parse text and tag events that do not fit', async () => {
  assert.deepEqual(await run('json { source => "message" remove_field => ["message"] }', ['{"a":{"b":1}}', '[1]']), [
    { a: { b: 1 } },
    { message: '[1]', tags: ['_jsonparsefailure'] },
  ])
  const csv = 'csv { columns => ["i", "[p][x]"] convert => { "i" => "integer" } remove_field => ["message"] }'
  assert.deepEqual(await run(csv, ['7,"a ""b"""', 'x,"open', '1,,z']), [
    { i: 7, p: { x: 'a "b"' } },
    { message: 'x,"open', tags: ['_csvparsefailure'] },
    { i: 1, p: { x: null }, column3: 'z' },
  ])
  const dissect =
    'dissect { mapping => { "message" => "%{+ts/2} %{+ts/1} %{?k}:%{&k->} %{rest}" } remove_field => ["message"] }'
  assert.deepEqual(await run(dissect, ['a b key:v   end', 'short']), [
    { ts: 'b a', key: 'v', rest: 'end' },
    { message: 'short', tags: ['_dissectfailure'] },
  ])
})

test('fingerprint, translate and small filters change the event as documented', async () => {
  const hashes =
    'fingerprint { source => ["b", "a"] concatenate_sources => true method => "MD5" } fingerprint { source => "a" method => "MURMUR3" target => "m" }'
  const [hashed] = await run(hashes, [{ a: 'x', b: 'y' }])
  // The MD5 of |a|x|b|y|.
  assert.equal(hashed!['fingerprint'], 'a9e9342482a28b507bb7e273355fdd85')
  assert.equal(typeof hashed!['m'], 'number')
  const small =
    'translate { source => "c" target => "t" dictionary => { "^5" => "bad" } regex => true fallback => "? %{c}" } ' +
    'truncate { fields => ["long"] length_bytes => 4 } bytes { source => "size" } de_dot { fields => ["a.b"] } ' +
    'cidr { address => "%{ip}" network => ["10.0.0.0/8"] add_tag => ["inside"] }'
  assert.deepEqual(await run(small, [{ c: '503', long: 'abéé', size: '2 kB', 'a.b': 1, ip: '10.1.2.3' }]), [
    { c: '503', long: 'abé', size: 2048, a_b: 1, ip: '10.1.2.3', t: 'bad', tags: ['inside'] },
  ])
})

test('translate rereads its dictionary file when the file changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-dictionary-'))
  try {
    const path = join(folder, 'words.yml')
    writeFileSync(path, '"1": one\n')
    const config = `translate { source => "c" target => "t" dictionary_path => "${path}" }`
    assert.deepEqual(await run(config, [{ c: '1' }]), [{ c: '1', t: 'one' }])
    await assert.rejects(run(`translate { source => "c" dictionary_path => "${path}.no" }`, []), /a file that exists/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('throttle counts events per key and time slot', async () => {
  const events = ['a', 'b', 'a', 'a'].map((k) => ({ k, '@timestamp': '2024-01-01T00:00:00Z' }))
  const out = await run('throttle { key => "%{k}" after_count => 1 add_tag => ["many"] }', events)
  assert.deepEqual(
    out.map(({ tags }) => tags),
    [undefined, undefined, ['many'], ['many']],
  )
})

test('syslog_pri splits the priority and uses 13 if there is none', async () => {
  const [none, high] = await run('syslog_pri { }', [{}, { syslog_pri: '200' }])
  assert.deepEqual(none, {
    syslog_facility_code: 1,
    syslog_severity_code: 5,
    syslog_facility: 'user-level',
    syslog_severity: 'notice',
  })
  assert.deepEqual(high!['tags'], ['_syslogpriparsefailure'])
})

test('split skips empty parts and splits a text that ends with its terminator', async () => {
  assert.deepEqual(await run('split { add_tag => ["s"] }', ['one\n']), [{ message: 'one', tags: ['s'] }])
  assert.deepEqual(await run('split { field => "a" target => "%{to}" }', [{ a: [1, '', null, 'x'], to: 't' }]), [
    { a: [1, '', null, 'x'], to: 't', t: 1 },
    { a: [1, '', null, 'x'], to: 't', t: 'x' },
  ])
})

test('member names in the json filter are field references, and blank text becomes null', async () => {
  assert.deepEqual(await run('json { source => "m" }', [{ m: '{"[a][b]":1,"c":2}' }]), [
    { m: '{"[a][b]":1,"c":2}', a: { b: 1 }, c: 2 },
  ])
  const [bad] = await run('json { source => "m" }', [{ m: '{"a[b]":1}' }])
  assert.deepEqual(bad!['tags'], ['_jsonparsefailure'])
  assert.deepEqual(await run('json { source => "m" target => "t" }', [{ m: ' ' }]), [{ m: ' ', t: null }])
})

test('a throttle time slot starts with the first event of its key', async () => {
  const at = (second: number) => ({ k: 'x', '@timestamp': `2024-01-01T00:00:${String(second).padStart(2, '0')}Z` })
  const config = 'throttle { key => "%{k}" after_count => 1 period => "10" max_age => 60 add_tag => ["t"] }'
  const events = await run(config, [at(5), at(12), at(15), at(14), at(24), at(25)])
  assert.deepEqual(
    events.map(({ tags }) => tags !== undefined),
    [false, true, false, true, true, false],
  )
})

test('prune decides by the original event', async () => {
  const config =
    'prune { interpolate => true blacklist_names => ["^p$", "^%{p}"] blacklist_values => { "%{p}y" => "." } }'
  assert.deepEqual(await run(config, [{ p: 'x', xa: 1, b: 2 }]), [{ b: 2 }])
})

test('cidr networks may be lists and have masks', async () => {
  const config = 'cidr { address => ["%{ip}"] network => ["%{nets}", "10.0.0.0/255.0.0.0"] add_tag => ["in"] }'
  const inside = async (ip: string, nets: string) => (await run(config, [{ ip, nets }]))[0]!['tags'] !== undefined
  assert.ok(await inside('192.168.3.4', '172.16.0.0/12, 192.168.0.0/16'))
  assert.ok(await inside('10.9.8.7', ''))
  assert.ok(await inside('fe80::1', 'fe80::/64'))
  assert.ok(!(await inside('11.0.0.1', '10.0.0.0/99,nonsense')))
})
