import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasBit } from '../../base/bit-set.ts'
import { Arena } from '../memory/arena.ts'
import { WriteBuffer } from './buffer/write-buffer.ts'
import { AS_DOUBLES } from './doc-values/number-codec.ts'
import type { IndexSortField } from './index-sort.ts'
import { mergeSegments } from './merge/segment-merger.ts'
import { CorruptSegmentError, readDirectory, SegmentOutput } from './segment-file.ts'
import { addPlain, dump, memoryFile, NESTED_PATHS, openChunks, type PlainDocument } from './segment-fixture.ts'
import { openSegment } from './segment-reader.ts'
import { sealSegment } from './segment-writer.ts'

const context = { nestedPaths: NESTED_PATHS }
const word = fc.constantFrom('alpha', 'beta', 'gamma', 'délta', '日本', 'x')
const some = <T>(of: fc.Arbitrary<T>, max = 3) => fc.array(of, { maxLength: max })

const fields = fc.record({
  text: some(fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))),
  tag: some(word),
  label: some(word, 1),
  number: some(fc.oneof(fc.integer({ min: -500, max: 500 }), fc.double({ noNaN: true, noDefaultInfinity: true })), 2),
  long: some(fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: 0n, max: 9n })), 2),
  place: some(fc.tuple(fc.integer(), fc.integer()), 2),
  blob: some(fc.string({ maxLength: 4 }), 2),
  bare: some(fc.integer({ min: 0, max: 50 }), 1),
  inner: some(fc.record({ tag: some(word, 2), deep: fc.nat(2) }), 2),
  routing: fc.option(fc.constantFrom('r1', 'r2'), { nil: undefined }),
})
const documents = fc
  .array(fields, { minLength: 1, maxLength: 40 })
  .map((list) => list.map((doc, i) => ({ ...doc, id: `d${i}` })))
const sorts: IndexSortField[][] = [
  [],
  [{ field: 'tag', descending: false, missingFirst: false, mode: 'min' }],
  [
    { field: 'number', descending: true, missingFirst: true, mode: 'max' },
    { field: 'long', descending: false, missingFirst: false, mode: 'min' },
  ],
]

function build(docs: readonly PlainDocument[], indexSort: readonly IndexSortField[], firstSeqNo = 0) {
  const buffer = new WriteBuffer({ indexSort })
  for (const [i, doc] of docs.entries()) addPlain(buffer, doc, firstSeqNo + i)
  return buffer
}

test('a segment returns every buffered value, term and position', () => {
  const docs: PlainDocument[] = [
    { id: 'a', text: ['one two one', 'two'], tag: ['x', 'y', 'x'], number: [3, 1], long: [2n ** 60n], bare: [7] },
    {
      id: 'b',
      text: ['two'],
      label: ['l'],
      place: [[5, -6]],
      blob: ['bytes'],
      inner: [{ tag: ['i'], deep: 1 }],
      routing: 'r',
    },
  ]
  const reader = openChunks(sealSegment(build(docs, []), context).chunks)
  assert.equal(reader.docCount, 4)
  assert.equal(reader.rootCount, 2)
  assert.equal(reader.findId(Buffer.from('b')), 3)
  assert.equal(reader.findId(Buffer.from('c')), -1)
  const text = reader.terms('text')!
  const two = text.postings(text.find(Buffer.from('two')), true)
  assert.ok(two.nextBlock())
  assert.deepEqual([...two.docs], [0, 3])
  assert.equal(two.readPositions(0), 2)
  assert.deepEqual([...two.positions.subarray(0, 2)], [1, 103])
  assert.deepEqual((dump(reader) as { docs: { allDocValues: unknown }[] }).docs[0]!.allDocValues, {
    tag: ['x', 'y'],
    label: [],
    inner: [],
    number: [1, 3],
    long: [2n ** 60n],
    place: [],
    blob: [],
  })
  assert.equal(reader.nested!.parentOf(1), 2)
  assert.equal(reader.nested!.parentOf(2), 3)
  assert.equal(reader.id(1), 'b')
  assert.equal(reader.routing(3), 'r')
})

