/** Scripts run for a block of documents give the same results as scripts run document by document. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCollector } from '../runtime-fields/value-collector.ts'
import {
  type ContextName,
  compileScript,
  type DocAccess,
  type DocValuesReader,
  type DocValuesType,
  type EmitSink,
  ScriptException,
} from './index.ts'

type Column = readonly (readonly (number | bigint | string)[])[]

const DOCS = 9

const COLUMNS: Record<string, { type: DocValuesType; values: Column }> = {
  whole: { type: 'long', values: [[0], [1], [-1], [7], [-8], [1000], [123456789], [-99], [3]] },
  big: { type: 'long', values: [[2n ** 62n], [5], [-(2n ** 60n)], [1], [0], [9], [2n ** 53n + 1n], [-1], [3]] },
  small: { type: 'integer', values: [[2147483647], [-2147483648], [1], [], [2, 3], [0], [5], [6], [7]] },
  part: { type: 'double', values: [[0.5], [-0], [], [1e300], [2.25, 3], [7], [-1.5], [0], [1e-9]] },
  flag: { type: 'boolean', values: [[1], [0], [], [1], [0], [1], [0, 1], [1], [0]] },
  time: {
    type: 'date',
    values: [[0], [-1], [1700000000123], [951782400000], [], [4102444800000], [-86400001], [1582934400000], [86399999]],
  },
  full: { type: 'double', values: [[0.25], [-0], [1e9], [-3], [2], [0], [Number.POSITIVE_INFINITY], [1e-3], [5]] },
  name: { type: 'keyword', values: [['a'], ['b'], ['a'], [''], ['Zürich'], ['b'], ['b'], ['a'], ['x y']] },
  day: {
    type: 'date',
    values: [[0], [-1], [1700000000123], [951782400000], [5], [4102444800000], [-86400001], [7], [9]],
  },
  word: { type: 'keyword', values: [['a'], ['b', 'c'], [], ['a'], ['Zürich'], [''], ['b'], ['a'], ['x y']] },
}

function readerOf({ type, values }: { type: DocValuesType; values: Column }): DocValuesReader {
  let own: readonly (number | bigint | string)[] = []
  const offsetsOf = (docs: Int32Array, count: number, offsets: Int32Array) => {
    offsets[0] = 0
    for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i]! + values[docs[i]!]!.length
    return offsets[count]!
  }
  const all = values.flat()
  const terms = [...new Set(all.map(String))].sort()
  const isExact = all.every((value) => typeof value === 'string' || Number.isSafeInteger(Number(value)))
  const numbers = all.filter((value) => typeof value !== 'string').map(Number)
  const base: DocValuesReader = {
    type,
    canReadBlocks: true,
    isDense: values.every(({ length }) => length === 1),
    range: isExact ? { min: Math.min(...numbers), max: Math.max(...numbers) } : undefined,
    advance: (doc) => (own = values[doc]!).length,
    longAt: (i) => BigInt(own[i]!),
    doubleAt: (i) => Number(own[i]),
    longitudeAt: () => 0,
    stringAt: (i) => String(own[i]),
    bytesAt: () => new Uint8Array(0),
  }
  if (type === 'keyword') {
    return {
      ...base,
      readOrdinals(docs, count, into) {
        const found = offsetsOf(docs, count, into.offsets)
        into.ordinals = Int32Array.from(
          Array.from(docs.subarray(0, count)).flatMap((doc) => values[doc]!.map((text) => terms.indexOf(String(text)))),
        )
        assert.equal(into.ordinals.length, found)
      },
      textOf: (ordinal) => terms[ordinal]!,
    }
  }
  return {
    ...base,
    readBlock(docs, count, into) {
      offsetsOf(docs, count, into.offsets)
      into.values = Float64Array.from(Array.from(docs.subarray(0, count)).flatMap((doc) => values[doc]!.map(Number)))
      return isExact
    },
    readRange: (from, count) =>
      base.isDense && isExact
        ? Float64Array.from(values.slice(from, from + count), ([value]) => Number(value))
        : undefined,
  }
}

const access = (): DocAccess => ({
  isMapped: (name) => Object.hasOwn(COLUMNS, name),
  reader: (name) => readerOf(COLUMNS[name]!),
  fieldReader: (name) => readerOf(COLUMNS[name]!),
})

const TYPES: Partial<Record<ContextName, string>> = {
  long_field: 'long',
  double_field: 'double',
  date_field: 'date',
  boolean_field: 'boolean',
  keyword_field: 'keyword',
}

const PARAMS = { p: 3, q: 2 ** 40, r: 1.5, t: 'text' }

const compiled = (source: string, context: ContextName) =>
  compileScript({
    source,
    context,
    fieldType: (name) => COLUMNS[name]?.type,
    paramType: (name) => (name === 'p' ? 'int' : name === 'q' ? 'long' : name === 'r' ? 'double' : undefined),
  })

const textOfFailure = (error: unknown) =>
  error instanceof ScriptException ? JSON.stringify([error.message, error.details, String(error.cause)]) : String(error)

const docNumbers = Int32Array.from({ length: DOCS }, (_, i) => i)

/** What each document emits, or its failure, with the script run for one document at a time. */
function emittedOneByOne(source: string, context: ContextName): string[] {
  const values: unknown[] = []
  const push = (value: unknown) => void values.push(value)
  const emit: EmitSink = { emitLong: push, emitDouble: push, emitBoolean: push, emitString: push }
  const instance = compiled(source, context).newInstance({ params: PARAMS, doc: access(), emit })
  return Array.from(docNumbers, (doc) => {
    values.length = 0
    try {
      instance.execute(doc)
    } catch (error) {
      return textOfFailure(error)
    }
    return sortedText(values.map((value) => (typeof value === 'boolean' ? Number(value) : value)))
  })
}

