import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { resolveOptions } from '../config/option-values.ts'
import { parseConfig } from '../config/parser.ts'
import type { PluginNode } from '../config/syntax-tree.ts'
import { dryRunSettings, filterEvents } from '../dry-run/run-filters.ts'
import type { Event } from '../event/event.ts'
import { objectText } from '../event/json-text.ts'
import { charsetOf } from '../plugin/charset.ts'
import type { Codec, CodecPlugin } from '../plugin/codec-plugin.ts'
import { CODECS } from '../registry/registry.ts'
import { LineSplitter } from './line-splitter.ts'

async function codec(text: string): Promise<Codec> {
  const node = parseConfig(`input { ${text} }`)[0]!.body[0] as PluginNode
  const plugin: CodecPlugin = await CODECS[node.name]!()
  const problems: never[] = []
  const context = { environment: {}, problems, buildCodec: () => undefined }
  const options = resolveOptions(node, plugin.options, { kind: 'codec', name: node.name }, context)
  assert.deepEqual(problems, [])
  const { id, ...settings } = dryRunSettings({ ecs: 'disabled' })
  return plugin.create(options as never, {
    ...settings,
    id: 'c',
    pipelineId: id,
    codecNamed: () => undefined,
    shared: new Map(),
  })
}

async function decode(text: string, input: string | Buffer): Promise<Event[]> {
  const decoder = (await codec(text)).createDecoder()
  const out: Event[] = []
  decoder.decode(Buffer.from(input as string), out)
  decoder.flush(out)
  return out
}

// Goal: the lines do not depend on where the stream is cut. Method: random texts and cuts, compared with splitting the
// whole text.
test('the line codec yields the same lines wherever the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.array(fc.nat(50)),
      fc.constantFrom('\n', '||'),
      (lines, cuts, end) => {
        const bytes = Buffer.from(lines.map((line) => line.replaceAll(end, '').replaceAll('|', '') + end).join(''))
        const splitter = new LineSplitter(charsetOf('UTF-8'), end)
        const found: string[] = []
        let at = 0
        for (const cut of [...cuts, bytes.length]) {
          found.push(...splitter.push(bytes.subarray(at, at + cut)))
          at += cut
        }
        const whole = bytes.toString().split(end).slice(0, -1)
        assert.deepEqual(found, whole)
      },
    ),
  )
})

test('invalid UTF-8 bytes stay visible, and other charsets are converted', async () => {
  const [event] = await decode('line { }', Buffer.from([0x61, 0xe9, 0x62, 0x0a]))
  assert.equal(event!.get('message'), 'a\\xE9b')
  const [latin] = await decode('line { charset => "ISO-8859-1" }', Buffer.from([0xe9, 0x0a]))
  assert.equal(latin!.get('message'), 'é')
  const [wide] = await decode('line { charset => "UTF-16LE" }', Buffer.from('é☃\n', 'utf16le'))
  assert.equal(wide!.get('message'), 'é☃')
})

test('the json codec accepts objects and arrays of objects and tags anything else', async () => {
  const events = await decode('json_lines { }', '{"a":1}\n\n[{"b":2},{"b":3}]\nnope\n12')
  assert.deepEqual(
    events.map((event) => event.get('a') ?? event.get('b') ?? event.get('tags')),
    [1, 2, 3, ['_jsonparsefailure'], ['_jsonparsefailure']],
  )
})

test('the multiline codec joins a line to the previous or the next line', async () => {
  const messages = (events: Event[]) => events.map((event) => event.get('message'))
  assert.deepEqual(messages(await decode('multiline { pattern => "^\\s" what => "previous" }', 'a\n b\nc\n d')), [
    'a\n b',
    'c\n d',
  ])
  const joined = await decode('multiline { pattern => "%{INT}$" negate => true what => "next" }', 'a\nb 1\nc 2\n')
  assert.deepEqual(messages(joined), ['a\nb 1', 'c 2'])
  assert.deepEqual(joined[0]!.get('tags'), ['multiline'])
})

test("rubydebug output equals Logstash's byte for byte", async () => {
  const [event] = await filterEvents('filter { mutate { remove_field => ["@timestamp", "@version"] } }', [
    { 'a#{': 'x\n\u0001"#{y}', list: [1.5, null, { k: [] }], long_name: true },
  ])
  const expected = [
    '{',
    '         "a\\#{" => "x\\n\\u0001\\"\\#{y}",',
    '         "list" => [',
    '        [0] 1.5,',
    '        [1] nil,',
    '        [2] {',
    '            "k" => []',
    '        }',
    '    ],',
    '    "long_name" => true',
    '}',
    '',
  ].join('\n')
  const printed = (await codec('rubydebug { }')).encode(event!) as string
  assert.equal(printed, expected)
})

// Goal: a codec decodes what it encodes. Method: an event with many kinds of values, encoded and decoded.
test('msgpack and es_bulk decode the events they encode', async () => {
  const input = { text: 'é'.repeat(40), whole: 123456789012, negative: -5, float: 1.5, list: [true, null, { k: 'v' }] }
  const [event] = await filterEvents('', [{ ...input, '@timestamp': '2024-01-01T00:00:00.000Z' }])
  for (const name of ['msgpack { }', 'es_bulk { }']) {
    const bytes = Buffer.from((await codec(name)).encode(event!) as string)
    const decoder = (await codec(name)).createDecoder()
    const out: Event[] = []
    decoder.decode(bytes.subarray(0, 20), out)
    decoder.decode(bytes.subarray(20), out)
    assert.equal(objectText(out[0]!.fields), objectText(event!.fields), name)
  }
})

