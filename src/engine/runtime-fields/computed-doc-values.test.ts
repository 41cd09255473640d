import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSearch } from '../running/running-search.ts'
import { noteScriptRun } from '../scripts/script-use.ts'
import { newOrdinalBlock, newValueBlock } from '../segment/doc-values/doc-values-block.ts'
import { RANGE_BLOCK_DOCS } from '../segment/doc-values/doc-values-ranges.ts'
import { computedDocValues } from './computed-doc-values.ts'
import type { ComputedNumbers } from './computed-numbers.ts'
import type { ComputedTerms } from './computed-terms.ts'
import { type LongCollector, type NumberCollector, newCollector, type TermCollector } from './value-collector.ts'

const DOCS = RANGE_BLOCK_DOCS + 100
const allDocs = Int32Array.from({ length: DOCS }, (_, i) => i)

/** Adds the values of every document and returns what the doc values then have. */
function numbersOf(type: 'double' | 'long', valuesOf: (doc: number) => (number | bigint)[]) {
  const collector = newCollector(type, 'f') as NumberCollector & LongCollector
  for (let doc = 0; doc < DOCS; doc++) {
    for (const value of valuesOf(doc)) collector.add(doc, value as number)
    collector.endDocument()
  }
  const values = computedDocValues(collector, DOCS, undefined) as ComputedNumbers
  const block = newValueBlock(DOCS)
  values.readBlock(allDocs, DOCS, block)
  const read = (doc: number) => Array.from(block.values.subarray(block.offsets[doc]!, block.offsets[doc + 1]!))
  return { values, read }
}

for (const [shape, valuesOf] of Object.entries({
  dense: (doc: number) => [doc / 4],
  sparse: (doc: number) => (doc % 3 === 0 ? [] : [-doc]),
  multi: (doc: number) => (doc % 5 === 0 ? [doc + 0.5, -doc] : [doc]),
})) {
  test(`computed numbers have the collected values and the bounds of every block: ${shape}`, () => {
    const { values, read } = numbersOf('double', valuesOf)
    assert.equal(values.shape, shape)
    for (let doc = 0; doc < DOCS; doc++) {
      // A value of -0 is stored as 0 among whole numbers.
      assert.deepEqual(
        read(doc).map(String),
        valuesOf(doc)
          .toSorted((a, b) => a - b)
          .map(String),
      )
    }
    const first = Array.from({ length: RANGE_BLOCK_DOCS }, (_, doc) => valuesOf(doc)).flat()
    assert.equal(values.ranges?.[0], Math.min(...first) + 0)
    assert.equal(values.ranges?.[1], Math.max(...first))
    assert.equal(values.ranges?.length, 4)
  })
}

for (const [kind, type, numberOf] of [
  ['fractions', 'double', (doc) => doc / 4],
  ['whole numbers', 'long', (doc) => doc * 3 - 5],
] as const satisfies readonly [string, string, (doc: number) => number][]) {
  test(`computed ${kind} are read from a document on without a list of documents`, () => {
    const { values } = numbersOf(type, (doc) => [numberOf(doc)])
    const found = values.denseNumbers(100, 50, new Float64Array(64))!
    assert.deepEqual(
      Array.from(found.subarray(0, 50)),
      Array.from({ length: 50 }, (_, i) => numberOf(100 + i)),
    )
  })
}

test('computed numbers are not read without a list of documents if a document has no value', () => {
  const { values } = numbersOf('double', (doc) => (doc === 7 ? [] : [doc]))
  assert.equal(values.denseNumbers(0, 10, new Float64Array(64)), undefined)
})

test('computed numbers have no bounds of blocks for the first walk over them', () => {
  const { values } = numbersOf('double', (doc) => [doc])
  assert.equal(values.rangesForScan(), undefined)
  assert.deepEqual(values.rangesForScan(), values.ranges)
  assert.equal(values.max, DOCS - 1)
})

test('values that each document of a block has once are read like values with documents, also after a failed document', () => {
  const collector = newCollector('double', 'f') as NumberCollector
  const keep = (docs: readonly number[]) => {
    collector.room(collector.kept + docs.length)
    for (const [i, doc] of docs.entries()) collector.valueArray[collector.kept + i] = doc * 2
    collector.keepEach(Int32Array.from(docs), docs.length)
  }
  keep([0, 1, 2])
  keep([3, 4])
  // Document 5 has failed.
  keep([6, 7])
  collector.add(9, 18)
  collector.endDocument()
  const values = computedDocValues(collector, 10, undefined) as ComputedNumbers
  const block = newValueBlock(10)
  values.readBlock(allDocs.subarray(0, 10), 10, block)
  assert.deepEqual(Array.from(block.offsets), [0, 1, 2, 3, 4, 5, 5, 6, 7, 7, 8])
  assert.deepEqual(Array.from(block.values.subarray(0, 8)), [0, 2, 4, 6, 8, 12, 14, 18])
})

