import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyzeScript } from '../analysis/analyzer.ts'
import type { ContextName } from '../contexts/context.ts'
import { parseScript } from '../parser/parser.ts'
import { generateBlockScript } from './generator.ts'

function planOf(source: string, context: ContextName = 'double_field') {
  const ir = analyzeScript(parseScript(source), context, { enabled: 'limited', limitFactor: 6 })
  const { plan } = generateBlockScript(ir, context, {
    field: (name) => (name === 'whole' || name === 'huge' ? 'long' : name === 'day' ? 'date' : 'double'),
    param: (name) => (name === 'r' ? 'double' : 'int'),
    bits: (name) => (name === 'huge' ? 60 : 16),
    dense: (name) => name !== 'sparse',
  })
  return plan
}

test('an arithmetic expression of columns and parameters becomes operations on blocks', () => {
  assert.deepEqual(planOf("emit(doc['a'].value * params.r)"), {
    op: '*',
    left: { op: 'column', column: 0 },
    right: { op: 'param', param: 0 },
  })
  assert.deepEqual(planOf("double x = doc['a'].value; return _score + x / 2", 'score'), {
    op: '+',
    left: { op: 'score' },
    right: { op: '/', left: { op: 'column', column: 0 }, right: { op: 'constant', value: 2 } },
  })
})

test('a script of an aggregation that returns a number becomes operations on blocks, and one that returns a text does not', () => {
  assert.deepEqual(planOf("doc['a'].value * params.r", 'aggs'), {
    op: '*',
    left: { op: 'column', column: 0 },
    right: { op: 'param', param: 0 },
  })
  assert.equal(planOf("doc['a'].value + 'x'", 'aggs'), undefined)
})

test('whole numbers become operations on blocks if they stay exact as doubles, with 0 instead of -0 as the result', () => {
  assert.deepEqual(planOf("emit(doc['whole'].value * 3)", 'long_field'), {
    op: '+',
    left: { op: '*', left: { op: 'column', column: 0 }, right: { op: 'constant', value: 3 } },
    right: { op: 'constant', value: 0 },
  })
  assert.equal(planOf("emit(doc['huge'].value * 3)", 'long_field'), undefined)
  assert.equal(planOf("emit(doc['whole'].value / 3)", 'long_field'), undefined)
  assert.notEqual(planOf("emit(doc['day'].value.getHour() + params.p)", 'long_field'), undefined)
})

test('a condition selects between values that are both computed', () => {
  assert.deepEqual(planOf("if (doc['a'].size() > 0 && doc['a'].value < 2) { emit(1) } else { emit(doc['a'].value) }"), {
    op: '?',
    condition: {
      op: '*',
      left: { op: '>', left: { op: 'constant', value: 1 }, right: { op: 'constant', value: 0 } },
      right: { op: '<', left: { op: 'column', column: 0 }, right: { op: 'constant', value: 2 } },
    },
    left: { op: 'constant', value: 1 },
    right: { op: 'column', column: 0 },
  })
  assert.notEqual(planOf("if (doc['a'].value > 1) { return 1 } return doc['a'].value", 'score'), undefined)
  assert.equal(planOf("if (doc['a'].value > 1) { emit(1) }"), undefined)
  assert.equal(planOf("if (doc['sparse'].size() > 0) { emit(1) } else { emit(doc['a'].value) }"), undefined)
})

test('scripts that may fail, assign or have many operations keep their generated code', () => {
  for (const source of [
    "emit(doc['sparse'].value * 2)",
    "if (doc['a'].value > 1) { emit(1); return } emit(2)",
    "double x = doc['a'].value; x += 1; emit(x)",
    "double x = doc['a'].value; emit(x++)",
    "emit(doc['a'].value); emit(1)",
    "emit((float) doc['a'].value)",
    'emit(params.r)',
    `emit(doc['a'].value${' + 1.5'.repeat(40)})`,
  ]) {
    assert.equal(planOf(source), undefined, source)
  }
})
