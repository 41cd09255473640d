/** The codecs whose messages follow a schema: avro and protobuf. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Event } from '../event/event.ts'
import { toFieldValue, toPlainValue } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { Codec, CodecPlugin } from '../plugin/codec-plugin.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { avro } from './avro.ts'
import { protobuf } from './protobuf.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-schema-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function make(plugin: CodecPlugin, options: Record<string, unknown>): Codec {
  return plugin.create(withDefaults(plugin.options, options) as never, testContext())
}

function decode(codec: Codec, bytes: string | Uint8Array): Record<string, unknown>[] {
  const out: Event[] = []
  codec.createDecoder().decode(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, out)
  return out.map((event) => toPlainValue(event.fields) as Record<string, unknown>)
}

function event(fields: Record<string, unknown>): Event {
  const made = Event.ofMessage('', new Timestamp(0))
  made.remove('message')
  for (const [name, value] of Object.entries(fields)) made.set(name, toFieldValue(value))
  return made
}

test('avro writes an event and reads it back, in base64 and as bytes', () => {
  const schema = {
    type: 'record',
    name: 'Line',
    fields: [
      { name: 'text', type: 'string' },
      { name: 'count', type: 'long' },
      { name: 'note', type: ['null', 'string'], default: null },
      { name: 'tags', type: { type: 'array', items: 'string' } },
    ],
  }
  const path = file('line.avsc', JSON.stringify(schema))
  const fields = { text: 'zwölf', count: 7, note: 'x', tags: ['a'] }
  for (const encoding of ['base64', 'binary']) {
    const codec = make(avro, { schema_uri: path, encoding })
    const [back] = decode(codec, codec.encode(event(fields)))
    assert.deepEqual(
      { ...back, '@timestamp': undefined, '@version': undefined },
      { ...fields, '@timestamp': undefined, '@version': undefined },
    )
  }
  const [failed] = decode(make(avro, { schema_uri: path, tag_on_failure: true }), 'AA')
  assert.deepEqual(failed!['tags'], ['_avroparsefailure'])
  assert.throws(() => make(avro, { schema_uri: join(folder, 'none') }), /schema_uri .*ENOENT/)
})

const PROTO = `syntax = "proto3";
package farm;
enum Colour { BROWN = 0; WHITE = 1; }
message Unicorn {
  string name = 1;
  int64 age = 2;
  Colour colour = 3;
  repeated string friends = 4;
  oneof home { string stable = 5; int32 meadow = 6; }
}`

const RUBY = `Google::Protobuf::DescriptorPool.generated_pool.build do
  add_file("unicorn.proto", :syntax => :proto3) do
    add_message "farm.Unicorn" do
      optional :name, :string, 1
      optional :age, :int64, 2
      optional :colour, :enum, 3, "farm.Colour"
      repeated :friends, :string, 4
      oneof :home do
        optional :stable, :string, 5
        optional :meadow, :int32, 6
      end
    end
    add_enum "farm.Colour" do
      value :BROWN, 0
      value :WHITE, 1
    end
  end
end`

test('protobuf reads messages defined by .proto files and by the Ruby files of protoc', () => {
  const paths = [file('unicorn.proto', PROTO), file('unicorn_pb.rb', RUBY)]
  const fields = { name: 'Ann', age: 12_345_678_901, colour: 'WHITE', friends: ['Bob'], meadow: 4 }
  const bytes = paths.map((path) => {
    const codec = make(protobuf, { class_name: 'Farm::Unicorn', include_path: [path], pb3_set_oneof_metainfo: true })
    const encoded = codec.encode(event(fields)) as Uint8Array
    const [back] = decode(codec, encoded)
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(back![name], value, name)
    return Buffer.from(encoded).toString('hex')
  })
  assert.equal(bytes[0], bytes[1])
  const missing = { class_name: 'Goat', include_path: [paths[0]] }
  assert.throws(() => make(protobuf, missing), /class_name "Goat" is not defined .* there are farm.Unicorn/)
})

test('a message that is no protobuf is kept as text with a tag', () => {
  const codec = make(protobuf, { class_name: 'farm.Unicorn', include_path: [file('again.proto', PROTO)] })
  const [failed] = decode(codec, Buffer.from([0x0a, 0xff]))
  assert.deepEqual(failed!['tags'], ['_protobufdecodefailure'])
})