test('merging segments equals writing one buffer with the same documents', () => {
  fc.assert(
    fc.property(
      documents,
      fc.nat(),
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.constantFrom(...sorts),
      (docs, cut, dead, sort) => {
        const at = cut % (docs.length + 1)
        const parts = [docs.slice(0, at), docs.slice(at)]
        const deadIds = new Set(dead.map((i) => docs[i % docs.length]!.id))
        const inputs = parts.map((part, i) => {
          const buffer = build(part, sort, i === 0 ? 0 : at)
          for (let root = 0; root < buffer.rootCount; root++) {
            if (deadIds.has(part[root]!.id)) buffer.delete(buffer.roots.array[root]!)
          }
          const sealed = sealSegment(buffer, context)
          return { reader: openChunks(sealed.chunks), kept: sealed.live }
        })
        const merged = mergeSegments(inputs, { ...context, indexSort: sort })

        const buffer = new WriteBuffer({ indexSort: sort })
        docs.forEach((doc, i) => {
          if (!deadIds.has(doc.id)) addPlain(buffer, doc, i)
        })
        const rebuilt = sealSegment(buffer, context)
        assert.deepEqual(comparable(openChunks(merged.chunks)), comparable(openChunks(rebuilt.chunks)))
        inputs.forEach(({ reader, kept }, i) => {
          for (let doc = 0; doc < reader.docCount; doc++) {
            assert.equal(merged.docMaps[i]![doc]! >= 0, kept === undefined || hasBit(kept, doc))
          }
        })
      },
    ),
    { numRuns: 150 },
  )
})

/**
 * A rewritten segment does not contain a field whose documents were all deleted; a merged one may have it without
 * terms.
 */
function comparable(reader: ReturnType<typeof openChunks>): unknown {
  const all = dump(reader) as { docs: unknown[]; terms: { name: string; list: unknown[] }[]; ordered: unknown }
  const terms = all.terms.filter((field) => field.list.length > 0).sort((a, b) => (a.name < b.name ? -1 : 1))
  return { ...all, terms }
}

test('long postings are read back in blocks, and a skip lands on the block that contains the target', () => {
  const buffer = new WriteBuffer()
  const expected: number[] = []
  for (let i = 0; i < 3000; i++) {
    const has = (i * 7919) % 11 < 5
    if (has) expected.push(i)
    addPlain(buffer, { id: `d${i}`, text: [has ? 'needle '.repeat(1 + (i % 4)) : 'hay'] }, i)
  }
  const reader = openChunks(sealSegment(buffer, context).chunks)
  const terms = reader.terms('text')!
  const ordinal = terms.find(Buffer.from('needle'))
  const seen: number[] = []
  const all = terms.postings(ordinal, true)
  while (all.nextBlock()) {
    for (let i = 0; i < all.count; i++) {
      seen.push(all.docs[i]!)
      assert.equal(all.freqs[i], 1 + (all.docs[i]! % 4))
      const count = all.readPositions(i)
      assert.deepEqual([...all.positions.subarray(0, count)], [0, 1, 2, 3].slice(0, count))
    }
  }
  assert.deepEqual(seen, expected)
  for (const target of [0, 5, 777, 1500, 2990, 2999, 3000]) {
    const postings = terms.postings(ordinal, true)
    const next = expected.find((doc) => doc >= target)
    assert.equal(postings.advanceBlock(target), next !== undefined)
    if (next === undefined) continue
    const found = [...postings.docs.subarray(0, postings.count)].findIndex((doc) => doc >= target)
    assert.equal(postings.docs[found], next)
    assert.equal(postings.readPositions(found), 1 + (next % 4))
  }
})

// Goal: documents that share a term are found by lists, wherever block boundaries are, and other access continues from
// there. Method: lists with different gaps from start to end, each in several parts, with `advanceBlock` in between.
test('keepShared keeps the documents of a list that have the term', () => {
  const buffer = new WriteBuffer()
  const has = (doc: number) => (doc * 7919) % 11 < 5
  for (let i = 0; i < 3000; i++) {
    addPlain(buffer, { id: `d${i}`, text: [has(i) ? 'needle '.repeat(1 + (i % 4)) : 'hay'] }, i)
  }
  const terms = openChunks(sealSegment(buffer, context).chunks).terms('text')!
  for (const gap of [1, 2, 7, 150, 900]) {
    const postings = terms.postings(terms.find(Buffer.from('needle')), false)
    const freqs = new Int32Array(700)
    for (let from = 0; from < 3000; from += 700) {
      const asked = Array.from({ length: 700 }, (_, i) => from + i).filter((doc) => doc % gap === 0)
      const docs = Int32Array.from(asked)
      const kept = postings.keepShared(docs, docs.length, docs, freqs)
      const expected = asked.filter((doc) => doc < 3000 && has(doc))
      assert.deepEqual([...docs.subarray(0, kept)], expected)
      assert.deepEqual(
        [...freqs.subarray(0, kept)],
        expected.map((doc) => 1 + (doc % 4)),
      )
      if (from + 705 >= 2990) continue
      assert.ok(postings.advanceBlock(from + 705))
      assert.ok(postings.docs[0]! <= from + 711 && postings.blockLastDoc >= from + 705)
    }
  }
})

