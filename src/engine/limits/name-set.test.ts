import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameSet } from './name-set.ts'

test('names are matched whole, by shell patterns or regular expressions, and case matters', () => {
  const cases: [pattern: string, matching: string[], other: string[]][] = [
    ['a', ['a'], ['A', 'aa', '']],
    ['a*', ['a', 'ab'], ['b', 'ba']],
    ['*a', ['a', 'ba'], ['ab']],
    ['a?c', ['abc'], ['ac', 'abbc']],
    ['a*b*c', ['abc', 'axbxc'], ['ac', 'ab']],
    ['/a[0-9]+/', ['a1', 'a22'], ['a', 'xa1', 'a1x']],
    ['/~(([.]|ilm-history-).*)/', ['logs', 'a.b'], ['.kibana', 'ilm-history-1']],
  ]
  for (const [pattern, matching, other] of cases) {
    for (const name of matching) assert.ok(nameSet([pattern]).has(name), `${pattern} ${name}`)
    for (const name of other) assert.ok(!nameSet([pattern]).has(name), `${pattern} ${name}`)
  }
})

test('a pattern is covered when every name it matches is', () => {
  const covered: [string, string][] = [
    ['*', 'a*'],
    ['a*', 'a*'],
    ['a*', 'ab*'],
    ['a*', 'a?b'],
    ['a?', 'a?'],
    ['/a.*/', 'abc'],
    ['*', '/x/'],
  ]
  for (const [pattern, asked] of covered) assert.ok(nameSet([pattern]).covers(asked), `${pattern} ${asked}`)
  const uncovered: [string, string][] = [
    ['a*', '*'],
    ['ab*', 'a*'],
    ['a?', 'a*'],
    ['a', 'a*'],
    ['ab', 'a?'],
    ['/a.*/', 'a*'],
  ]
  for (const [pattern, asked] of uncovered) assert.ok(!nameSet([pattern]).covers(asked), `${pattern} ${asked}`)
})
