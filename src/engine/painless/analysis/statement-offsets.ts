/** Collects the offsets at which statements start. A run-time error shows the source from one start to the next. */
import { startOf } from '../parser/expression-parser.ts'
import type { Block, Expression, ScriptTree, Statement } from '../parser/tree.ts'

export function statementOffsets(tree: ScriptTree): number[] {
  const offsets = new Set<number>()
  for (const fn of tree.functions) addBlock(fn.body, offsets)
  addBlock(tree.body, offsets)
  return [...offsets].sort((a, b) => a - b)
}

function addBlock(block: Block | undefined, offsets: Set<number>): void {
  for (const statement of block?.statements ?? []) addStatement(statement, offsets)
}

/** A declaration starts at the declared name. */
function addStatement(node: Statement, offsets: Set<number>): void {
  if (node.kind !== 'declarations') offsets.add(node.at)
  switch (node.kind) {
    case 'declarations':
      for (const { at, value } of node.declarations) {
        offsets.add(at)
        addExpression(value, offsets)
      }
      return
    case 'if':
    case 'ifElse':
      addExpression(node.condition, offsets)
      addBlock(node.then, offsets)
      if (node.kind === 'ifElse') addBlock(node.else, offsets)
      return
    case 'while':
    case 'do':
      addExpression(node.condition, offsets)
      addBlock(node.body, offsets)
      return
    case 'for':
      if (node.initializer?.kind === 'declarations') addStatement(node.initializer, offsets)
      else addExpression(node.initializer as Expression | undefined, offsets)
      addExpression(node.condition, offsets)
      addExpression(node.afterthought, offsets)
      addBlock(node.body, offsets)
      return
    case 'each':
      addExpression(node.iterable, offsets)
      addBlock(node.body, offsets)
      return
    case 'try':
      addBlock(node.body, offsets)
      for (const trap of node.catches) {
        offsets.add(trap.at)
        addBlock(trap.body, offsets)
      }
      return
    case 'return':
    case 'throw':
    case 'expression':
      addExpression(node.value, offsets)
  }
}

/** Lambdas contain statements of their own. */
function addExpression(node: Expression | undefined, offsets: Set<number>): void {
  if (node === undefined) return
  if (node.kind === 'lambda') {
    offsets.add(startOf(node))
    addBlock(node.body, offsets)
    return
  }
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value.flat()) addIfExpression(item, offsets)
    else addIfExpression(value, offsets)
  }
}

function addIfExpression(value: unknown, offsets: Set<number>): void {
  if (typeof value === 'object' && value !== null && 'kind' in value) addExpression(value as Expression, offsets)
}