test('a flipped bit anywhere in the file is detected', () => {
  const docs = Array.from({ length: 20 }, (_, i) => ({
    id: `d${i}`,
    text: ['some words here'],
    tag: ['t'],
    number: [i],
  }))
  const { chunks } = sealSegment(build(docs, []), context)
  const whole = dump(openChunks(chunks))
  const { bytes } = memoryFile('good', chunks)
  for (let at = 0; at < bytes.length; at += 3) {
    const damaged = Buffer.from(bytes)
    damaged[at]! ^= 0x10
    let seen: unknown
    try {
      seen = dump(openSegment(memoryFile('bad', [damaged]), Arena.create(16 << 20)))
    } catch (error) {
      assert.ok(error instanceof CorruptSegmentError, String(error))
      continue
    }
    // The header and the padding between sections contain no data.
    assert.deepEqual(seen, whole)
  }
})

test('evicted sections are loaded again, and a pinned segment is not evicted', () => {
  const docs = Array.from({ length: 20 }, (_, i) => ({ id: `d${i}`, tag: [`t${i % 3}`] }))
  const arena = Arena.create(16 << 20)
  const reader = openSegment(memoryFile('s', sealSegment(build(docs, []), context).chunks), arena)
  reader.pin()
  const before = dump(reader)
  assert.equal(reader.loader.evict(), false)
  reader.unpin()
  const used = arena.usedBytes
  assert.equal(reader.loader.evict(), true)
  assert.ok(arena.usedBytes < used)
  reader.pin()
  assert.deepEqual(dump(reader), before)
  reader.unpin()
})

test('unpinned segments are evicted when the memory budget is exhausted', () => {
  const arena = Arena.create(4 << 20)
  const docs = Array.from({ length: 3000 }, (_, i) => ({ id: `d${i}`, tag: [`tag-${i}`], number: [i * 1.5] }))
  const { chunks } = sealSegment(build(docs, []), context)
  const readers = Array.from({ length: 60 }, (_, i) => openSegment(memoryFile(`s${i}`, chunks), arena))
  for (const round of [0, 1]) {
    for (const reader of readers) {
      reader.pin()
      assert.equal(reader.numericDocValues('number')!.valueAt(7), 10.5, `round ${round}, ${reader.name}`)
      assert.ok(reader.terms('tag')!.find(Buffer.from('tag-2999')) >= 0)
      assert.equal(reader.findId(Buffer.from('d42')), 42)
      reader.unpin()
    }
  }
  for (const reader of readers) reader.loader.free()
  assert.equal(arena.usedBytes, 0)
})

test('a directory that is sound but describes what cannot be is damage', () => {
  const identity = { seqNo: AS_DOUBLES, version: AS_DOUBLES, primaryTerm: AS_DOUBLES, routed: 0 }
  const directory = {
    docCount: 3,
    rootCount: 2,
    fields: {},
    nestedPaths: [],
    stored: undefined,
    identity,
    minSeqNo: 4,
    maxSeqNo: 6,
  }
  const read = (change: Partial<typeof directory>, sections = ['a', 'b']) => {
    const out = new SegmentOutput()
    for (const name of sections) out.section(name, Buffer.from(name))
    return readDirectory(memoryFile('test', out.finish({ ...directory, ...change }).chunks))
  }
  assert.equal(read({}).docCount, 3)
  assert.equal(read({ docCount: 0, rootCount: 0, minSeqNo: -1, maxSeqNo: -1 }, []).docCount, 0)
  for (const change of [{ rootCount: 4 }, { rootCount: -1 }, { minSeqNo: 7 }, { docCount: Number.NaN }]) {
    assert.throws(() => read(change), CorruptSegmentError, JSON.stringify(change))
  }
})
