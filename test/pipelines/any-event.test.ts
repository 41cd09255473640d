// Goal: no event breaks a filter, a condition or a codec, because a batch must never be lost for one of its events.
// Method: random objects under the names that configurations use go through each filter and are then encoded by every
// codec. The only allowed failures are those that the shape of an event causes (writing through a scalar, a name that
// is no field reference).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Log, silentLog } from '../../src/base/log.ts'
import { parseConfig } from '../../src/pipeline/config/parser.ts'
import { DryRun } from '../../src/pipeline/dry-run/run-filters.ts'
import { FieldWriteError } from '../../src/pipeline/event/event.ts'
import { InvalidFieldReferenceError } from '../../src/pipeline/event/field-reference.ts'
import { objectText } from '../../src/pipeline/event/json-text.ts'
import type { Codec } from '../../src/pipeline/plugin/codec-plugin.ts'
import { withDefaults } from '../../src/pipeline/plugin/default-options.ts'
import { testContext } from '../../src/pipeline/registry/plugin-fixture.ts'
import { CODECS } from '../../src/pipeline/registry/registry.ts'

const FILTERS = [
  `mutate { convert => { "a" => "integer" "b" => "float" "c" => "boolean" "tags" => "string" } gsub => ["a", "x", "y"]
    uppercase => ["b"] capitalize => ["c"] strip => ["a"] split => { "b" => "," } join => { "c" => "-" } coerce => { "n" => "d" }
    merge => { "a" => "b" "o" => "p" } copy => { "a" => "[o][z]" } rename => { "[o][x]" => "[p][0][q]" } }`,
  'mutate { add_field => { "%{a}" => "%{b}" "[o][%{c}]" => "1" } remove_field => ["%{a}", "[o][z]"] add_tag => ["%{a}"] }',
  'grok { match => { "a" => "%{WORD:w} %{INT:i:int}?" "[o][x]" => "(?<[p][y]>.)" } keep_empty_captures => true }',
  'date { match => ["a", "ISO8601", "UNIX", "UNIX_MS", "yyyy-MM-dd", "MMM d"] target => "[o][t]" }',
  'kv { source => "a" } kv { source => "b" target => "[p][kv]" recursive => true }',
  'json { source => "a" } json { source => "b" target => "[o][j]" }',
  'csv { source => "a" target => "[p][csv]" } csv { source => "b" columns => ["x", "[y][z]", "tags"] }',
  'dissect { mapping => { "a" => "%{x}-%{+x} %{&b}" "b" => "%{c->} %{d}" } convert_datatype => { "c" => "int" "o" => "float" } }',
  'translate { source => "a" target => "[o][t]" dictionary => { "x" => "y" } fallback => "%{b}" }',
  'translate { source => "[x]" iterate_on => "l" target => "y" dictionary => { "1" => "2" } exact => false }',
  'prune { interpolate => true whitelist_values => { "a" => "x" } blacklist_names => ["^z"] }',
  'fingerprint { source => ["a", "o"] concatenate_sources => true } fingerprint { concatenate_all_fields => true target => "f" }',
  'fingerprint { source => ["l", "o"] method => "MURMUR3" } fingerprint { method => "IPV4_NETWORK" key => 24 source => "a" }',
  'throttle { key => "%{a}" after_count => 1 period => "%{b}" } truncate { length_bytes => 3 }',
  'de_dot { } de_dot { fields => ["[o][a.b]"] recursive => true } urldecode { all_fields => true }',
  'xml { source => "a" target => "[o][xml]" xpath => { "//x" => "xp" } } useragent { source => "a" target => "ua" }',
  'syslog_pri { syslog_pri_field_name => "a" } bytes { source => "a" } cidr { address => ["%{a}"] network => ["%{b}"] }',
  'clone { clones => ["k"] } split { field => "l" } split { field => "a" terminator => "x" target => "%{b}" }',
  'if [a] == "x" or [b] in [l] or "x" in [o] or [a] =~ /x/ { mutate { remove_tag => ["%{b}"] } } if [a] > 5 { drop { } }',
]

const TEXTS = [
  ...['a=1 b=2', '{"a":1,"[b]":2}', '{"tags":5,"@timestamp":"x","@metadata":1}', 'x,y,"z', '<x><y/></x>', 'a-b c  d'],
  ...['[a', '[o][x]', '%{a}', '@timestamp', 'tags', '__proto__', 'constructor', '10.0.0.1', '10 MB', '%41%ff', ''],
  ...['2024-01-01', '999999999-01-01', 'Jan 5', '5', '-1', '1,5', '1e400', '8640000000000001'],
]

const scalar = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('x', 'a.b', 'y', '0', '__proto__'), tie('value'), { maxKeys: 3 }),
  ),
}))
const NAMES = ['a', 'b', 'c', 'o', 'p', 'l', 'n', 'z', 'tags', '@timestamp', '@metadata', '@version', 'a.b', 'message']
const fields = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 8 })

async function everyCodec(): Promise<Codec[]> {
  const names = ['plain', 'line', 'json', 'json_lines', 'csv', 'cef', 'es_bulk', 'msgpack', 'gzip_lines', 'rubydebug']
  return Promise.all(
    names.map(async (name) => {
      const plugin = await CODECS[name]!()
      return plugin.create(withDefaults(plugin.options, { fields: ['a', 'o', 'l'] }), testContext())
    }),
  )
}

test('every filter processes odd events, and every codec encodes them', async () => {
  const codecs = await everyCodec()
  const log: Log = {
    ...silentLog,
    error(_message: string, details?: { error?: unknown }) {
      const error = details?.error
      if (error instanceof FieldWriteError || error instanceof InvalidFieldReferenceError) return
      if (error !== undefined) throw error
    },
    // Filters that tag an event instead of failing log their exceptions, so the log is checked as well.
    warn(_message: string, details?: { exception?: unknown }) {
      const text = String(details?.exception ?? '')
      if (/^Cannot |is not a function|not iterable|undefined|Invalid time/.test(text)) throw new Error(text)
    },
  }
  for (const filter of FILTERS) {
    const run = await DryRun.open(parseConfig(`filter { ${filter} }`), { log })
    const property = fc.asyncProperty(fields, async (given) => {
      for (const event of await run.take([JSON.parse(JSON.stringify(given)) as Record<string, unknown>])) {
        JSON.parse(objectText(event.fields))
        for (const codec of codecs) codec.encode(event)
        assert.equal(objectText(event.clone().fields), objectText(event.fields))
      }
    })
    await fc.assert(property, { numRuns: 60 })
  }
})
