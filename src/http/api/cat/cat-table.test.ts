import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryParameters } from '../../query-parameters.ts'
import { HttpRequest } from '../../request.ts'
import { Bytes, type Column, Milliseconds, type Row, TableStyle } from './cat-table.ts'

const COLUMNS: readonly Column[] = [
  { name: 'name', aliases: ['n'], about: 'who' },
  { name: 'size', about: 'how much', alignRight: true },
  { name: 'age', about: 'how long', hidden: true },
]
const ROWS: readonly Row[] = [
  { name: 'alpha', size: new Bytes(512), age: new Milliseconds(90_000) },
  { name: 'b', size: new Bytes(5 * 1024 ** 2), age: undefined },
]

function table(query: string, accepted?: 'json') {
  const request = new HttpRequest({
    method: 'GET',
    path: '/_cat/x',
    uri: `/_cat/x?${query}`,
    params: {},
    query: new QueryParameters(query),
    headers: {},
    body: Buffer.alloc(0),
    human: false,
    accepted,
    signal: () => new AbortController().signal,
  })
  const answer = new TableStyle(request).answer(COLUMNS, ROWS)
  return answer.text ?? answer.body
}

test('cat columns are padded, numbers right-aligned, and the last column has no trailing spaces', () => {
  assert.equal(table(''), 'alpha 512b\nb      5mb\n')
  assert.equal(table('v'), 'name  size\nalpha 512b\nb      5mb\n')
  assert.equal(table('h=size,name'), '512b alpha\n 5mb b\n')
})

test('cat columns are selected by name, alias or wildcard, and titled as requested', () => {
  assert.equal(table('h=n,nope&v'), 'n\nalpha\nb\n')
  assert.equal(table('h=*e&v'), 'name  size age\nalpha 512b 1.5m\nb      5mb \n')
  assert.equal(table('h=nope'), '\n\n')
})

test('cat sizes and times use the requested unit, and an unknown unit leaves them readable', () => {
  assert.equal(table('h=size&bytes=kb'), '   0\n5120\n')
  assert.equal(table('h=age&time=s'), '90\n\n')
  assert.equal(table('h=size&bytes=xb'), '512b\n 5mb\n')
})

test('cat rows sort by value, with empty cells first', () => {
  assert.equal(table('h=name&s=size:desc'), 'b\nalpha\n')
  assert.equal(table('h=name&s=age,n'), 'b\nalpha\n')
  assert.throws(() => table('s=foo'), /Unable to sort by unknown sort key `foo`/)
})

test('cat tables as JSON have strings by title, and null for empty cells', () => {
  assert.deepEqual(table('h=n,age', 'json'), [
    { n: 'alpha', age: '1.5m' },
    { n: 'b', age: null },
  ])
})
