/** Cases of single filters: a configuration, and the fields of an event before and after. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DryRunSettings, runFilters } from '../dry-run/run-filters.ts'

type FieldsOf = Record<string, unknown>

const CASES: readonly (readonly [name: string, filter: string, before: FieldsOf, after: FieldsOf])[] = [
  // fingerprint
  [
    'fingerprint hashes text with MURMUR3_128',
    'fingerprint { source => "a" target => "f" method => "MURMUR3_128" }',
    { a: '123.123.123.123' },
    { f: '41cbc4056eed401d091dfbeabf7ea9e0' },
  ],
  [
    'fingerprint writes MURMUR3_128 in base64',
    'fingerprint { source => "a" target => "f" method => "MURMUR3_128" base64encode => true }',
    { a: '123.123.123.123' },
    { f: 'QcvEBW7tQB0JHfvqv36p4A==' },
  ],
  [
    'fingerprint hashes small integers as four bytes',
    'fingerprint { source => "a" target => "f" method => "MURMUR3_128" }',
    { a: 123 },
    { f: '286816c693ac410ed63e1430dcd6f6fe' },
  ],
  // bytes
  ['bytes takes digit groups', 'bytes { source => "a" target => "n" }', { a: '1,234 kB' }, { n: 1263616 }],
  [
    'bytes takes groups of blanks with a decimal comma',
    'bytes { source => "a" target => "n" decimal_separator => "," }',
    { a: '3 215,5' },
    { n: 3216 },
  ],
  ['bytes takes a leading point', 'bytes { source => "a" target => "n" }', { a: '.5kb' }, { n: 512 }],
  ['bytes takes a trailing point', 'bytes { source => "a" target => "n" }', { a: '5.' }, { n: 5 }],
  ['bytes rounds', 'bytes { source => "a" target => "n" }', { a: '32.8' }, { n: 33 }],
  [
    'bytes refuses two decimal points',
    'bytes { source => "a" target => "n" }',
    { a: '1.2.3' },
    { tags: ['_bytesparsefailure'] },
  ],
  ['bytes refuses units alone', 'bytes { source => "a" target => "n" }', { a: 'mb' }, { tags: ['_bytesparsefailure'] }],
  // de_dot
  [
    'de_dot renames parents with dots',
    'de_dot { fields => ["[a.b][c.d]"] }',
    { 'a.b': { 'c.d': 1, e: 2 } },
    { a_b: { c_d: 1, e: 2 }, 'a.b': undefined },
  ],
  [
    'de_dot nests below parents with dots',
    'de_dot { nested => true fields => ["[a.b][c]"] }',
    { 'a.b': { c: 1 } },
    { a: { b: { c: 1 } }, 'a.b': undefined },
  ],
  [
    'de_dot nests at every level of a path with dots',
    'de_dot { nested => true fields => ["[a.b][c.d][e.f]", "x.y"] }',
    { 'a.b': { 'c.d': { 'e.f': 1, g: 2 } }, x: { z: 3 }, 'x.y': 4 },
    { a: { b: { c: { d: { g: 2, e: { f: 1 } } } } }, 'a.b': undefined, x: { z: 3, y: 4 } },
  ],
  [
    'de_dot nests inside of objects',
    'de_dot { nested => true recursive => true }',
    { a: { 'b.c': { 'd.e': 1, f: [{ 'g.h': 2 }] } } },
    { a: { b: { c: { d: { e: 1 }, f: [{ g: { h: 2 } }] } } } },
  ],
  [
    'de_dot tags an event in which a value is in the way',
    'de_dot { nested => true }',
    { 'a.b': 1, a: 2 },
    { a: 2, tags: ['_de_dot_failure'] },
  ],
  [
    'de_dot goes inside of the fields named',
    'de_dot { recursive => true fields => ["x"] }',
    { x: { 'a.b': 1 }, 'y.z': 2 },
    { x: { a_b: 1 }, 'y.z': 2 },
  ],
  // truncate
  [
    'truncate tags only what it has cut',
    'truncate { fields => ["a"] length_bytes => 3 add_tag => ["cut"] }',
    { a: 'abc' },
    { a: 'abc', tags: undefined },
  ],
  [
    'truncate cuts inside of objects and lists',
    'truncate { length_bytes => 2 fields => ["o", "l"] add_tag => ["cut"] }',
    { o: { a: 'abc', b: 1 }, l: ['abc', 'x'] },
    { o: { a: 'ab', b: 1 }, l: ['ab', 'x'], tags: ['cut'] },
  ],
  // mutate
  ['mutate converts hexadecimal floats', 'mutate { convert => { "a" => "float" } }', { a: '0x1.8p1' }, { a: 3 }],
  // dissect
  [
    'dissect converts to integer',
    'dissect { mapping => { "message" => "%{n} x" } convert_datatype => { "n" => "int" } }',
    { message: '12 x' },
    { n: 12, tags: undefined },
  ],
  [
    'json merges into the event with an empty target',
    'json { source => "j" target => "" }',
    { j: '{"a":1}' },
    { a: 1 },
  ],
  // cidr
  [
    'cidr takes addresses from a field',
    'cidr { address_field => "ips" network => ["10.0.0.0/8"] add_tag => ["in"] }',
    { ips: ['1.1.1.1', '10.2.3.4'] },
    { tags: ['in'] },
  ],
  // kv
  [
    'kv splits at a pattern of backslashes',
    String.raw`kv { source => "h" target => "t" field_split_pattern => "\\r\\n" value_split_pattern => ": " whitespace => strict }`,
    { h: String.raw`Host: a.b\r\nAccept: */*` },
    { t: { Host: 'a.b', Accept: '*/*' } },
  ],
  // translate with its old option names
  [
    'translate takes field and destination',
    'translate { field => "a" destination => "b" dictionary => { "x" => "y" } }',
    { a: 'x' },
    { b: 'y' },
  ],
  // grok
  [
    'grok takes patterns for the message under the old name',
    'grok { pattern => ["%{INT:n}"] }',
    { message: '42' },
    { n: '42' },
  ],
  [
    'grok fails at a capture nobody can store',
    'grok { match => { "message" => "%{WORD:[method]]}" } }',
    { message: 'GET' },
    { tags: ['_grokparsefailure'] },
  ],
  // regular expressions
  [
    'octal escapes match',
    String.raw`if [message] =~ /^\101\012$/ { mutate { add_tag => ["yes"] } }`,
    { message: 'A\n' },
    { tags: ['yes'] },
  ],
  [
    'control escapes match',
    String.raw`if [message] =~ /^\cA[\cB]\C-c$/ { mutate { add_tag => ["yes"] } }`,
    { message: '\u0001\u0002\u0003' },
    { tags: ['yes'] },
  ],
  // filters with a single case
  [
    'json_encode writes JSON',
    'json_encode { source => "o" target => "j" }',
    { o: { a: [1, 'x'] } },
    { j: '{"a":[1,"x"]}' },
  ],
  [
    'alter rewrites a field with the expected value',
    'alter { condrewrite => ["a", "x", "%{b}!"] }',
    { a: 'x', b: 'y' },
    { a: 'y!' },
  ],
  ['alter leaves a field with another value', 'alter { condrewrite => ["a", "x", "z"] }', { a: 'w' }, { a: 'w' }],
  ['alter takes the first value there is', 'alter { coalesce => ["c", "%{none}", "%{b}"] }', { b: 'y' }, { c: 'y' }],
  ['environment adds variables', 'environment { add_field_from_env => { "e" => "NAME" } }', {}, { e: 'value' }],
  [
    'extractnumbers finds integers and floats',
    'extractnumbers { }',
    { message: 'a 12 b 3.5 -7' },
    { int1: 12, int2: -7, float1: 3.5 },
  ],
  ['range tags a number in its range', 'range { ranges => ["n", 1, 10, "tag:in"] }', { n: 5 }, { tags: ['in'] }],
  ['range looks at the length of text', 'range { ranges => ["s", 0, 2, "field:short:1"] }', { s: 'ab' }, { short: 1 }],
  [
    'range can be the other way round',
    'range { negate => true ranges => ["n", 1, 10, "tag:out"] }',
    { n: 50 },
    { tags: ['out'] },
  ],
  [
    'tld takes a host name apart',
    'tld { source => "h" }',
    { h: 'www.shop.example.co.uk' },
    {
      tld: {
        tld: 'co.uk',
        sld: 'example',
        trd: 'www.shop',
        domain: 'example.co.uk',
        subdomain: 'www.shop.example.co.uk',
        top_level_domain: 'co.uk',
      },
    },
  ],
  ['tld leaves names without a public suffix', 'tld { source => "h" }', { h: 'localhost' }, { tld: undefined }],
  ['age is in seconds', 'age { target => "s" }', {}, { s: 1.5 }],
]

const settings: DryRunSettings = { environment: { NAME: 'value' }, clock: { nowMs: () => 1500 } }

for (const [name, filter, before, after] of CASES) {
  test(name, async () => {
    const [event] = await runFilters(
      `filter { ${filter} }`,
      [{ '@timestamp': '1970-01-01T00:00:00.000Z', ...before }],
      settings,
    )
    const found = Object.fromEntries(Object.keys(after).map((field) => [field, event![field]]))
    assert.deepEqual(found, after)
  })
}

test('the range filter drops matching events', async () => {
  assert.deepEqual(await runFilters('filter { range { ranges => ["n", 1, 10, "drop"] } }', [{ n: 5 }]), [])
})

test('translate rejects a YAML dictionary with more code points than its limit', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-words-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'words.yml')
  writeFileSync(path, 'a: b\n')
  const filter = (limit: number) =>
    `filter { translate { source => "x" dictionary_path => "${path}" yaml_dictionary_code_point_limit => ${limit} } }`
  await runFilters(filter(5), [{ x: 'a' }])
  await assert.rejects(runFilters(filter(4), [{ x: 'a' }]), /exceeds the limit: 4 code points/)
})

test('a pattern file line with only a name defines an empty pattern', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-patterns-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'own'), 'NOTHING\nWORDS [a-z ]+\n')
  const [event] = await runFilters(
    `filter { grok { patterns_dir => ["${folder}"] match => { "message" => "^%{NOTHING}%{WORDS:w}$" } } }`,
    [{ message: 'a b' }],
  )
  assert.equal(event!['w'], 'a b')
})

test('deprecated and ignored options are accepted with a warning', async () => {
  const warnings: string[] = []
  const log = { error() {}, info() {}, debug() {}, warn: (message: string) => void warnings.push(message) }
  await runFilters(
    'filter { translate { field => "a" dictionary => { "x" => "y" } } dns { hostsfile => ["/x"] } }',
    [],
    { log },
  )
  assert.equal(warnings.length, 2)
  assert.match(warnings[0]!, /`field` in plugin `translate` is deprecated and still works. Use `source` instead/)
  assert.match(warnings[1]!, /`hostsfile` in plugin `dns` has no effect/)
  const both = 'filter { translate { field => "a" source => "a" dictionary => { "x" => "y" } } }'
  await assert.rejects(runFilters(both, []), /Both `source` and its old name `field`/)
})