/** As in typed arrays, -0 is before 0. */
const sign = (value: unknown) => (Object.is(value, -0) ? 0 : 1)

function sortedText(values: unknown[]): string {
  if (values.every((value) => typeof value === 'string')) return values.toSorted().join()
  return values
    .toSorted((a, b) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : Number(a) - Number(b) || sign(a) - sign(b)))
    .map((value) => (Object.is(value, -0) ? '-0' : String(value)))
    .join()
}

function emittedInBlocks(source: string, context: ContextName): string[] {
  const into = newCollector(TYPES[context]!, 'f')
  const unused = () => assert.fail('the script emits by a call')
  const instance = compiled(source, context).newInstance({
    params: PARAMS,
    doc: access(),
    emitBlock: into,
    emit: { emitLong: unused, emitDouble: unused, emitBoolean: unused, emitString: unused },
  })
  const failures = new Map<number, string>()
  for (let from = 0; from < DOCS; ) {
    const done = instance.executeBlock(docNumbers.subarray(from), DOCS - from)
    from += done
    if (from < DOCS) failures.set(from++, textOfFailure(instance.failure))
  }
  const terms = 'terms' in into ? into.terms : undefined
  const documents = into.docsOfValues
  return Array.from(docNumbers, (doc) => {
    const slots = Array.from({ length: into.kept }, (_, i) => i).filter((i) => documents[i] === doc)
    const values = slots.map((i) => (terms === undefined ? into.valueArray[i] : terms[Number(into.valueArray[i])]))
    return failures.get(doc) ?? sortedText(values)
  })
}

