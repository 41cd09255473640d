/**
 * The grammar of Painless as data. The parser is written by hand; the grammar decides which of its tokens a script that does not
 * parse is blamed for.
 */

/** A token, a set of tokens of which one is taken, a rule (`#name`), or a composition. */
export type Element =
  | string
  | { kind: 'set'; tokens: readonly string[] }
  | { kind: 'sequence'; items: readonly Element[] }
  | { kind: 'choice'; alternatives: readonly Element[] }
  | { kind: 'optional' | 'star' | 'plus'; item: Element }
  /** An optional part that is taken whenever its first token comes. */
  | { kind: 'eager'; item: Element; first: string }
  /** A binary operator of an expression: it is taken if it binds at least as tightly as the expression allows. */
  | { kind: 'operator'; tokens: readonly string[]; precedence: number; right: Element }

const set = (...tokens: string[]): Element => ({ kind: 'set', tokens })
const seq = (...items: Element[]): Element => ({ kind: 'sequence', items })
const choice = (...alternatives: Element[]): Element => ({ kind: 'choice', alternatives })
const opt = (...items: Element[]): Element => ({ kind: 'optional', item: seq(...items) })
const star = (...items: Element[]): Element => ({ kind: 'star', item: seq(...items) })
const plus = (...items: Element[]): Element => ({ kind: 'plus', item: seq(...items) })
const listOf = (item: Element): Element[] => [item, star(',', item)]

const binary = (precedence: number, ...tokens: string[]): Element => ({
  kind: 'operator',
  tokens,
  precedence,
  right: tokens[0] === 'instanceof' ? '#declaredType' : '#binary',
})

const qualified = seq('ID', star('.', 'DOTID'))
const loopBody = choice('#trailer', '#empty')

