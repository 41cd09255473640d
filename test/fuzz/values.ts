/** The words and values of requests. There are few names, so that requests affect each other. */
import type { Random } from './random.ts'

export const INDICES = ['fuzz-a', 'fuzz-b', 'fuzz-c', 'fuzz-d'] as const
const EXPRESSIONS = [
  ...INDICES,
  ...[
    'fuzz-*',
    'fuzz-a,fuzz-b',
    '_all',
    '*',
    'fuzz-alias',
    'fuzz-missing',
    '-fuzz-a',
    'fuzz-*,-fuzz-b',
    '<fuzz-{now/d}>',
  ],
  ...['FUZZ', '_bad', 'fuzz-stream', 'fuzz-a,', '.fuzz', 'fuzz%20a', '%3Cfuzz-%7Bnow%2Fd%7D%3E'],
]
export const FIELDS = [
  ...[
    't',
    't.raw',
    'k',
    'l',
    'i',
    'd',
    'f',
    'b',
    'dt',
    'dn',
    'ip',
    'g',
    'gs',
    'n',
    'n.k',
    'n.i',
    'o',
    'o.k',
    'fl',
    'fl.x',
    'r',
    'c',
    's',
    'bin',
    'v',
  ],
  ...[
    '_id',
    '_index',
    '_source',
    '_seq_no',
    '_score',
    '_doc',
    '_shard_doc',
    'missing',
    '*',
    't*',
    'o.*',
    '',
    ' ',
    'a..b',
    '.',
  ],
]
const WORDS = [
  'quick',
  'brown',
  'fox',
  'lazy',
  'dog',
  'the',
  'qui*',
  'f?x',
  'quikc~',
  '"quick fox"',
  'a',
  'é',
  '😀',
  '漢字',
  'ﬀ',
  '\u0000',
  'NaN',
  'null',
]

const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '^',
    '*',
    '?',
    '\\',
    '"',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '/',
    '~',
    '!',
    '&&',
    '||',
    ':',
    '-',
    '+',
    '.',
    ',',
    '%',
    '$',
    '#',
    '@',
    '<',
    '>',
  ],
  ...[
    'now',
    'now-1d/d',
    '2024-01-01||+1M/d',
    'now+',
    '1d',
    '-1',
    '1e400',
    'NaN',
    'Infinity',
    '0x1',
    '١',
    'true',
    'null',
    '50%',
    '2<75%',
    'AUTO',
    'AUTO:1,2',
  ],
  ...[
    '(a+)+$',
    '^(a|aa)+$',
    '((a{100}){100}){100}',
    '[a',
    '(?<x>a)\\k<x>',
    '{{#a}}{{/a}}',
    '{{x}}',
    'POINT (1 2)',
    'POLYGON ((0 0, 1 0, 1 1, 0 0))',
    '192.168.0.0/16',
    '::1',
  ],
  ...[
    'u09tvw',
    'AQID',
    '__proto__',
    'constructor',
    'toString',
    '\ud800',
    '\u202e',
    'x'.repeat(300),
    '1'.repeat(400),
    'a.'.repeat(50),
    '*a'.repeat(60),
    '('.repeat(60),
  ],
]
const ODD_NUMBERS = [
  0,
  -0,
  1,
  -1,
  2,
  0.5,
  -0.5,
  10,
  100,
  10_001,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e15,
  1e21,
  1e38,
  1e39,
  1e300,
  5e-324,
  3.4028236e38,
]

/** Encodes a text for a URL. Lone surrogates are removed. */
export const encoded = (text: string) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, ''))

export const anyIndex = (random: Random) => (random.chance(0.75) ? random.pick(INDICES) : random.pick(EXPRESSIONS))
export const anyField = (random: Random) => random.pick(FIELDS)
export const anyId = (random: Random) => (random.chance(0.95) ? String(random.below(60)) : random.pick(ODD_TEXTS))
export const anyWord = (random: Random) => random.pick(WORDS)
export const anyText = (random: Random) =>
  random.chance(0.7) ? random.list(5, () => anyWord(random)).join(' ') : random.pick(ODD_TEXTS)