const EMITTING: Partial<Record<ContextName, readonly string[]>> = {
  long_field: [
    "emit(doc['whole'].value)",
    "emit(doc['whole'].value * 3 + params.p)",
    "emit(doc['whole'].value * doc['whole'].value - 1)",
    "emit(doc['whole'].value * params.q)",
    "emit(doc['whole'].value / 7 % 5)",
    "emit(-doc['whole'].value * 0)",
    "long x = doc['whole'].value; emit(x * 0 + x * 0)",
    "emit(doc['whole'].value - doc['whole'].value * 0L)",
    "int x = 3; emit(doc['day'].value.getHour() + params.p - x)",
    "emit(2147483647 + doc['day'].value.getHour())",
    "emit(doc['day'].value.millis - params.p)",
    "emit(doc['whole'].value / (doc['whole'].value - 1))",
    "emit(doc['big'].value * 31 + 7)",
    "emit(doc['big'].value >>> 3)",
    "emit(doc['small'].value + 1)",
    "emit(doc['small'].value * doc['small'].value * doc['small'].value)",
    "int x = (int) doc['small'].value; emit(x * x)",
    "long x = doc['whole'].value; for (int i = 0; i < 3; i++) { x = x * 3 + i; emit(x) }",
    "if (doc['small'].size() > 1) { return; } emit(doc['small'].size())",
    "emit(doc['time'].value.getHour() + params.p)",
    "emit(doc['time'].value.toInstant().toEpochMilli() / 1000)",
    "emit(doc['time'].value.millis)",
    "emit(doc['time'].value.toEpochSecond())",
    "def d = doc['time'].value; emit(d.getYear())",
    "emit(doc['time'].value.year * 10000 + doc['time'].value.monthValue * 100 + doc['time'].value.dayOfMonth)",
    "emit(doc['time'].value.getDayOfYear()); emit(doc['time'].value.minute); emit(doc['time'].value.getSecond())",
    "emit(doc['time'].value.getNano()); emit(doc['time'].value.getMinuteOfDay()); emit(doc['time'].value.millisOfSecond)",
    "emit(doc['time'].value.dayOfWeekEnum.value); emit(doc['time'].value.month.value)",
    "emit(doc['flag'].value ? doc['whole'].value : 5L)",
    'for (int i = 0; i < 101; i++) { emit(i) }',
    'emit(params.p * 1000000000)',
    "emit(doc['whole'].value > 3 ? 1 : doc['small'].value >= params.p ? 2 : 3)",
    "try { emit(10 / doc['whole'].value) } catch (ArithmeticException e) { emit(-1) }",
  ],
  double_field: [
    "emit(doc['full'].value * params.r)",
    "emit(doc['full'].size() + doc['full'].value)",
    "double x = doc['full'].value; emit(Math.log(x) - x / 2)",
    "emit(1 / doc['full'].value - params.r)",
    "emit(-doc['full'].value)",
    "if (doc['full'].size() == 0) { emit(0) } else if (doc['whole'].value >= 5) { emit(doc['full'].value * 10) } else { double x = doc['full'].value; emit(Math.sqrt(x) + params.p) }",
    "emit(doc['full'].value > doc['whole'].value ? 1.5 : -doc['full'].value)",
    "emit(doc['full'].empty || doc['whole'].value != 7 && !(2 < doc['full'].value) ? doc['full'].value : params.r)",
    "if (Math.sqrt(doc['full'].value) == doc['full'].value) { emit(1) } else { emit(doc['whole'].value <= params.p ? 2 : 3) }",
    "emit(doc['full'].value)",
    "emit((double) (doc['whole'].value * 0))",
    "emit(1 / (doc['whole'].value * 0.0))",
    "emit(Math.abs(doc['full'].value) + Math.exp(params.r) + Math.cbrt(doc['whole'].value))",
    "emit((doc['full'].value + 1) * (doc['whole'].value - 2.5) / (params.r - doc['full'].value))",
    "emit(doc['full'].value); if (doc['flag'].size() > 0) { emit(1); emit(0) }",
    "if (doc['full'].value < 0) { return; } emit(doc['full'].value)",
    "emit(doc['part'].value * params.r)",
    "emit(doc['whole'].value * params.r)",
    "emit(doc['big'].value + 0.5)",
    "emit(doc['whole'].value / 2)",
    "emit(doc['whole'].value / 2.0)",
    "if (doc['part'].empty) { emit(0) } else { double x = doc['part'].value; emit(Math.sqrt(x)); emit(x) }",
    "emit(doc['part'].value / doc['whole'].value)",
    "emit((double) doc['whole'].value)",
    "emit((float) doc['part'].value)",
    "emit((doc['full'].size() / doc['day'].value.millis) / (doc['day'].value.getHour() * params.q))",
    "emit(1L / (doc['day'].value.getHour() - (long) doc['day'].value.getHour()))",
    "emit(doc['whole'].value / -(params.p * 0L))",
  ],
  date_field: ["emit(doc['time'].value.toInstant().toEpochMilli() + 3600000L)", "emit(doc['whole'].value)"],
  boolean_field: [
    "emit(doc['whole'].value > 5)",
    "emit(doc['flag'].value)",
    "emit(doc['big'].value == 5)",
    "emit(doc['word'].value == 'a')",
    "emit(doc['part'].value >= doc['whole'].value)",
    "emit(!doc['small'].empty && doc['small'].value < 4)",
  ],
  keyword_field: [
    "emit(doc['name'].value + params.t)",
    "emit(doc['name'].value); emit(doc['day'].value.getHour() + '')",
    "if (doc['name'].value == 'b') { emit('x') }",
    "emit(doc['word'].value)",
    "emit(doc['word'].value + '-' + doc['whole'].value + params.p)",
    "emit(doc['word'].value.toUpperCase())",
    "for (w in doc['word']) { emit(w + doc['word'].size()) }",
    "emit('' + doc['big'].value + doc['part'].value + doc['flag'].value)",
    "emit(doc['time'].value.dayOfWeekEnum.toString() + doc['time'].value.getHour())",
    "emit(doc['word'].size() == 0 ? null : params.t)",
    "String s = 'x'; s += doc['whole'].value; s += params.t; emit(s)",
    'emit(\'R.at(p)\' + "R.x")',
  ],
}

for (const [context, sources] of Object.entries(EMITTING)) {
  test(`scripts of ${context} emit the same values in a block as document by document`, () => {
    for (const source of sources) {
      const expected = emittedOneByOne(source, context as ContextName)
      const isLimit = source.includes('101')
      const found = emittedInBlocks(source, context as ContextName)
      // The sink of a single document decides about the number of values.
      if (isLimit)
        assert.ok(
          found.every((text) => text.includes('101')),
          found[0],
        )
      else assert.deepEqual(found, expected, source)
    }
  })
}

