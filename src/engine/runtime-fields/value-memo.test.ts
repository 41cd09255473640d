/** Terms that are computed once per combination of values are those of every document computed on its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { computedDocValues } from './computed-doc-values.ts'
import type { ComputedTerms } from './computed-terms.ts'
import { DecidingColumns } from './deciding-columns.ts'
import { TermCollector } from './value-collector.ts'
import { ValueMemo } from './value-memo.ts'

const DOCS = 10_000

/** Emits the text of the combination of a document. */
function memoOf(combinations: number, emit: (combination: number, into: TermCollector, doc: number) => void) {
  const into = new TermCollector(false)
  let runs = 0
  const column = {
    count: combinations,
    addNumbers(docs: Int32Array, count: number, factor: number, numbers: Int32Array) {
      for (let i = 0; i < count; i++) numbers[i] = numbers[i]! + factor * ((docs[i]! * 7) % combinations)
    },
  }
  const evaluate = (doc: number) => {
    runs++
    emit((doc * 7) % combinations, into, doc)
  }
  const memo = new ValueMemo({ evaluate }, new DecidingColumns([column], combinations), into)
  return { memo, into, runs: () => runs }
}

const termsOf = (values: ComputedTerms) =>
  Array.from({ length: DOCS }, (_, doc) => {
    const found: string[] = []
    if (values.has(doc)) {
      for (let slot = values.start(doc); slot < values.end(doc); slot++)
        found.push(Buffer.from(values.term(values.ordinalAt(slot))).toString())
    }
    return found.join()
  })

for (const combinations of [1, 5, 300, 70_000]) {
  test(`the terms of ${combinations} combinations are computed once each, with their document counts`, () => {
    const { memo, runs } = memoOf(combinations, (c, into, doc) => into.add(doc, `t${c % 999}`))
    const values = memo.computeAll(DOCS) as ComputedTerms
    assert.equal(runs(), Math.min(combinations, DOCS))
    const expected = Array.from({ length: DOCS }, (_, doc) => `t${((doc * 7) % combinations) % 999}`)
    assert.deepEqual(termsOf(values), expected)
    const counted = values.counted()!
    for (let ordinal = 0; ordinal < values.termCount; ordinal++) {
      const text = Buffer.from(values.term(ordinal)).toString()
      assert.equal(counted.docFreq(ordinal), expected.filter((own) => own === text).length)
    }
  })
}

test('combinations that emit none or several terms, or fail, are left to the computation by blocks', () => {
  for (const odd of ['none', 'several', 'failure']) {
    const { memo, into } = memoOf(10, (c, collector, doc) => {
      if (c === 3 && odd === 'failure') throw new ApiError(400, 'script_exception', 'runtime error')
      if (c !== 3 || odd !== 'none') collector.add(doc, `t${c}`)
      if (c === 3 && odd === 'several') collector.add(doc, 'more')
    })
    assert.equal(memo.computeAll(DOCS), undefined)
    const docs = Int32Array.from({ length: DOCS }, (_, i) => i)
    for (let from = 0; from < DOCS; from++) {
      from += memo.evaluateBlock(docs.subarray(from), DOCS - from)
      if (from < DOCS) into.dropDocument()
    }
    const of = { none: '', several: 'more,t3', failure: '' }[odd]
    const expected = Array.from({ length: DOCS }, (_, doc) => ((doc * 7) % 10 === 3 ? of : `t${(doc * 7) % 10}`))
    assert.deepEqual(termsOf(computedDocValues(into, DOCS, undefined) as ComputedTerms), expected, odd)
  }
})
