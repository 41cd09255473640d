import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { MetadataState } from '../metadata/metadata-state.ts'
import { resolveDateMath } from './date-math-name.ts'
import { checkAliasName, checkNewIndexName } from './name-rules.ts'

const reasonOf = (work: () => void): string => {
  try {
    work()
    return ''
  } catch (error) {
    assert(error instanceof ApiError)
    return error.message
  }
}

test('invalid index names are rejected in the order and words of Elasticsearch', () => {
  const forbidden = `must not contain the following characters [' ','"','*',',','/','<','>','?','\\','|']`
  const cases: Record<string, string> = {
    Abc: 'must be lowercase',
    'a b': forbidden,
    'A*': forbidden,
    'a#b': "must not contain '#'",
    'a:b': "must not contain ':'",
    _a: "must not start with '_', '-', or '+'",
    '-a': "must not start with '_', '-', or '+'",
    '+a': "must not start with '_', '-', or '+'",
    '.': "must not be '.' or '..'",
    '..': "must not be '.' or '..'",
    ['ä'.repeat(128)]: 'index name is too long, (256 > 255)',
  }
  for (const [name, problem] of Object.entries(cases)) {
    assert.equal(
      reasonOf(() => checkNewIndexName(name, MetadataState.empty())),
      `Invalid index name [${name}], ${problem}`,
    )
  }
  assert.equal(
    reasonOf(() => checkNewIndexName('.a-1_b', MetadataState.empty())),
    '',
  )
})

test('an alias may have capital letters, and its error has a colon', () => {
  assert.equal(
    reasonOf(() => checkAliasName('Upper', MetadataState.empty())),
    '',
  )
  assert.equal(
    reasonOf(() => checkAliasName('_x', MetadataState.empty())),
    "Invalid alias name [_x]: must not start with '_', '-', or '+'",
  )
})

test('date math in names uses the current time, in the given zone and format', () => {
  const now = Date.UTC(2024, 2, 1, 0, 30)
  const cases: Record<string, string> = {
    plain: 'plain',
    '<logs-{now/d}>': 'logs-2024.03.01',
    '<logs-{now/d-1d}>': 'logs-2024.02.29',
    '<logs-{now/M{yyyy.MM}}-x>': 'logs-2024.03-x',
    '<logs-{now/d{yyyy.MM.dd|-01:00}}>': 'logs-2024.02.29',
    '<a\\{b\\}-{now/y{yyyy}}>': 'a{b}-2024',
  }
  for (const [expression, name] of Object.entries(cases)) assert.equal(resolveDateMath(expression, now), name)
  assert.match(
    reasonOf(() => resolveDateMath('<a-{now/d>', now)),
    /date math placeholder is open ended/,
  )
  assert.match(
    reasonOf(() => resolveDateMath('<a-}>', now)),
    /invalid character at position \[3\]/,
  )
  assert.match(
    reasonOf(() => resolveDateMath('<a-{}>', now)),
    /cannot parse empty datetime/,
  )
})