export const anyNumber = (random: Random) => (random.chance(0.5) ? random.below(20) : random.pick(ODD_NUMBERS))
export const anyBoolean = (random: Random) => random.chance(0.5)
export const anyDate = (random: Random) =>
  random.pick(['2024-01-05', '2024-01-05T10:00:00Z', 1_704_450_000_000, '2024', 'now-3d', '2024-02-30', '12:00'])

export function anyScalar(random: Random): unknown {
  switch (random.below(6)) {
    case 0:
      return anyNumber(random)
    case 1:
      return anyBoolean(random)
    case 2:
      return null
    case 3:
      return anyDate(random)
    default:
      return anyText(random)
  }
}

export function anyValue(random: Random, depth = 2): unknown {
  if (depth === 0 || random.chance(0.8)) return anyScalar(random)
  if (random.chance(0.5)) return random.list(3, () => anyValue(random, depth - 1))
  return Object.fromEntries(random.list(3, () => [anyField(random), anyValue(random, depth - 1)]))
}

export const anyPoint = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => ({ lat: anyCoordinate(random), lon: anyCoordinate(random) }),
    () => [anyCoordinate(random), anyCoordinate(random)],
    () => `${anyCoordinate(random)},${anyCoordinate(random)}`,
    () => 'u09tvw',
    () => ({ type: 'Point', coordinates: [anyCoordinate(random), anyCoordinate(random)] }),
    () => 'POINT (2 1)',
  ])()

const anyCoordinate = (random: Random) => (random.chance(0.9) ? random.below(160) - 80 : anyNumber(random))

export function anyDocument(random: Random): Record<string, unknown> {
  const document: Record<string, unknown> = {}
  const members: readonly (readonly [string, () => unknown])[] = [
    ['t', () => anyText(random)],
    ['k', () => anyWord(random)],
    ['l', () => anyNumber(random)],
    ['i', () => random.below(100)],
    ['d', () => anyNumber(random)],
    ['f', () => random.next() * 100],
    ['b', () => anyBoolean(random)],
    ['dt', () => anyDate(random)],
    ['dn', () => anyDate(random)],
    ['ip', () => random.pick(['10.0.0.1', '::1', 'fe80::1', 'x'])],
    ['g', () => anyPoint(random)],
    ['n', () => random.list(3, () => ({ k: anyWord(random), i: random.below(10) }))],
    ['o', () => ({ k: anyWord(random), x: { y: anyNumber(random) } })],
    ['fl', () => ({ x: anyWord(random), y: { z: anyNumber(random) } })],
    ['r', () => ({ gte: random.below(10), lt: 10 + random.below(10) })],
    ['c', () => ({ input: [anyText(random)], weight: random.below(10) })],
    ['s', () => anyText(random)],
    ['bin', () => 'AQID'],
    ['v', () => '1.2.3'],
    [anyField(random), () => anyValue(random)],
  ]
  for (const [name, make] of members)
    if (random.chance(0.4)) document[name] = random.chance(0.9) ? make() : random.list(3, make)
  return document
}

/** A mapping that most documents match. */
export const MAPPING = {
  properties: {
    t: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 256 } } },
    k: { type: 'keyword' },
    l: { type: 'long' },
    i: { type: 'integer' },
    d: { type: 'double' },
    f: { type: 'float' },
    b: { type: 'boolean' },
    dt: { type: 'date' },
    dn: { type: 'date_nanos' },
    ip: { type: 'ip' },
    g: { type: 'geo_point' },
    n: { type: 'nested', properties: { k: { type: 'keyword' }, i: { type: 'integer' } } },
    o: { properties: { k: { type: 'keyword' } } },
    fl: { type: 'flattened' },
    r: { type: 'integer_range' },
    c: { type: 'completion' },
    s: { type: 'search_as_you_type' },
    bin: { type: 'binary' },
    v: { type: 'version' },
  },
}
