import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minimumShouldMatch } from './minimum-should-match.ts'

test('minimum_should_match is parsed in all its forms', () => {
  const cases: [optional: number, spec: string, needed: number][] = [
    [5, '2', 2],
    [5, '-2', 3],
    [2, '-5', 0],
    [3, '70%', 2],
    [3, '75%', 2],
    [4, '-25%', 3],
    [2, '-25%', 2],
    [3, '3<90%', 3],
    [10, '3<90%', 9],
    [2, '2<-25% 9<-3', 2],
    [9, '2<-25% 9<-3', 7],
    [12, '2<-25% 9<-3', 9],
  ]
  for (const [optional, spec, needed] of cases)
    assert.equal(minimumShouldMatch(optional, spec), needed, `${optional} ${spec}`)
})

test('a minimum_should_match that is not a number is rejected', () => {
  assert.throws(() => minimumShouldMatch(3, 'two'), { type: 'number_format_exception' })
})