test('csv, cef and gzip_lines decode their lines', async () => {
  const [row] = await decode('csv { columns => ["a", "[b][c]"] }', '1,"x, y"\n')
  assert.deepEqual([row!.get('a'), row!.get('[b][c]')], ['1', 'x, y'])
  const [typed] = await decode(
    'csv { columns => ["n", "x"] convert => { "n" => "integer" "x" => "float" } }',
    '7,much\n',
  )
  assert.deepEqual([typed!.get('n'), typed!.get('x')], [7, 'much'])
  await assert.rejects(codec('csv { convert => { "n" => "money" } }'), /Invalid conversion types: money/)
  const [alert] = await decode(
    'cef { }',
    'Jan 1 host CEF:0|sec|pro\\|duct|1|100|worm stopped|10|src=10.0.0.1 msg=a \\= b dst=2.1.2.2',
  )
  assert.equal(alert!.get('deviceProduct'), 'pro|duct')
  assert.equal(alert!.get('message'), 'a = b')
  assert.equal(alert!.get('destinationAddress'), '2.1.2.2')
  const short = await codec('cef { fields => ["sourceAddress"] reverse_mapping => true }')
  assert.match(String(short.encode(alert!)), /^CEF:0\|Elasticsearch\|.*\|src=10\.0\.0\.1$/)
  const archive = gzipSync('one\ntwo\n')
  const lines = await decode('gzip_lines { }', archive)
  assert.deepEqual(
    lines.map((event) => event.get('message')),
    ['one', 'two'],
  )
})

test('the cef codec decodes what it encodes and replaces an invalid severity', async () => {
  const text = 'x "y" | z=1\\\r\nend'
  const config = `cef { vendor => "" name => "%{n}" severity => "%{s}" fields => ["t", "l", "nope"] delimiter => '\\r\\n' }`
  const cef = await codec(config)
  const [event] = await filterEvents('', [{ n: 'a|b\nc', s: '5.0', t: text, l: [1, { a: 'b' }] }])
  const line = String(cef.encode(event!))
  assert.ok(
    line.startsWith('CEF:0|Elasticsearch|Logstash|1.0|Logstash|a\\|b c|5|t=x "y" | z\\=1\\\\\\nend l=[1,{'),
    line,
  )
  assert.ok(line.endsWith('\r\n'))
  const [read] = await decode(config, line)
  assert.deepEqual(
    [read!.get('name'), read!.get('t'), read!.get('l')],
    ['a|b c', text.replace('\r\n', '\n'), '[1,{"a":"b"}]'],
  )
  const [other] = await filterEvents('', [{ n: '', s: 'high' }])
  assert.match(String(cef.encode(other!)), /\|Logstash\|6\|\r\n$/)
})

test('cef keys may contain dots and array indexes, and lines may be quoted', async () => {
  const [event] = await decode('cef { }', '"CEF:0|v|p|1|2|n|3| ad.x[0]=one two ad.x[1]=3 a.b=x=y  cs1Label=l "')
  assert.deepEqual(JSON.parse(objectText(event!.fields))['ad.x'], { 0: 'one two', 1: '3' })
  assert.deepEqual([event!.get('a.b'), event!.get('deviceCustomString1Label')], ['x=y', 'l'])
})

test('a line that cannot be decoded becomes a tagged event and never throws', async () => {
  const [clash] = await decode('cef { }', 'CEF:0|v|p|1|2|n|3|a=1 a[0]=2')
  assert.deepEqual(clash!.get('tags'), ['_cefparsefailure'])
  const [dated, undated, nested] = await decode(
    'csv { columns => ["@timestamp", "[a][b]"] }',
    '2024-03-05,x\nnow,y\n"z',
  )
  assert.equal(String(dated!.get('@timestamp')).slice(0, 4), '2024')
  assert.equal(dated!.get('[a][b]'), 'x')
  assert.deepEqual(undated!.get('tags'), ['_timestampparsefailure'])
  assert.deepEqual(nested!.get('tags'), ['_csvparsefailure'])
})

// Goal: no input from a port stops the process. Method: random bytes for every codec that reads bytes.
test('random bytes never make a codec throw', async () => {
  const configs = ['plain', 'line', 'json', 'json_lines', 'csv', 'cef', 'es_bulk', 'msgpack', 'gzip_lines']
  for (const config of [...configs.map((name) => `${name} { }`), 'multiline { pattern => "^x" what => previous }']) {
    const made = await codec(config)
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 4 }), (pieces) => {
        const decoder = made.createDecoder()
        const out: Event[] = []
        for (const piece of pieces) decoder.decode(piece, out)
        decoder.flush(out)
      }),
    )
  }
  const [odd] = await decode('msgpack { }', Buffer.from([0xc1, 0x41]))
  assert.deepEqual(odd!.get('tags'), ['_msgpackparsefailure'])
})

test('blank input yields no JSON event', async () => {
  assert.deepEqual(await decode('json { }', ' \n'), [])
})
