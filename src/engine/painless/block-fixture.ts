/** Documents in memory, and what scripts emit for them in a block and document by document. For tests. */
import assert from 'node:assert/strict'
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

export const DOCS = 9

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
  }
}

export const access = (): DocAccess => ({
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

export const PARAMS = { p: 3, q: 2 ** 40, r: 1.5, t: 'text' }

export const compiled = (source: string, context: ContextName) =>
  compileScript({
    source,
    context,
    fieldType: (name) => COLUMNS[name]?.type,
    paramType: (name) => (name === 'p' ? 'int' : name === 'q' ? 'long' : name === 'r' ? 'double' : undefined),
  })

export const textOfFailure = (error: unknown) =>
  error instanceof ScriptException ? JSON.stringify([error.message, error.details, String(error.cause)]) : String(error)

export const docNumbers = Int32Array.from({ length: DOCS }, (_, i) => i)

/** What each document emits, or its failure, with the script run for one document at a time. */
export function emittedOneByOne(source: string, context: ContextName): string[] {
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

export function emittedInBlocks(source: string, context: ContextName): string[] {
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
  return Array.from(docNumbers, (doc) => {
    const slots = Array.from({ length: into.kept }, (_, i) => i).filter((i) => into.docArray[i] === doc)
    const values = slots.map((i) => (terms === undefined ? into.valueArray[i] : terms[Number(into.valueArray[i])]))
    return failures.get(doc) ?? sortedText(values)
  })
}
