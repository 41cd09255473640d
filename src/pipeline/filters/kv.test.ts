import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFilters } from '../dry-run/run-filters.ts'

/** The pairs that kv extracts from a text. */
async function pairs(options: string, text: string): Promise<Record<string, unknown>> {
  const [event] = await runFilters(`filter { kv { source => "s" target => "kv" ${options} } }`, [{ s: text }])
  return (event!['kv'] ?? event!['tags'] ?? {}) as Record<string, unknown>
}

test('quotes and brackets delimit a value if a field or line end follows them', async () => {
  const text = `a="x y" b='x y' c=(x y) d=[x y] e=<x y> f="x y"z g=""`
  const found = { a: 'x y', b: 'x y', c: 'x y', d: 'x y', e: 'x y', f: '"x' }
  assert.deepEqual(await pairs('', text), found)
  assert.deepEqual(await pairs('allow_empty_values => true', text), { ...found, g: '' })
  assert.deepEqual(await pairs('', 'a="x y"\nb=2'), { a: 'x y', '\nb': '2' })
})

test('spaces around the value separator are ignored unless whitespace is strict', async () => {
  assert.deepEqual(await pairs('', `a = 1 b =2 c= 'x y' d =(x y)`), { a: '1', b: '2', c: 'x y', d: 'x y' })
  const text = `present=one empty= emptyquoted='' present=two emptybracketed=[] endofinput=`
  const strict = 'whitespace => strict allow_empty_values => true'
  const empty = { empty: '', emptyquoted: '', emptybracketed: '', endofinput: '' }
  assert.deepEqual(await pairs(strict, text), { present: ['one', 'two'], ...empty })
})

test('a backslash escapes the next character of a key or value, and is literal at the end', async () => {
  assert.deepEqual(await pairs('value_split => ":"', 'IKE\\ IDs:x\\ (y=\\ z)\\ end'), {
    'IKE\\ IDs': 'x\\ (y=\\ z)\\ end',
  })
  assert.deepEqual(await pairs('', 'a=b\\'), { a: 'b\\' })
  assert.deepEqual(await pairs('', 'a\\=c'), { 'a\\': 'c' })
})

test('splitters are sets of characters, or patterns', async () => {
  assert.deepEqual(await pairs('field_split => "a-c"', 'x=1by=2cz=3'), { x: '1', y: '2', z: '3' })
  assert.deepEqual(await pairs('field_split => "|" trim_key => " " trim_value => " "', 'k= v v | l l =w '), {
    ...{ k: 'v v', 'l l': 'w' },
  })
  const patterns = 'field_split_pattern => "!!" value_split_pattern => "::"'
  const text = `a :: 1!!b::"quoted" and more!!c::"with ! and !! inside"!!d::"" !!e::2`
  assert.deepEqual(await pairs(patterns, text), {
    ...{ a: '1', b: '"quoted" and more', c: 'with ! and !! inside', d: '"" ', e: '2' },
  })
  const sentence = 'key1: val1; key2:  http://x/?g={"..;  y)"}; key3: val3;'
  assert.deepEqual(
    await pairs('field_split_pattern => ";\\s*(?=key.+?:)|;$" value_split_pattern => ":\\s+"', sentence),
    {
      ...{ key1: 'val1', key2: 'http://x/?g={"..;  y)"}', key3: 'val3' },
    },
  )
  for (const option of ['value_split', 'field_split_pattern', 'value_split_pattern']) {
    await assert.rejects(pairs(`${option} => ""`, ''), /not empty/)
  }
})

test('trim options remove characters from both ends, remove options everywhere', async () => {
  const text = 'to=<foo@x>, %+relay=mail[private/lmtp], delay=2.2, status=sent (250 <foo@x> Saved) '
  assert.deepEqual(await pairs('trim_value => "<>," trim_key => "%+"', text), {
    ...{ to: 'foo@x', relay: 'mail[private/lmtp]', delay: '2.2', status: 'sent' },
  })
  assert.deepEqual(await pairs('remove_char_value => "<>\\[\\]," remove_char_key => "%+"', '%a+=<[x],y>'), { a: 'xy' })
})

test('recursive kv parses pairs inside values', async () => {
  const text = 'IKE="Quick Mode" IKE\\ IDs = (subnet= x.x mask= 255.255 and host=y.y)'
  assert.deepEqual(await pairs('recursive => true', text), {
    ...{ IKE: 'Quick Mode', 'IKE\\ IDs': { subnet: 'x.x', mask: '255.255', host: 'y.y' } },
  })
})

test('kv tags an event whose pairs cannot be stored, and stops a match that takes too long', async () => {
  const [object] = await runFilters('filter { kv { source => "s" } }', [{ s: {} }])
  assert.equal(object!['tags'], undefined)
  const [event] = await runFilters('filter { kv { tag_on_failure => ["one", "two"] } }', ['[a=1'])
  assert.deepEqual(event!['tags'], ['one', 'two'])
  const endless = 'value_split_pattern => "(?:=+=+)+:" timeout_millis => 100 default_keys => { "d" => "1" }'
  assert.deepEqual(await pairs(endless, `foo========:bar baz${'='.repeat(48)}bingo`), ['_kv_filter_timeout'])
  assert.deepEqual(await pairs(endless, 'foo==:bar baz==:bingo'), { foo: 'bar', baz: 'bingo', d: '1' })
})
