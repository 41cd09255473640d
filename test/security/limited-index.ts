/** An index with fields of every kind, and copies of it without the values that a role hides. */
import { FieldRules } from './field-rules.ts'

export const SETTINGS = { number_of_shards: 1 }

/** The flattened fields. They keep values in one structure for all keys, and once more for each key. */
const FLATTENED = ['fl', 'bare', 'only', 'nes.f']

type Json = Record<string, unknown>

const keyword = { type: 'keyword' }

const PROPERTIES = {
  kw: keyword,
  kw_alias: { type: 'alias', path: 'kw' },
  tx: { type: 'text', term_vector: 'with_positions_offsets', fields: { kw: keyword } },
  n: { type: 'integer' },
  d: { type: 'date' },
  ip: { type: 'ip' },
  flag: { type: 'boolean' },
  place: { type: 'geo_point' },
  constant: { type: 'constant_keyword', value: 'constant-value' },
  fl: { type: 'flattened' },
  bare: { type: 'flattened', doc_values: false },
  only: { type: 'flattened', index: false },
  obj: { properties: { a: keyword, b: keyword } },
  nes: {
    type: 'nested',
    properties: {
      a: keyword,
      b: keyword,
      f: { type: 'flattened' },
      v: { type: 'dense_vector', dims: 2, similarity: 'l2_norm' },
    },
  },
  vec: { type: 'dense_vector', dims: 2, similarity: 'l2_norm' },
  sparse: { type: 'sparse_vector' },
  rank: { type: 'rank_feature' },
  src: { type: 'keyword', copy_to: 'target' },
  target: { type: 'text', fielddata: true },
  sayt: { type: 'search_as_you_type' },
  sug: { type: 'completion' },
  span: { type: 'integer_range' },
  stored: { type: 'keyword', store: true, doc_values: false },
  bin: { type: 'binary', doc_values: true },
  unsigned: { type: 'unsigned_long' },
  a: { properties: { _b: keyword, c: keyword } },
}

const RUNTIME = {
  computed: { type: 'keyword', script: "for (v in doc['kw']) { emit('c-' + v) }" },
  computed_card: { type: 'keyword', script: "for (v in doc['fl.card']) { emit('c-' + v) }" },
}

export const MAPPING = { runtime: RUNTIME, properties: PROPERTIES }

const document = (i: number) => ({
  kw: i % 2 === 0 ? [`word${i}`, 'even'] : `word${i}`,
  tx: `some text of number${i}`,
  n: i * 10,
  d: `2026-01-0${i + 1}T00:00:00Z`,
  ip: `192.168.0.${i}`,
  flag: i % 2 === 0,
  place: { lat: i, lon: -i },
  fl: { pub: i % 3 === 0 ? ['open', `p${i}`] : `p${i}`, card: [`4111-${i}`, 'open'], deep: { a: `x${i}`, b: 'y' } },
  bare: i % 2 === 0 ? { pub: `p${i}`, card: 'p0' } : { card: `4111-${i}` },
  only: { pub: `p${i}`, card: `4111-${i}` },
  obj: { a: `a${i}`, b: `b${i}` },
  nes: [
    { a: `a${i}`, b: `b${i}`, f: { pub: `p${i}`, card: `4111-${i}` }, v: [i, 1] },
    { a: 'all', f: { card: 'p1' } },
  ],
  src: `source${i}`,
  target: `own${i}`,
  sayt: `quick brown fox${i}`,
  sug: `complete${i}`,
  span: { gte: i, lte: i + 2 },
  stored: `kept${i}`,
  bin: 'c2VjcmV0',
  unsigned: `1844674407370955161${i % 6}`,
  a: { _b: `under${i}`, c: `c${i}` },
  vec: [i, 2],
  sparse: { one: i + 1, two: 7 - i },
  rank: i + 0.5,
})

/** The last document has few fields. */
export const DOCUMENTS: readonly Json[] = [
  ...[0, 1, 2, 3, 4].map(document),
  { n: 50, fl: { card: '4111-9' }, kw: 'word0' },
]

/** A range is one value, although it is written as an object. */
const VALUES = new Set(['place', 'span', 'sparse'])

/** The document as it would have been written without the hidden values. */
export function copyDocument(source: Json, rules: FieldRules): Json {
  const copy = visible(source, '', rules) as Json
  if (!rules.has('src') && rules.has('target') && source['src'] !== undefined) copy['carrier'] = source['src']
  return copy
}

function visible(value: unknown, path: string, rules: FieldRules): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => visible(item, path, rules)).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (value === null || typeof value !== 'object' || VALUES.has(path)) return rules.has(path) ? value : undefined
  const members = Object.entries(value).map(([name, member]) => {
    return [name, visible(member, path === '' ? name : `${path}.${name}`, rules)] as const
  })
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

/**
 * Fields whose values are in the mapping or computed are absent if they are hidden. What a hidden field copied to another one
 * comes from a field that no request shows.
 */
export function copyMapping(rules: FieldRules): Json {
  const properties: Json = {
    ...PROPERTIES,
    carrier: { type: 'keyword', index: false, doc_values: false, copy_to: 'target' },
  }
  if (!rules.has('constant')) delete properties['constant']
  if (!rules.has('target')) properties['src'] = keyword
  if (!rules.has('tx.kw')) properties['tx'] = { ...PROPERTIES.tx, fields: { kw: { type: 'keyword', ignore_above: 1 } } }
  const runtime = Object.fromEntries(Object.entries(RUNTIME).filter(([name]) => rules.has(name)))
  return { _source: { excludes: ['carrier'] }, runtime, properties }
}

/** The rules without the keys of flattened fields that are not granted themselves. */
export function bareRules(rules: FieldRules): FieldRules {
  const hidden = FLATTENED.filter((path) => !rules.has(path)).map((path) => `${path}.*`)
  return new FieldRules({ ...rules.fields, except: [...(rules.fields.except ?? []), ...hidden] })
}

/** Whether a read of `path` finds values of flattened fields regardless of their keys. */
export const readsWholeFields = (path: string) => path === '*' || FLATTENED.includes(path)

/** The fields to read, each with one of its values. */
export const PATHS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['kw', 'word0'],
  ['kw_alias', 'even'],
  ['tx', 'number1'],
  ['tx.kw', 'some text of number1'],
  ['n', 10],
  ['d', '2026-01-02'],
  ['ip', '192.168.0.1'],
  ['flag', true],
  ['place', '1,-1'],
  ['constant', 'constant-value'],
  ['computed', 'c-word0'],
  ['computed_card', 'c-4111-0'],
  ['fl', 'open'],
  ['fl.pub', 'open'],
  ['fl.card', '4111-1'],
  ['fl.deep.a', 'x1'],
  ['bare', 'p0'],
  ['bare.pub', 'p0'],
  ['bare.card', '4111-1'],
  ['only', 'p1'],
  ['only.card', '4111-1'],
  ['obj.a', 'a1'],
  ['obj.b', 'b1'],
  ['nes.a', 'all'],
  ['nes.f', 'p1'],
  ['nes.f.card', '4111-1'],
  ['src', 'source1'],
  ['target', 'source1'],
  ['sayt', 'quick'],
  ['sayt._2gram', 'quick brown'],
  ['sug', 'complete1'],
  ['span', 1],
  ['stored', 'kept1'],
  ['bin', 'c2VjcmV0'],
  ['unsigned', 7],
  ['a._b', 'under1'],
  ['a.c', 'c1'],
  ['vec', 1],
  ['nes.v', 1],
  ['sparse', 1],
  ['rank', 1],
  ['*', '4111-1'],
])
