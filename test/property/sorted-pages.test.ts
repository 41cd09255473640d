// Goal: a value that a sort or a composite shows leads back to its place, whatever the type. Method: documents with no, one or
// several values of every type, many of them equal and many not exact in binary. For every type, mode and order the result is
// read at once and in pages, and the pages, joined, are the result.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

let search: TestSearch

const DOCS = 24

/** Texts of JSON values. */
const VALUES: Record<string, readonly string[]> = {
  double: ['0.1', '0.2', '0.3', '1.1', '-7.7', '1e300'],
  float: ['37.1', '41.1', '39.1', '39.2', '39.0', '0.1'],
  half_float: ['0.1', '0.2', '1.3', '65504', '-3.7'],
  scaled_float: ['1.1', '2.25', '19.99', '0.57', '0.07', '-0.35'],
  byte: ['1', '2', '-128', '5'],
  short: ['1', '2', '-300', '5'],
  integer: ['1', '2', '3', '-2147483648'],
  long: ['1', '9007199254740993', '9007199254740992', '9223372036854775806', '-9223372036854775807'],
  unsigned_long: ['0', '7', '9223372036854775807', '9223372036854775809', '18446744073709551614'],
  boolean: ['true', 'false'],
  date: ['"2024-01-01"', '"2024-01-02T03:04:05.678Z"', '"1969-07-20"'],
  date_nanos: ['"2024-01-01T00:00:00.000000001Z"', '"2024-01-01T00:00:00.000000002Z"', '"2024-06-01"'],
  wildcard: ['"a"', '"b"', '"\u{1f600}"'],
  keyword: ['"a"', '"b"', '"ä"', '"\u{1f600}"', '""'],
  ip: ['"10.0.0.1"', '"10.0.0.20"', '"::1"', '"2001:db8::1"'],
  version: ['"1.0.0"', '"1.10.0"', '"1.2.0"', '"2.0.0-rc.1"', '"2.0.0"', '"not one"'],
}

const TYPES = Object.keys(VALUES)
const NUMBERS = TYPES.slice(0, TYPES.indexOf('wildcard'))
const RUNTIME = ['long', 'double', 'boolean', 'date', 'keyword', 'ip']

const settingsOf = (type: string) => (type === 'scaled_float' ? { type, scaling_factor: 100 } : { type })

