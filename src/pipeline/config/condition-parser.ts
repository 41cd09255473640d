/** Parses the conditions of `if`. */
import type { Parser } from './parser.ts'
import type { BooleanOperator, ChainLink, CompareOperator, ConditionNode, Operand } from './syntax-tree.ts'

const BOOLEAN_OPERATORS: readonly BooleanOperator[] = ['and', 'or', 'xor', 'nand']
const COMPARE_OPERATORS: readonly CompareOperator[] = ['==', '!=', '<=', '>=', '<', '>']

export function parseCondition(parser: Parser): ConditionNode | undefined {
  const { scanner } = parser
  const at = scanner.position()
  const first = parseExpression(parser)
  if (first === undefined) return undefined
  const rest: ChainLink[] = []
  for (;;) {
    const before = scanner.at
    scanner.skip()
    const operator = BOOLEAN_OPERATORS.find((word) => scanner.take(word))
    if (operator !== undefined) {
      scanner.skip()
      const condition = parseExpression(parser)
      if (condition !== undefined) {
        rest.push({ operator, condition })
        continue
      }
    }
    scanner.at = before
    return rest.length === 0 ? first : { type: 'chain', first, rest, at }
  }
}

function parseExpression(parser: Parser): ConditionNode | undefined {
  const { scanner } = parser
  const start = scanner.at
  const found = parseParenthesis(parser) ?? parseNegation(parser) ?? parseComparison(parser)
  if (found === undefined) scanner.at = start
  return found
}

function parseParenthesis(parser: Parser): ConditionNode | undefined {
  const { scanner } = parser
  const start = scanner.at
  if (scanner.take('(')) {
    scanner.skip()
    const inner = parseCondition(parser)
    if (inner !== undefined) {
      scanner.skip()
      if (scanner.take(')')) return inner
    }
  }
  scanner.at = start
  return undefined
}

function parseNegation(parser: Parser): ConditionNode | undefined {
  const { scanner } = parser
  const start = scanner.at
  const at = scanner.position()
  if (scanner.take('!')) {
    scanner.skip()
    const inner = parseParenthesis(parser)
    if (inner !== undefined) return { type: 'not', inner, at }
    const operand = parseSelector(parser)
    if (operand !== undefined) return { type: 'not', inner: { type: 'truth', operand, at }, at }
  }
  scanner.at = start
  return undefined
}

function parseComparison(parser: Parser): ConditionNode | undefined {
  const { scanner } = parser
  const at = scanner.position()
  const left = parseOperand(parser)
  if (left === undefined) return undefined
  const afterLeft = scanner.at
  scanner.skip()
  const afterBlanks = scanner.at

  const negated = scanner.take('not ')
  if (negated) scanner.skip()
  if (scanner.take('in')) {
    scanner.skip()
    const right = parseOperand(parser)
    if (right !== undefined) return { type: 'in', negated, left, right, at }
  }
  scanner.at = afterBlanks

  const operator = COMPARE_OPERATORS.find((word) => scanner.take(word))
  if (operator !== undefined) {
    scanner.skip()
    const right = parseOperand(parser)
    if (right !== undefined) return { type: 'compare', operator, left, right, at }
  }
  scanner.at = afterBlanks

  const matches = scanner.take('=~')
  if (matches || scanner.take('!~')) {
    scanner.skip()
    const pattern = parser.string() ?? parseRegexp(parser)
    if (pattern !== undefined) return { type: 'match', negated: !matches, left, pattern, at }
  }
  scanner.at = afterLeft
  return { type: 'truth', operand: left, at }
}

function parseOperand(parser: Parser): Operand | undefined {
  const { scanner } = parser
  const at = scanner.position()
  const text = parser.string()
  if (text !== undefined) return { type: 'string', text, at }
  const number = parser.number()
  if (number !== undefined) return { type: 'number', text: number, at }
  // Tried before arrays: `["x"]` is a reference to a field with quotes in its name, as in Logstash.
  const selector = parseSelector(parser)
  if (selector !== undefined) return selector
  const array = parser.array()
  if (array?.type === 'array') return array
  const regexp = parseRegexp(parser)
  if (regexp !== undefined) return { type: 'regexp', text: regexp, at }
  // The grammar allows function calls although no functions exist. Without its parenthesis a bareword is a syntax
  // error.
  const start = scanner.at
  if (scanner.match(/[A-Za-z_][A-Za-z0-9_]+/y, '[A-Za-z_]') !== undefined) {
    scanner.skip()
    scanner.take('(')
  }
  scanner.at = start
  return undefined
}

function parseSelector(parser: Parser): Operand | undefined {
  const { scanner } = parser
  const at = scanner.position()
  const text = scanner.match(/(?:\[[^\][,]+\])+/y, '"["')
  return text === undefined ? undefined : { type: 'selector', text, at }
}

/** The text between the slashes. `\/` is a slash. */
function parseRegexp(parser: Parser): string | undefined {
  const quoted = parser.scanner.match(/\/(?:\\\/|(?!\\\/)[^/])*\//y, '"/"')
  return quoted?.slice(1, -1).replaceAll('\\/', '/')
}
