/**
 * Writes src/engine/analysis/tokenizers/word-breaks.generated.ts: the code-point classes and the automaton of the
 * standard tokenizer.
 *
 *   node scripts/generate-word-breaks.mjs http://127.0.0.1:9200
 *
 * The argument is a running Elasticsearch 8. Its tokenizer follows Unicode 9 for words and Emoji 11 for pictographs,
 * and a JavaScript engine has data for neither version. Therefore every code point is inserted into a few probe texts
 * (`a?`, `?a`, `1?1` …), and its class follows from the probes that stay one token. The automaton is then built from
 * the rules of UAX #29 over these classes.
 */
import { writeFileSync } from 'node:fs'

const server = process.argv[2]
const INDEX = 'word-break-probe'
const RANGES = [
  [0x1, 0xd7ff],
  [0xe000, 0x32fff],
  [0xe0000, 0xe0fff],
]

// The properties of a code point. A class is a set of these.
const FLAGS = {
  letter: 1, // ALetter or Hebrew_Letter
  hebrew: 2,
  hangul: 4,
  numeric: 8,
  katakana: 16,
  extendNumLet: 32,
  midLetter: 64, // allowed between letters
  midNumber: 128, // allowed between digits
  singleQuote: 256,
  doubleQuote: 512,
  extend: 1024, // Extend, Format, ZWJ: belongs to the preceding character
  southeast: 2048,
  han: 4096,
  hiragana: 8192,
  emoji: 16384,
  modifierBase: 32768,
  modifier: 65536,
  regional: 131072,
  keycapBase: 262144,
  keycap: 524288,
  zwj: 1048576,
  textSelector: 2097152,
  emojiSelector: 4194304,
  tagSpec: 8388608,
  tagEnd: 16777216,
}

const PROBES = {
  alone: ['', ''],
  afterA: ['a', ''],
  beforeA: ['', 'a'],
  afterKatakana: ['カ', ''],
  beforeKatakana: ['', 'カ'],
  betweenLetters: ['a', 'b'],
  betweenDigits: ['1', '1'],
  afterComma: ['1,', ''],
  afterColon: ['a:', ''],
  afterHebrew: ['א', ''],
  betweenHebrew: ['א', 'א'],
  beforeQuotedHebrew: ['', '"א'],
  beforeThai: ['', 'ก'],
  afterHangul: ['가', ''],
  beforeHangul: ['', '가'],
  beforeModifier: ['', '\u{1f3fb}'],
}

