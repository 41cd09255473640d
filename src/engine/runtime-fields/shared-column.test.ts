import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage } from '../../base/memory/collect-garbage.ts'
import { inSearch } from '../running/running-search.ts'
import { columnArray } from './column-memory.ts'
import { type ComputedDocValues, computedDocValues } from './computed-doc-values.ts'
import { ComputedNumbers } from './computed-numbers.ts'
import type { ComputedPoints } from './computed-points.ts'
import type { ComputedTerms } from './computed-terms.ts'
import { shareColumn, sharedDocValues } from './shared-column.ts'
import { type NumberCollector, newCollector, type PointCollector, type TermCollector } from './value-collector.ts'

const DOCS = 1_000

/** What another thread gets. */
const received = <T extends ComputedDocValues>(values: T) => sharedDocValues(structuredClone(shareColumn(values)!)) as T

function collected(type: string, add: (collector: never, doc: number) => void): ComputedDocValues {
  const collector = newCollector(type, 'f')
  for (let doc = 0; doc < DOCS; doc++) {
    add(collector as never, doc)
    collector.endDocument()
  }
  return computedDocValues(collector, DOCS, undefined)
}

test('numbers in another thread have the same values, bounds and order', () => {
  const add = (collector: NumberCollector, doc: number) => collector.add(doc, (doc * 7919) % 1_003)
  const values = collected('double', add) as ComputedNumbers
  const index = inSearch({}, () => values.ordered())!
  const other = received(values)
  assert.deepEqual([other.min, other.max], [values.min, values.max])
  assert.deepEqual(other.ranges, values.ranges)
  const order = other.ordered()!
  for (let i = 0; i < DOCS; i++) {
    assert.equal(other.valueAt(i), values.valueAt(i))
    assert.equal(order.docAt(i), index.docAt(i))
    assert.equal(order.valueAt(i), index.valueAt(i))
  }
})

test('numbers that were not sorted stay so in a thread that only reads them', () => {
  const other = received(collected('long', (collector: NumberCollector, doc) => collector.add(doc, doc)))
  assert.ok(other instanceof ComputedNumbers)
  assert.equal(
    inSearch({}, () => other.ordered()),
    undefined,
  )
})

test('terms in another thread have the same ordinals and documents', () => {
  const values = collected('keyword', (collector: TermCollector, doc) => {
    if (doc % 10 > 0) collector.add(doc, `t${doc % 4}`)
  }) as ComputedTerms
  const documentsOf = (terms: ComputedTerms, ordinal: number) => {
    const postings = terms.counted()!.postings(ordinal, false)
    const docs: number[] = []
    while (postings.nextBlock()) docs.push(...postings.docs.subarray(0, postings.count))
    return docs
  }
  const unread = received(values)
  const expected = [0, 1, 2, 3].map((ordinal) => documentsOf(values, ordinal))
  for (const other of [unread, received(values)]) {
    assert.equal(other.termCount, 4)
    assert.equal(other.counted()!.docFreq(1), expected[1]!.length)
    assert.deepEqual(
      [0, 1, 2, 3].map((ordinal) => documentsOf(other, ordinal)),
      expected,
    )
    assert.equal(Buffer.from(other.term(2)).toString(), 't2')
  }
})

test('points in another thread have the same coordinates', () => {
  const values = collected('geo_point', (collector: PointCollector, doc) => collector.add(doc, doc / 20, doc / 10))
  const other = received(values as ComputedPoints)
  assert.equal(other.latitudeAt(77), (values as ComputedPoints).latitudeAt(77))
  assert.equal(other.longitudeAt(77), (values as ComputedPoints).longitudeAt(77))
})

test('doc values with failed documents are not shared', () => {
  const collector = newCollector('double', 'f')
  const fail = (): never => assert.fail()
  const values = computedDocValues(collector, 1, { docs: Uint32Array.of(1), roots: undefined, fail })
  assert.equal(shareColumn(values), undefined)
})

test('the memory of doc values that another thread reads is not used for the next ones', async () => {
  const length = 100_000
  const share = () => {
    const collector = newCollector('keyword', 'f', length) as TermCollector
    for (let doc = 0; doc < length; doc++) {
      collector.add(doc, `t${doc % 3}`)
      collector.endDocument()
    }
    return structuredClone(shareColumn(computedDocValues(collector, length, undefined))!)
  }
  const other = sharedDocValues(share()) as ComputedTerms
  for (let i = 0; i < 5; i++) {
    collectGarbage()
    await sleep(5)
    columnArray(Uint8Array, length).fill(77)
  }
  assert.deepEqual([other.ordinalAt(0), other.ordinalAt(1), other.ordinalAt(2)], [0, 1, 2])
})