/** A seeded stream of whole numbers below `limit`. */
function whole(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** Every third value is missing, and every third is a list. */
function documentsAsText(): string[] {
  const below = whole(11)
  const value = (type: string) => VALUES[type]![below(VALUES[type]!.length)]!
  return Array.from({ length: DOCS }, (_, id) => {
    const members = TYPES.flatMap((type) => {
      const count = [0, 1, 1, 2, 3][below(5)]!
      if (count === 0) return []
      const list = Array.from({ length: count }, () => value(type))
      return [`"${type}":${count === 1 ? list[0] : `[${list.join()}]`}`]
    })
    return `{"id":${id},"constant":"same","point":[${below(3)},${below(3)}]${members.map((text) => `,${text}`).join('')}}`
  })
}

async function send(method: string, path: string, body?: string): Promise<{ text: string; body: unknown }> {
  const answer = await search.request(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path} ${body}: ${answer.text}`)
  return answer
}

before(async () => {
  search = await startSearch({ listen: false })
  const properties = Object.fromEntries(TYPES.map((type) => [type, settingsOf(type)]))
  const runtime = Object.fromEntries(
    RUNTIME.map((type) => [`made_${type}`, { type, script: `for (v in doc['${type}']) { emit(${emitted(type)}) }` }]),
  )
  const mappings = {
    runtime,
    properties: {
      ...properties,
      id: { type: 'integer' },
      point: { type: 'geo_point' },
      constant: { type: 'constant_keyword' },
      no_constant: { type: 'constant_keyword' },

      alias: { type: 'alias', path: 'scaled_float' },
    },
  }
  const settings = { number_of_shards: 2, refresh_interval: '-1' }
  await send('PUT', '/types', JSON.stringify({ settings, mappings }))
  const documents = documentsAsText()
  for (let from = 0; from < DOCS; from += DOCS / 3) {
    const lines = documents.slice(from, from + DOCS / 3).flatMap((source) => ['{"index":{}}', source])
    await send('POST', '/types/_bulk?refresh=true', `${lines.join('\n')}\n`)
  }
})
after(() => search.stop())

const emitted = (type: string) => (type === 'date' ? 'v.toInstant().toEpochMilli()' : 'v')

/** The text behind the last occurrence of a name, up to a closing bracket. */
function textBehind(text: string, name: string, close: string): string | undefined {
  const start = text.lastIndexOf(name)
  return start < 0 ? undefined : text.slice(start + name.length, text.indexOf(close, start) + 1)
}

interface HitIds {
  readonly hits: { readonly hits: readonly { readonly _id: string }[] }
}

const idsOf = (body: unknown) => (body as HitIds).hits.hits.map(({ _id }) => _id)

async function checkPages(path: string, members: string, size: number, count = DOCS): Promise<void> {
  const request = (more: string) => `{${members},"_source":false${more}}`
  const expected = idsOf((await send('POST', path, request(`,"size":1000`))).body)
  assert.equal(expected.length, count)
  const joined: string[] = []
  for (let behind = ''; joined.length <= count; ) {
    const page = await send('POST', path, request(`,"size":${size}${behind}`))
    const ids = idsOf(page.body)
    if (ids.length === 0) break
    joined.push(...ids)
    // As text, because some values exceed the range of a JavaScript number.
    behind = `,"search_after":${textBehind(page.text, '"sort":', ']')}`
  }
  assert.deepEqual(joined, expected, members)
}

let checks = 0

/** Every other sort is made unique by a field, the rest by the place of the document in a point in time. */
async function checkSort(sort: string, pit: string, size: number): Promise<void> {
  if (checks++ % 2 === 0) await checkPages('/types/_search', `"sort":[${sort},"id"]`, size)
  else await checkPages('/_search', `"sort":[${sort}],"pit":{"id":"${pit}"}`, size)
}

const openPit = async () => (JSON.parse((await send('POST', '/types/_pit?keep_alive=5m')).text) as { id: string }).id

function sortsOf(field: string, isNumber: boolean): string[] {
  const modes = isNumber ? ['min', 'max', 'avg', 'sum', 'median'] : ['min', 'max']
  return ['asc', 'desc'].flatMap((order, i) =>
    modes.map((mode, j) =>
      JSON.stringify({ [field]: { order, mode, ...((i + j) % 2 === 0 ? {} : { missing: '_first' }) } }),
    ),
  )
}

test('pages by every type, mode and order, joined, are the result', async () => {
  const pit = await openPit()
  for (const [i, type] of TYPES.entries()) {
    for (const sort of sortsOf(type, NUMBERS.includes(type))) await checkSort(sort, pit, 5 + (i % 3) * 2)
  }
  for (const type of RUNTIME) {
    for (const sort of sortsOf(`made_${type}`, NUMBERS.includes(type))) await checkSort(sort, pit, 7)
  }
})

test('pages by a number read as another type, joined, are the result', async () => {
  const pit = await openPit()
  for (const type of NUMBERS) {
    // Dates before 1970 have no nanoseconds.
    for (const numeric_type of ['long', 'double', 'date']) {
      for (const mode of ['avg', 'sum']) {
        await checkSort(JSON.stringify({ [type]: { numeric_type, mode, order: 'desc' } }), pit, 7)
      }
    }
  }
})

test('pages by what is not a field of the documents, joined, are the result', async () => {
  const pit = await openPit()
  const sorts = [
    '"constant"',
    '"no_constant"',
    '{"alias":{"order":"desc","mode":"avg"}}',
    '{"alias":{"missing":2.25}}',
    '{"float":{"missing":39.1,"order":"desc"}}',
    '{"scaled_float":{"missing":1.234}}',
    '{"version":{"missing":"1.3.0"}}',
    '{"date":{"format":"yyyy-MM-dd\'T\'HH:mm:ss.SSS","missing":0}}',
    '{"_geo_distance":{"point":[1.1,2.2],"order":"desc","unit":"km","mode":"avg"}}',
    '{"_script":{"type":"number","script":"doc[\'double\'].size() == 0 ? 0.1 : doc[\'double\'].value / 3"}}',
    '{"_script":{"type":"string","script":"doc[\'keyword\'].size() == 0 ? \'none\' : doc[\'keyword\'].value"}}',
    '{"absent":{"unmapped_type":"version"}}',
    '{"absent":{"unmapped_type":"unsigned_long","order":"desc"}}',
    '{"absent":{"unmapped_type":"float","missing":0.1}}',
    '"_seq_no"',
    '"_index"',
  ]
  for (const sort of sorts) await checkSort(sort, pit, 7)
})

test('pages of a composite by every type and order, joined, are the result', async () => {
  const fields = [...TYPES, ...RUNTIME.map((type) => `made_${type}`), 'alias', 'constant']
  for (const field of fields) {
    for (const order of ['asc', 'desc']) {
      for (const size of [2, 5]) {
        const source = JSON.stringify({ terms: { field, order, missing_bucket: order === 'asc' } })
        const page = async (count: number, behind: string) => {
          const composite = `{"size":${count},"sources":[{"f":${source}}]${behind}}`
          const { text } = await send('POST', '/types/_search', `{"size":0,"aggs":{"c":{"composite":${composite}}}}`)
          const buckets =
            text.slice(text.indexOf('"buckets":[') + 11).match(/\{"key":\{[^}]*\},"doc_count":\d+\}/g) ?? []
          return { buckets, behind: `,"after":${textBehind(text, '"after_key":', '}')}` }
        }
        const expected = (await page(1000, '')).buckets
        assert.ok(expected.length > 0 && new Set(expected).size === expected.length)
        const joined: string[] = []
        for (let last = await page(size, ''); last.buckets.length > 0; last = await page(size, last.behind)) {
          joined.push(...last.buckets)
          if (joined.length > expected.length) break
        }
        assert.deepEqual(joined, expected, `${field} ${order} by ${size}`)
      }
    }
  }
})

// Goal: the same over indices in which a field has different precisions. Elasticsearch loses or repeats such hits.
test('pages by a field of single and of double precision, joined, are the result', async () => {
  const idsByIndex: string[] = []
  for (const type of ['float', 'double', 'half_float', 'scaled_float']) {
    await send('PUT', `/mixed-${type}`, JSON.stringify({ mappings: { properties: { t: settingsOf(type) } } }))
    const lines = ['31.1', '32.1', '32.1', '33.1', 'null'].flatMap((t, i) => {
      idsByIndex.push(`${type}${i}`)
      return [`{"index":{"_id":"${type}${i}"}}`, `{"t":${t},"k":"${(i * 7) % 5}${type}"}`]
    })
    await send('POST', `/mixed-${type}/_bulk?refresh=true`, `${lines.join('\n')}\n`)
  }
  const pit = (JSON.parse((await send('POST', '/mixed-*/_pit?keep_alive=5m')).text) as { id: string }).id
  for (const sort of ['"t"', '{"t":{"order":"desc","mode":"avg"}}']) {
    await checkPages('/mixed-*/_search', `"sort":[${sort},"k.keyword"]`, 3, idsByIndex.length)
    await checkPages('/_search', `"sort":[${sort}],"pit":{"id":"${pit}"}`, 2, idsByIndex.length)
  }
})