async function call(method, path, body) {
  const answer = await fetch(server + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answer.json()
}

/** The type of the single token of the probe for each code point; undefined if there were several. */
async function probe(codePoints, [before, after]) {
  const starts = new Map()
  let text = ''
  for (const codePoint of codePoints) {
    starts.set(text.length, codePoint)
    text += `${before}${String.fromCodePoint(codePoint)}${after}\n`
  }
  const { tokens, error } = await call('POST', `/${INDEX}/_analyze`, { tokenizer: 'standard', text })
  if (error) throw new Error(JSON.stringify(error))
  const types = new Map()
  for (const token of tokens) {
    const codePoint = starts.get(token.start_offset)
    if (codePoint === undefined) continue
    const length = before.length + after.length + (codePoint > 0xffff ? 2 : 1)
    if (token.end_offset - token.start_offset === length) types.set(codePoint, token.type)
  }
  return types
}

function flagsOf(codePoint, seen) {
  const is = (name) => seen[name].has(codePoint)
  const type = seen.alone.get(codePoint)
  let flags = 0
  if (is('afterA') && is('afterKatakana')) flags |= is('beforeA') ? FLAGS.extendNumLet : FLAGS.extend
  else if (is('afterA') && is('beforeA')) {
    if (is('afterComma')) flags |= FLAGS.numeric
    else if (is('afterColon')) {
      flags |= FLAGS.letter
      if (is('beforeQuotedHebrew')) flags |= FLAGS.hebrew
      if (seen.afterHangul.get(codePoint) === '<HANGUL>' && seen.beforeHangul.get(codePoint) === '<HANGUL>') {
        flags |= FLAGS.hangul
      }
    }
  } else if (is('afterKatakana') && is('beforeKatakana')) flags |= FLAGS.katakana
  else {
    if (is('betweenLetters')) flags |= FLAGS.midLetter
    if (is('betweenDigits')) flags |= FLAGS.midNumber
    if (is('afterHebrew')) flags |= FLAGS.singleQuote
    else if (is('betweenHebrew') && !is('betweenLetters')) flags |= FLAGS.doubleQuote
  }
  if (is('beforeThai')) flags |= FLAGS.southeast
  if (type === '<IDEOGRAPHIC>') flags |= FLAGS.han
  if (type === '<HIRAGANA>') flags |= FLAGS.hiragana
  if (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff) return FLAGS.regional
  if (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff) return flags | FLAGS.modifier
  if (type === '<EMOJI>') flags |= FLAGS.emoji
  if (seen.beforeModifier.get(codePoint) === '<EMOJI>') flags |= FLAGS.modifierBase
  if ((codePoint >= 0x30 && codePoint <= 0x39) || codePoint === 0x23 || codePoint === 0x2a) flags |= FLAGS.keycapBase
  if (codePoint === 0x20e3) flags |= FLAGS.keycap
  if (codePoint === 0x200d) flags |= FLAGS.zwj
  if (codePoint === 0xfe0e) flags |= FLAGS.textSelector
  if (codePoint === 0xfe0f) flags |= FLAGS.emojiSelector
  if (codePoint >= 0xe0020 && codePoint <= 0xe007e) flags |= FLAGS.tagSpec
  if (codePoint === 0xe007f) flags |= FLAGS.tagEnd
  return flags
}

async function classify() {
  const flags = new Uint32Array(0x110000)
  await call('PUT', `/${INDEX}`, { settings: { number_of_replicas: 0, 'analyze.max_token_count': 10_000_000 } })
  try {
    for (const [first, last] of RANGES) {
      for (let from = first; from <= last; from += 16384) {
        const codePoints = []
        for (let c = from; c < from + 16384 && c <= last; c++) codePoints.push(c)
        const seen = {}
        for (const [name, texts] of Object.entries(PROBES)) seen[name] = await probe(codePoints, texts)
        for (const codePoint of codePoints) flags[codePoint] = flagsOf(codePoint, seen)
      }
    }
  } finally {
    await call('DELETE', `/${INDEX}`)
  }
  return flags
}

// A rule is a non-deterministic automaton in the usual textbook form: every operator takes and returns fragments.
const edges = [] // per state: list of [class set or undefined for an empty move, target]
const state = () => edges.push([]) - 1
const link = (from, set, to) => edges[from].push([set, to])

const one = (test) => {
  const [start, end] = [state(), state()]
  link(start, test, end)
  return { start, end }
}
const seq = (...parts) => {
  for (let i = 1; i < parts.length; i++) link(parts[i - 1].end, undefined, parts[i].start)
  return { start: parts[0].start, end: parts.at(-1).end }
}
const any = (...parts) => {
  const [start, end] = [state(), state()]
  for (const part of parts) {
    link(start, undefined, part.start)
    link(part.end, undefined, end)
  }
  return { start, end }
}
const many = (part) => {
  const [start, end] = [state(), state()]
  link(start, undefined, part.start)
  link(start, undefined, end)
  link(part.end, undefined, part.start)
  link(part.end, undefined, end)
  return { start, end }
}
const some = (make) => seq(make(), many(make()))
const maybe = (part) => {
  link(part.start, undefined, part.end)
  return any(part)
}

const has = (flag) => (flags) => (flags & flag) !== 0
const tail = () => many(one(has(FLAGS.extend)))
// Variation selectors decide whether a pictograph is shown as text or as emoji, so inside an emoji they are not
// ignored.
const emojiTail = () =>
  many(one((f) => (f & FLAGS.extend) !== 0 && (f & (FLAGS.textSelector | FLAGS.emojiSelector)) === 0))
const ex = (flag) => seq(one(has(flag)), tail())
const emojiEx = (flag) => seq(one(has(flag)), emojiTail())

const joiner = () => many(ex(FLAGS.extendNumLet))
const number = () => seq(ex(FLAGS.numeric), many(seq(any(joiner(), ex(FLAGS.midNumber)), ex(FLAGS.numeric))))
const letters = () => seq(ex(FLAGS.letter), many(seq(any(joiner(), ex(FLAGS.midLetter)), ex(FLAGS.letter))))
const hebrew = () => seq(ex(FLAGS.hebrew), any(ex(FLAGS.singleQuote), seq(ex(FLAGS.doubleQuote), ex(FLAGS.hebrew))))
const wordPart = () =>
  any(
    seq(ex(FLAGS.katakana), many(seq(joiner(), ex(FLAGS.katakana)))),
    some(() => any(hebrew(), number(), letters())),
  )
const pictograph = () =>
  any(
    seq(many(one(has(FLAGS.zwj))), emojiEx(FLAGS.emoji), maybe(one(has(FLAGS.emojiSelector)))),
    seq(maybe(seq(many(one(has(FLAGS.zwj))), emojiEx(FLAGS.modifierBase))), emojiEx(FLAGS.modifier)),
  )

/** In order of preference: the first of two rules that match the same length determines the type. */
const RULES = [
  [
    '<EMOJI>',
    any(
      seq(
        pictograph(),
        any(
          many(seq(one(has(FLAGS.zwj)), pictograph())),
          seq(
            some(() => one(has(FLAGS.tagSpec))),
            one(has(FLAGS.tagEnd)),
          ),
        ),
      ),
      seq(emojiEx(FLAGS.keycapBase), maybe(one(has(FLAGS.emojiSelector))), emojiEx(FLAGS.keycap)),
      seq(ex(FLAGS.regional), ex(FLAGS.regional)),
    ),
  ],
  ['<NUM>', seq(joiner(), number(), joiner())],
  ['<HANGUL>', some(() => ex(FLAGS.hangul))],
  ['<KATAKANA>', some(() => ex(FLAGS.katakana))],
  [
    '<ALPHANUM>',
    seq(
      joiner(),
      wordPart(),
      many(
        seq(
          some(() => ex(FLAGS.extendNumLet)),
          wordPart(),
        ),
      ),
      joiner(),
    ),
  ],
  ['<SOUTHEAST_ASIAN>', some(() => ex(FLAGS.southeast))],
  ['<IDEOGRAPHIC>', ex(FLAGS.han)],
  ['<HIRAGANA>', ex(FLAGS.hiragana)],
]

/**
 * Subset construction, followed by merging equal states until nothing changes. State 0 is dead, state 1 is the start.
 */
function automaton(classes) {
  const ends = new Map(RULES.map(([, rule], index) => [rule.end, index]))
  const closure = (states) => {
    const all = new Set(states)
    for (const s of all) for (const [set, to] of edges[s]) if (set === undefined) all.add(to)
    return [...all].sort((a, b) => a - b)
  }
  const sets = [[], closure(RULES.map(([, rule]) => rule.start))]
  const numberOf = new Map(sets.map((set, index) => [set.join(), index]))
  const rows = []
  for (let s = 0; s < sets.length; s++) {
    rows.push(
      classes.map((flags) => {
        const targets = new Set()
        for (const from of sets[s]) for (const [set, to] of edges[from]) if (set?.(flags)) targets.add(to)
        const next = closure(targets)
        const key = next.join()
        if (!numberOf.has(key)) numberOf.set(key, sets.push(next) - 1)
        return numberOf.get(key)
      }),
    )
  }
  const accepts = sets.map((set) => Math.min(...set.map((s) => ends.get(s) ?? Infinity), Infinity))
  let block = accepts.map((accept, s) => (s === 0 ? 'dead' : s === 1 ? 'start' : String(accept)))
  for (;;) {
    const names = new Map()
    const next = block.map((own, s) => {
      const key = `${own}:${rows[s].map((to) => block[to]).join()}`
      if (!names.has(key)) names.set(key, names.size)
      return names.get(key)
    })
    const done = new Set(next).size === new Set(block).size
    block = next
    if (done) break
  }
  const count = new Set(block).size
  const table = []
  const types = []
  for (let b = 0; b < count; b++) {
    const s = block.indexOf(b)
    table.push(rows[s].map((to) => block[to]))
    types.push(accepts[s] === Infinity ? 0 : accepts[s] + 1)
  }
  return { table, types }
}

const flags = await classify()
const ids = new Map([[0, 0]])
const runs = [] // run-length encoding: number of code points, class
for (let c = 0; c < flags.length; c++) {
  if (!ids.has(flags[c])) ids.set(flags[c], ids.size)
  const id = ids.get(flags[c])
  if (runs.length > 0 && runs.at(-1)[1] === id) runs.at(-1)[0]++
  else runs.push([1, id])
}
const { table, types } = automaton([...ids.keys()])
if (table.length > 255) throw new Error(`${table.length} states do not fit a byte`)

const lines = (numbers) => {
  const out = []
  for (let i = 0; i < numbers.length; i += 40) out.push(`  ${numbers.slice(i, i + 40).join(',')},`)
  return out.join('\n')
}
writeFileSync(
  new URL('../src/engine/analysis/tokenizers/word-breaks.generated.ts', import.meta.url),
  `// Written by scripts/generate-word-breaks.mjs. Do not edit.

export const CLASS_COUNT = ${ids.size}

/** Pairs (number of code points, class), from code point 0 on. */
export const CLASS_RUNS: readonly number[] = [
${lines(runs.flat())}
]

/** Next state by [state * CLASS_COUNT + class]; 0 is dead, 1 the start. */
export const TRANSITIONS: readonly number[] = [
${lines(table.flat())}
]

/** Type of the token that ends in a state: 0 for none, else 1 + index into TOKEN_TYPES. */
export const ACCEPTS: readonly number[] = [
${lines(types)}
]

export const TOKEN_TYPES: readonly string[] = [
${RULES.map(([type]) => `  '${type}',`).join('\n')}
]
`,
)
console.log(`${ids.size} classes, ${runs.length} runs, ${table.length} states`)
