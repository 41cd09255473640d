/** Evaluates an XPath expression on a document: nodes in document order, a string, a number or a boolean. */
import { textOf, type XmlElement, type XmlNode } from './xml-tree.ts'
import { callFunction } from './xpath-functions.ts'
import type { Axis, BinaryOperator, Expression, NodeTest, Step } from './xpath-tree.ts'
import { asBoolean, asNumber, asText, type XPathValue } from './xpath-values.ts'

/** The evaluation context: the current node, and its position among the nodes it was selected with. */
export interface Place {
  readonly node: XmlNode
  readonly position: number
  readonly size: number
}

export function evaluate(expression: Expression, place: Place): XPathValue {
  switch (expression.kind) {
    case 'number':
    case 'text':
      return expression.value
    case 'negate':
      return -asNumber(evaluate(expression.of, place))
    case 'binary':
      return binary(expression.operator, expression.left, expression.right, place)
    case 'call':
      return callFunction(
        expression.name,
        expression.args.map((arg) => evaluate(arg, place)),
        place,
      )
    case 'path':
      return path(expression, place)
  }
}

function binary(operator: BinaryOperator, left: Expression, right: Expression, place: Place): XPathValue {
  if (operator === 'or') return asBoolean(evaluate(left, place)) || asBoolean(evaluate(right, place))
  if (operator === 'and') return asBoolean(evaluate(left, place)) && asBoolean(evaluate(right, place))
  const [a, b] = [evaluate(left, place), evaluate(right, place)]
  switch (operator) {
    case '|':
      return inOrder([...nodes(a), ...nodes(b)])
    case '+':
      return asNumber(a) + asNumber(b)
    case '-':
      return asNumber(a) - asNumber(b)
    case '*':
      return asNumber(a) * asNumber(b)
    case 'div':
      return asNumber(a) / asNumber(b)
    case 'mod':
      return asNumber(a) % asNumber(b)
    default:
      return compare(operator, a, b)
  }
}

/** A node set compares equal if any of its nodes does. */
function compare(operator: BinaryOperator, a: XPathValue, b: XPathValue): boolean {
  if (Array.isArray(a) && typeof b !== 'boolean') return a.some((node) => compare(operator, textOf(node), b))
  if (Array.isArray(b) && typeof a !== 'boolean') return b.some((node) => compare(operator, a, textOf(node)))
  if (operator === '=' || operator === '!=') {
    const isEqual =
      typeof a === 'boolean' || typeof b === 'boolean'
        ? asBoolean(a) === asBoolean(b)
        : typeof a === 'number' || typeof b === 'number'
          ? asNumber(a) === asNumber(b)
          : asText(a) === asText(b)
    return isEqual === (operator === '=')
  }
  const [x, y] = [asNumber(a), asNumber(b)]
  if (operator === '<') return x < y
  if (operator === '<=') return x <= y
  return operator === '>' ? x > y : x >= y
}

function path({ from, predicates, steps }: Extract<Expression, { kind: 'path' }>, place: Place): XPathValue {
  let found: XmlNode[]
  if (from === 'root') found = [rootOf(place.node)]
  else if (from === 'here') found = [place.node]
  else {
    const value = evaluate(from, place)
    if (!Array.isArray(value)) return value
    found = filter(value, predicates)
  }
  for (const step of steps) found = inOrder(found.flatMap((node) => walk(node, step)))
  return found
}

function walk(node: XmlNode, { axis, test, predicates }: Step): XmlNode[] {
  return filter(
    along(node, axis).filter((one) => isMatch(one, test, axis)),
    predicates,
  )
}

/** A numeric predicate selects by position; any other is a condition. */
function filter(found: readonly XmlNode[], predicates: readonly Expression[]): XmlNode[] {
  let left = [...found]
  for (const predicate of predicates) {
    const size = left.length
    left = left.filter((node, i) => {
      const value = evaluate(predicate, { node, position: i + 1, size })
      return typeof value === 'number' ? value === i + 1 : asBoolean(value)
    })
  }
  return left
}

function isMatch(node: XmlNode, test: NodeTest, axis: Axis): boolean {
  if (test.kind === 'node') return true
  if (test.kind === 'text') return node.kind === 'text'
  if (node.kind !== (axis === 'attribute' ? 'attribute' : 'element')) return false
  const { name } = node as XmlElement
  if (test.namespace !== undefined) {
    return name.namespace === test.namespace && (test.local === '*' || name.local === test.local)
  }
  if (test.full === '*') return true
  // An undeclared prefix is part of the name; a name without a prefix has no namespace.
  if (test.full.includes(':')) return name.full === test.full
  return name.local === test.local && name.namespace === ''
}

/** Nodes in axis order: reverse axes start at the nearest node. */
function along(node: XmlNode, axis: Axis): readonly XmlNode[] {
  switch (axis) {
    case 'self':
      return [node]
    case 'child':
      return childrenOf(node)
    case 'attribute':
      return node.kind === 'element' ? node.attributes : []
    case 'parent':
      return node.kind === 'document' ? [] : [node.parent]
    case 'descendant':
      return descendants(node, [])
    case 'descendant-or-self':
      return descendants(node, [node])
    case 'ancestor':
      return ancestors(node)
    case 'ancestor-or-self':
      return [node, ...ancestors(node)]
    case 'following-sibling':
      return siblings(node).filter(({ order }) => order > node.order)
    case 'preceding-sibling':
      return siblings(node)
        .filter(({ order }) => order < node.order)
        .reverse()
  }
}

function childrenOf(node: XmlNode): readonly XmlNode[] {
  return node.kind === 'element' || node.kind === 'document' ? node.children : []
}

function descendants(node: XmlNode, out: XmlNode[]): XmlNode[] {
  for (const child of childrenOf(node)) {
    out.push(child)
    descendants(child, out)
  }
  return out
}

function ancestors(node: XmlNode): XmlNode[] {
  const found: XmlNode[] = []
  for (let at = node; at.kind !== 'document'; at = at.parent) found.push(at.parent)
  return found
}

function siblings(node: XmlNode): readonly XmlNode[] {
  return node.kind === 'document' || node.kind === 'attribute' ? [] : childrenOf(node.parent)
}

function rootOf(node: XmlNode): XmlNode {
  let at = node
  while (at.kind !== 'document') at = at.parent
  return at
}

function nodes(value: XPathValue): readonly XmlNode[] {
  return Array.isArray(value) ? value : []
}

function inOrder(found: readonly XmlNode[]): XmlNode[] {
  return [...new Set(found)].sort((a, b) => a.order - b.order)
}
