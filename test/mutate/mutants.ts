/** All small changes of a source file that a good test would notice. */
import * as ts from 'typescript/unstable/ast'

export interface Mutant {
  /** The path of the file below the root of the project. */
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
  /** Whether the code runs only while its module is loaded. */
  readonly isOfModule: boolean
  /** Code that is the mutant if the condition is true, and the original if not. */
  switched(condition: string): string
}

const { SyntaxKind } = ts

const OPERATORS: { readonly [operator: string]: readonly (readonly [kind: string, replacement: string])[] } = {
  '<': [
    ['boundary', '<='],
    ['comparison', '>='],
  ],
  '<=': [
    ['boundary', '<'],
    ['comparison', '>'],
  ],
  '>': [
    ['boundary', '>='],
    ['comparison', '<='],
  ],
  '>=': [
    ['boundary', '>'],
    ['comparison', '<'],
  ],
  '===': [['comparison', '!==']],
  '!==': [['comparison', '===']],
  '&&': [['operator', '||']],
  '||': [['operator', '&&']],
  '+': [['operator', '-']],
  '-': [['operator', '+']],
  '*': [['operator', '/']],
  '/': [['operator', '*']],
  '%': [['operator', '*']],
  '<<': [['operator', '>>']],
  '>>': [['operator', '<<']],
  '>>>': [['operator', '<<']],
  '&': [['operator', '|']],
  '|': [['operator', '&']],
  '^': [['operator', '&']],
  '+=': [['operator', '-=']],
  '-=': [['operator', '+=']],
  '|=': [['operator', '&=']],
  '&=': [['operator', '|=']],
}

/** Statements that do something and can be left out. */
const REMOVABLE = new Set([
  SyntaxKind.ExpressionStatement,
  SyntaxKind.ContinueStatement,
  SyntaxKind.BreakStatement,
  SyntaxKind.ThrowStatement,
])

/** Calls that check assumptions or speak to people: no answer depends on them. */
const IDLE_CALL = /^(assert|invariant|check[A-Z]\w*Memory|\w*log\w*\.(debug|info|warn|error))$/

export function mutantsOf(file: string, source: ts.SourceFile): Mutant[] {
  const { text } = source
  const found: Mutant[] = []
  /** The number of functions around the current node. */
  let functions = 0

  function add(kind: string, node: ts.Node, after: string, switched?: (condition: string) => string): void {
    const [start, end] = [node.getStart(source), node.getEnd()]
    const before = text.slice(start, end)
    addAt(kind, start, end, after, switched ?? ((condition) => `(${condition} ? (${after}) : (${before}))`))
  }

  function addAt(
    kind: string,
    start: number,
    end: number,
    after: string,
    switched: (condition: string) => string,
  ): void {
    const { line } = source.getLineAndCharacterOfPosition(start)
    const before = text.slice(start, end)
    if (before === after) return
    found.push({ file, line: line + 1, kind, start, end, before, after, isOfModule: functions === 0, switched })
  }

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isCallExpression(node) && IDLE_CALL.test(node.expression.getText(source))) return
    if (ts.isBinaryExpression(node)) ofOperator(node)
    else if (ts.isPrefixUnaryExpression(node)) ofPrefix(node)
    else if (ts.isPostfixUnaryExpression(node))
      add(
        'operator',
        node,
        `${node.operand.getText(source)}${node.operator === SyntaxKind.PlusPlusToken ? '--' : '++'}`,
      )
    else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) negated(node.expression)
    else if (ts.isConditionalExpression(node)) negated(node.condition)
    else if (ts.isCallExpression(node) || ts.isNewExpression(node)) ofCall(node)
    else if (ts.isNumericLiteral(node)) ofNumber(node)
    else if (node.kind === SyntaxKind.TrueKeyword) add('constant', node, 'false')
    else if (node.kind === SyntaxKind.FalseKeyword) add('constant', node, 'true')
    // Without a return out of the middle, what follows it goes on.
    const isBareReturn = ts.isReturnStatement(node) && node.expression === undefined
    if (REMOVABLE.has(node.kind) || isBareReturn)
      add('removed', node, ';', (condition) => `if (!(${condition})) { ${node.getText(source)} }`)
    const isFunction = ts.isFunctionLikeDeclaration(node)
    if (isFunction) functions++
    node.forEachChild(visit)
    if (isFunction) functions--
  }

  function ofOperator(node: ts.BinaryExpression): void {
    const { operatorToken, left, right } = node
    // Texts that are joined are for people.
    const isText = [left, right].some((side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side))
    if (isText && operatorToken.kind === SyntaxKind.PlusToken) return
    for (const [kind, replacement] of OPERATORS[operatorToken.getText(source)] ?? [])
      add(kind, node, `${left.getText(source)} ${replacement} ${right.getText(source)}`)
  }

  function ofPrefix(node: ts.PrefixUnaryExpression): void {
    const operand = node.operand.getText(source)
    if (node.operator === SyntaxKind.ExclamationToken) add('negated', node, `(${operand})`)
    if (node.operator === SyntaxKind.MinusToken) add('operator', node, `(${operand})`)
    if (node.operator === SyntaxKind.TildeToken) add('operator', node, `(${operand})`)
  }

  function negated(condition: ts.Expression): void {
    // Comparisons and negations have mutants of their own that do this.
    if (ts.isBinaryExpression(condition) && OPERATORS[condition.operatorToken.getText(source)]?.length === 2) return
    if (ts.isPrefixUnaryExpression(condition)) return
    add('negated', condition, `!(${condition.getText(source)})`)
  }

  function ofCall(node: ts.CallExpression | ts.NewExpression): void {
    const given = node.arguments ?? []
    for (let i = 0; i + 1 < given.length; i++) {
      const [first, second] = [given[i]!, given[i + 1]!]
      if ([first, second].some((argument) => ts.isArrowFunction(argument) || ts.isSpreadElement(argument))) continue
      const [one, two] = [first.getText(source), second.getText(source)]
      const switched = (condition: string) => `(${condition} ? ${two} : ${one}), (${condition} ? ${one} : ${two})`
      addAt('swapped', first.getStart(source), second.getEnd(), `${two}, ${one}`, switched)
    }
    if (ts.isCallExpression(node) && /^Math\.(min|max)$/.test(node.expression.getText(source)))
      add('operator', node.expression, node.expression.getText(source) === 'Math.min' ? 'Math.max' : 'Math.min')
  }

  function ofNumber(node: ts.NumericLiteral): void {
    const value = Number(node.text)
    // A bare number that is the name of a member cannot be switched.
    if (!Number.isSafeInteger(value) || (ts.isPropertyAssignment(node.parent) && node.parent.name === node)) return
    add('constant', node, String(value + 1))
    if (value > 0) add('constant', node, String(value - 1))
  }

  visit(source)
  return found
}