const RETURNING: Partial<Record<ContextName, readonly string[]>> = {
  score: [
    "_score + doc['whole'].value",
    "_score + doc['full'].value / params.r",
    "if (_score > 1) { return doc['full'].value } double x = doc['whole'].value; if (x < 0) { return -x } return x * 2",
    "double x = _score; return (doc['full'].value - x) * (x + 1)",
    "Math.log(2 + doc['part'].value) * params.r",
    "if (doc['flag'].value) { return 1 } return 2",
  ],
  filter: [
    "doc['whole'].value > 5 && doc['word'].size() > 0",
    "doc['time'].value.getHour() == 0",
    'params._source.n == 1',
  ],
  number_sort: ["doc['small'].value * params.r + _score", "doc['whole'].value % 3"],
}

for (const [context, sources] of Object.entries(RETURNING)) {
  test(`scripts of ${context} return the same results in a block as document by document`, () => {
    for (const source of sources) {
      const scores = Float64Array.from({ length: DOCS }, (_, i) => i / 4)
      let current = 0
      const bindings = {
        params: PARAMS,
        doc: access(),
        score: () => scores[current]!,
        source: (doc: number) => ({ n: doc }),
      }
      const single = compiled(source, context as ContextName).newInstance(bindings)
      const expected = Array.from(docNumbers, (doc) => {
        current = doc
        try {
          return Number(single.execute(doc))
        } catch (error) {
          return textOfFailure(error)
        }
      })
      const block = compiled(source, context as ContextName).newInstance(bindings)
      const results = new Float64Array(DOCS)
      const found: unknown[] = []
      for (let from = 0; from < DOCS; ) {
        const done = block.executeBlock(docNumbers.subarray(from), DOCS - from, results, scores.subarray(from))
        found.push(...results.subarray(0, done))
        from += done
        if (from < DOCS) {
          found.push(textOfFailure(block.failure))
          from++
        }
      }
      assert.deepEqual(found, expected, source)
    }
  })
}

test('a script with more calls of emit than a document may have values fails at the same document in a block', () => {
  const source = `${'emit(1);'.repeat(99)} emit(doc['whole'].value); if (doc['whole'].value == 7) { emit(2) }`
  const found = emittedInBlocks(source, 'long_field')
  const failed = found.flatMap((text, doc) => (text.includes('runtime error') ? [doc] : []))
  assert.deepEqual(failed, [3])
  assert.equal(found[0]!.split(',').length, 100)
})

/** Random scripts over the columns, of values that may be missing, several, beyond 2^53, NaN or -0. */
function randomScript(random: () => number): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const number = (depth: number): string => {
    if (depth === 0 || random() < 0.2)
      return pick([
        "doc['whole'].value", "doc['big'].value", "doc['small'].value", "doc['part'].value", "doc['full'].value",
        "doc['small'].size()", "doc['full'].size()", 'params.p', 'params.q', 'params.r', '3', '-7L', '0.5',
        "doc['day'].value.getHour()", "doc['time'].value.dayOfMonth", "doc['day'].value.millis",
      ]) // biome-ignore format: a list
    const [a, b] = [number(depth - 1), number(depth - 1)]
    // A constant divisor such as (3 - 3) would be an error of the compiler.
    const divisor = /[a-z]/.test(b) ? b : '3'
    return pick([
      `(${a} + ${b})`,
      `(${a} - ${b})`,
      `(${a} * ${b})`,
      `(${a} / ${divisor})`,
      `(${condition(0)} ? ${a} : ${b})`,
    ])
  }
  const condition = (depth: number): string =>
    depth > 0
      ? pick([`(${condition(depth - 1)} && ${condition(depth - 1)})`, `!(${condition(depth - 1)})`])
      : pick(["doc['flag'].size() == 0", "doc['name'].value == 'b'", `${number(0)} > ${number(0)}`])
  const value = () => pick([`(double) (${number(2)})`, `Math.abs((double) (${number(1)}))`])
  const statement = (depth: number): string => {
    if (depth === 0) return `emit(${value()});`
    return pick([
      `if (${condition(1)}) { ${statement(depth - 1)} } else { ${statement(depth - 1)} }`,
      `double x${depth} = ${value()}; emit(x${depth} + 1); ${statement(depth - 1)}`,
      `for (int i${depth} = 0; i${depth} < 3; i${depth}++) { ${statement(depth - 1)} }`,
      `try { ${statement(depth - 1)} } catch (ArithmeticException e) { emit(-1) }`,
      `if (${condition(0)}) { return; } ${statement(depth - 1)}`,
    ])
  }
  return statement(pick([0, 1, 2]))
}

test('random scripts emit the same values in a block as document by document', () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state / 0x80000000
  }
  for (let i = 0; i < 150; i++) {
    const source = randomScript(random)
    const expected = emittedOneByOne(source, 'double_field')
    assert.deepEqual(emittedInBlocks(source, 'double_field'), expected, `SEED=${seed}: ${source}`)
  }
})