test('values of a range of documents have the bounds that came with them, and others if a document had failed before', () => {
  const known = Float64Array.of(-1, 999)
  for (const skipped of [0, 1]) {
    const collector = newCollector('double', 'f') as NumberCollector
    collector.room(RANGE_BLOCK_DOCS)
    for (let i = 0; i < RANGE_BLOCK_DOCS; i++) collector.valueArray[i] = i
    collector.keepRange(skipped, RANGE_BLOCK_DOCS, known)
    const values = computedDocValues(collector, RANGE_BLOCK_DOCS + skipped, undefined) as ComputedNumbers
    assert.deepEqual([values.min, values.max], skipped === 0 ? [-1, 999] : [0, RANGE_BLOCK_DOCS - 1])
    assert.equal(values.valueAt(values.start(RANGE_BLOCK_DOCS - 1)), RANGE_BLOCK_DOCS - 1 - skipped)
  }
})

test('computed numbers with a NaN have no bounds of blocks', () => {
  const { values } = numbersOf('double', (doc) => [doc === 7 ? Number.NaN : doc])
  assert.equal(values.ranges, undefined)
})

test('computed numbers with infinities of both signs have bounds of blocks', () => {
  const { values } = numbersOf('double', (doc) => [doc === 7 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY])
  assert.deepEqual(Array.from(values.ranges!.subarray(0, 2)), [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
})

test('computed longs beyond 2^53 stay exact', () => {
  const { values } = numbersOf('long', (doc) => [2n ** 60n + BigInt(doc)])
  assert.equal(values.exact, false)
  assert.equal(values.bigAt(values.start(5)), 2n ** 60n + 5n)
})

test('computed longs within 2^53 are numbers, even if they were collected as 64-bit integers', () => {
  const collector = newCollector('long', 'f') as LongCollector
  collector.useLongs()
  for (const [doc, value] of [-(2n ** 53n) + 1n, -1n, 0n, 2n ** 32n, 2n ** 53n - 1n].entries()) {
    collector.add(doc, value)
    collector.endDocument()
  }
  const values = computedDocValues(collector, 5, undefined) as ComputedNumbers
  assert.equal(values.exact, true)
  const found = Array.from({ length: 5 }, (_, doc) => values.valueAt(values.start(doc)))
  assert.deepEqual(found, [-(2 ** 53) + 1, -1, 0, 2 ** 32, 2 ** 53 - 1])
})

test('computed terms are sorted, and a document has each of its terms once', () => {
  const collector = newCollector('keyword', 'f') as TermCollector
  const documents = [['b'], ['c', 'a', 'c'], [], ['a']]
  for (const [doc, terms] of documents.entries()) {
    for (const term of terms) collector.add(doc, term)
    collector.endDocument()
  }
  const values = computedDocValues(collector, documents.length, undefined) as ComputedTerms
  const block = newOrdinalBlock()
  values.readBlock(Int32Array.of(0, 1, 2, 3), 4, block)
  assert.deepEqual(Array.from(block.offsets.subarray(0, 5)), [0, 1, 3, 3, 4])
  const texts = Array.from(block.ordinals.subarray(0, 4), (ordinal) => Buffer.from(values.term(ordinal)).toString())
  assert.deepEqual(texts, ['b', 'a', 'c', 'a'])
})

test('computed terms count the documents of each term and list them', () => {
  const collector = newCollector('keyword', 'f') as TermCollector
  const textsOf = (doc: number) => (doc % 4 === 0 ? [] : doc % 4 === 1 ? ['a', 'b', 'a'] : [`t${doc % 3}`])
  for (let doc = 0; doc < DOCS; doc++) {
    for (const text of textsOf(doc)) collector.add(doc, text)
    collector.endDocument()
  }
  const values = computedDocValues(collector, DOCS, undefined) as ComputedTerms
  const counted = values.counted()!
  assert.equal(counted.docCount, values.docsWithValue)
  for (let ordinal = 0; ordinal < values.termCount; ordinal++) {
    const text = Buffer.from(values.term(ordinal)).toString()
    const expected = Array.from(allDocs).filter((doc) => textsOf(doc).includes(text))
    const postings = counted.postings(ordinal, false)
    const found: number[] = []
    while (postings.nextBlock()) found.push(...postings.docs.subarray(0, postings.count))
    assert.deepEqual(found, expected)
    assert.equal(counted.docFreq(ordinal), expected.length)
  }
})

test('computed numbers have an ordered index in searches that did not compute them', () => {
  const random = (doc: number) => Math.sin(doc * 12.9898) * 10 ** (doc % 9) * (doc % 5 === 0 ? 0 : 1)
  const { values } = numbersOf('double', (doc) => [random(doc)])
  const first = inSearch({}, () => {
    noteScriptRun()
    return values.ordered()
  })
  assert.equal(first, undefined)
  const index = inSearch({}, () => values.ordered())!
  assert.equal(index.length, DOCS)
  const expected = Array.from(allDocs, random).toSorted((a, b) => a - b)
  for (let at = 0; at < DOCS; at++) {
    assert.equal(Number(index.valueAt(at)) + 0, expected[at]! + 0)
    assert.equal(random(index.docAt(at)) + 0, expected[at]! + 0)
  }
  for (const bound of [expected[0]!, 0, expected[100]!, 1e12]) {
    assert.equal(index.seek(bound, false), expected.filter((value) => value < bound).length)
    assert.equal(index.seek(bound, true), expected.filter((value) => value <= bound).length)
  }
  const sparse = numbersOf('double', (doc) => (doc % 3 === 0 ? [] : [doc])).values
  assert.equal(
    inSearch({}, () => sparse.ordered()),
    undefined,
  )
})