export const GRAMMAR: Readonly<Record<string, Element>> = {
  source: seq(star('#function'), star('#statement'), 'EOF'),
  function: seq('#declaredType', 'ID', '#parameters', '#block'),
  parameters: seq('(', opt(...listOf(seq('#declaredType', 'ID'))), ')'),
  statement: choice('#compound', seq('#simple', set(';', 'EOF'))),
  compound: choice(
    seq('if', '(', '#expression', ')', '#trailer', { kind: 'eager', item: seq('else', '#trailer'), first: 'else' }),
    seq('while', '(', '#expression', ')', loopBody),
    seq('for', '(', opt('#initializer'), ';', opt('#expression'), ';', opt('#afterthought'), ')', loopBody),
    seq('for', '(', '#declaredType', 'ID', ':', '#expression', ')', '#trailer'),
    seq('for', '(', 'ID', 'in', '#expression', ')', '#trailer'),
    seq('try', '#block', plus('#trap')),
  ),
  simple: choice(
    seq('do', '#block', 'while', '(', '#expression', ')'),
    '#declaration',
    'continue',
    'break',
    seq('return', opt('#expression')),
    seq('throw', '#expression'),
    '#expression',
  ),
  trailer: choice('#block', '#statement'),
  block: seq('{', star('#statement'), opt('#simple'), '}'),
  empty: ';',
  initializer: choice('#declaration', '#expression'),
  afterthought: '#expression',
  declaration: seq('#declaredType', ...listOf('#variable')),
  declaredType: seq('#type', star('[', ']')),
  type: choice('def', 'PRIMITIVE', qualified),
  variable: seq('ID', opt('=', '#expression')),
  trap: seq('catch', '(', '#type', 'ID', ')', '#block'),
  binary: seq('#unary', {
    kind: 'star',
    item: choice(
      binary(13, '*', '/', '%'),
      binary(12, '+', '-'),
      binary(11, '=~', '==~'),
      binary(10, '<<', '>>', '>>>'),
      binary(9, '<', '<=', '>', '>='),
      binary(8, 'instanceof'),
      binary(7, '==', '===', '!=', '!=='),
      binary(6, '&'),
      binary(5, '^'),
      binary(4, '|'),
      binary(3, '&&'),
      binary(2, '||'),
      binary(1, '?:'),
    ),
  }),
  expression: choice(
    '#binary',
    seq('#binary', '?', '#expression', ':', '#expression'),
    seq('#binary', set('=', '+=', '-=', '*=', '/=', '%=', '&=', '^=', '|=', '<<=', '>>=', '>>>='), '#expression'),
  ),
  unary: choice(seq(set('++', '--'), '#chain'), seq(set('+', '-'), '#unary'), '#unsigned'),
  unsigned: choice('#chain', seq('#chain', set('++', '--')), seq(set('!', '~'), '#unary'), '#cast'),
  cast: choice(seq('(', '#valueType', ')', '#unary'), seq('(', '#referenceType', ')', '#unsigned')),
  valueType: set('def', 'PRIMITIVE'),
  referenceType: choice(seq('def', plus('[', ']')), seq('PRIMITIVE', plus('[', ']')), seq(qualified, star('[', ']'))),
  chain: choice(seq('#primary', star('#postfix')), '#array'),
  primary: choice(
    seq('(', '#expression', ')'),
    set('OCTAL', 'HEX', 'INTEGER', 'DECIMAL'),
    'true',
    'false',
    'null',
    'STRING',
    'REGEX',
    '#list',
    '#map',
    'ID',
    seq(set('ID', '$'), '#arguments'),
    seq('new', '#type', '#arguments'),
  ),
  postfix: choice('#call', '#field', '#brace'),
  member: choice('#call', '#field'),
  call: seq(set('.', '?.'), 'DOTID', '#arguments'),
  field: seq(set('.', '?.'), set('DOTID', 'DOTINTEGER')),
  brace: seq('[', '#expression', ']'),
  array: choice(
    seq('new', '#type', plus('[', '#expression', ']'), opt('#member', star('#postfix'))),
    seq('new', '#type', '[', ']', '{', opt(...listOf('#expression')), '}', star('#postfix')),
  ),
  list: choice(seq('[', ...listOf('#expression'), ']'), seq('[', ']')),
  map: choice(seq('[', ...listOf('#entry'), ']'), seq('[', ':', ']')),
  entry: seq('#expression', ':', '#expression'),
  arguments: seq('(', opt(...listOf('#argument')), ')'),
  argument: choice('#expression', '#lambda', '#reference'),
  lambda: seq(
    choice('#lambdaParameter', seq('(', opt(...listOf('#lambdaParameter')), ')')),
    '->',
    choice('#block', '#expression'),
  ),
  lambdaParameter: seq(opt('#declaredType'), 'ID'),
  reference: choice(
    seq('#declaredType', '::', 'ID'),
    seq('#declaredType', '::', 'new'),
    seq('ID', '::', 'ID'),
    seq('this', '::', 'ID'),
  ),
}

/** All tokens, in the order in which error messages list them. */
export const TOKEN_ORDER: readonly string[] = [
  'EOF', '{', '}', '[', ']', '(', ')', '$', '.', '?.', ',', ';', 'if', 'in', 'else', 'while', 'do', 'for', 'continue', 'break', 'return', 'new',
  'try', 'catch', 'throw', 'this', 'instanceof', '!', '~', '*', '/', '%', '+', '-', '<<', '>>', '>>>', '<', '<=', '>', '>=',
  '==', '===', '!=', '!==', '&', '^', '|', '&&', '||', '?', ':', '?:', '::', '->', '=~', '==~', '++', '--', '=', '+=', '-=',
  '*=', '/=', '%=', '&=', '^=', '|=', '<<=', '>>=', '>>>=', 'OCTAL', 'HEX', 'INTEGER', 'DECIMAL', 'STRING', 'REGEX', 'true',
  'false', 'null', 'PRIMITIVE', 'def', 'ID', 'DOTINTEGER', 'DOTID',
] // biome-ignore format: a list
