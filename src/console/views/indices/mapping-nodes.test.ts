import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodesOf, visibleNodes } from './mapping-nodes.ts'

const mapping = {
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    comments: {
      type: 'nested',
      properties: { author: { type: 'keyword' }, meta: { properties: { x: { type: 'long' } } } },
    },
  },
}

test('the nodes of a mapping list parents before children, including sub-fields and objects', () => {
  assert.deepEqual(
    nodesOf(mapping).map(({ path, type, depth, children }) => [path, type, depth, children]),
    [
      ['title', 'text', 0, 1],
      ['title.raw', 'keyword', 1, 0],
      ['comments', 'nested', 0, 2],
      ['comments.author', 'keyword', 1, 0],
      ['comments.meta', 'object', 1, 1],
      ['comments.meta.x', 'long', 2, 0],
    ],
  )
})

test('children are visible if all their parents are expanded, or if their name matches the filter', () => {
  const nodes = nodesOf(mapping)
  const paths = (part: string, ...opened: string[]) =>
    visibleNodes(nodes, part, new Set(opened)).map(({ path }) => path)
  assert.deepEqual(paths(''), ['title', 'comments'])
  assert.deepEqual(paths('', 'comments'), ['title', 'comments', 'comments.author', 'comments.meta'])
  assert.deepEqual(paths('', 'comments.meta'), ['title', 'comments'])
  assert.deepEqual(paths('.x'), ['comments', 'comments.meta', 'comments.meta.x'])
})
