/**
 * Suggests what a mistake in a configuration was meant to be. Syntax errors state what was expected; a hint states what
 * to write.
 */
import { closestWords } from '../../base/suggest.ts'

interface Slip {
  /** Matches the text at which the parser gave up. */
  readonly found: RegExp
  /** Matches the text directly before that position; anything if absent. */
  readonly before?: RegExp
  /** Must be among the expectations of the parser at that position. */
  readonly expected: string
  hint(before: RegExpExecArray | null, found: RegExpExecArray): string | undefined
}

const SLIPS: readonly Slip[] = [
  {
    expected: 'a string',
    found: /^\$\{[^}\n]*\}/,
    hint: (_, [variable]) => `environment variables stand in quotes: "${variable}"`,
  },
  { expected: 'a string', found: /^["']/, hint: (_, [quote]) => `the ${quote} of this text is not closed` },
  {
    expected: '"{"',
    found: /^[!=<>]/,
    before: /\[([^[\]\n]+?)\s*$/,
    hint: (before) => `the [ of this field is not closed: [${before?.[1]}]`,
  },
  { expected: '"=="', found: /^=(?![=~])/, hint: () => 'did you mean ==?' },
  {
    expected: '"and"',
    found: /^(&&|\|\|?|&)/,
    hint: (_, [text]) => `did you mean ${text!.startsWith('&') ? 'and' : 'or'}?`,
  },
  {
    expected: '"=>"',
    found: /^[=:,]/,
    before: /([\w@.-]+|"[^"]*"|'[^']*')\s*$/,
    hint: (before) => `values are given with an arrow: ${before?.[1]} => …`,
  },
  {
    expected: '"("',
    found: /^(?:==|!=|=~|!~|[<>]=?|in\b|not\b|and\b|or\b|\{)/,
    before: /\b(?:if|and|or|nand|xor|not)\s+([A-Za-z_@][\w@]*)\s*$|[!(]\s*([A-Za-z_@][\w@]*)\s*$/,
    hint: (before) => `fields are written in brackets: [${before?.[1] ?? before?.[2]}]`,
  },
  {
    expected: '"("',
    found: /^([A-Za-z_@])\s*(?:[!=<>]|in\b|not\b)/,
    before: /\b(?:if|and|or|nand|xor|not)\s+$|[!(]\s*$/,
    hint: (_, [, field]) => `fields are written in brackets: [${field}]`,
  },
  {
    expected: '"{"',
    found: /^[[(!"]/,
    before: /\b(?:elsif|elseif|elif)\s+$/,
    hint: () => 'did you mean else if?',
  },
  { expected: '"["', found: /^\]/, before: /,\s*$/, hint: () => 'no comma follows the last element of an array' },
  { expected: '","', found: /^["'\w]/, hint: () => 'the elements of an array need a comma between them' },
  { expected: '"}"', found: /^,/, hint: () => 'options are separated by blanks or new lines, not by commas' },
  {
    expected: '"{"',
    found: /^[\s}]/,
    before: /=>\s*([A-Za-z_])\s*$/,
    hint: (before) => `a text of one character needs quotes: "${before?.[1]}"`,
  },
  {
    expected: '"{"',
    found: /^\w+/,
    before: /(?:^|\n)\s*(input|filter|output)$/,
    hint: (before) => `did you mean ${before?.[1]}?`,
  },
  {
    expected: '"filter"',
    found: /^\w+/,
    hint: (_, [word]) => {
      const [close] = closestWords(word!, ['input', 'filter', 'output'])
      return close === undefined ? undefined : `did you mean ${close}?`
    },
  },
]

/** `offset` is the furthest position the parser reached. Undefined if no hint applies. */
export function syntaxHint(source: string, offset: number, expected: readonly string[]): string | undefined {
  const rest = source.slice(offset)
  if (rest.trim() === '') return unclosed(source)
  const before = source.slice(Math.max(0, offset - 200), offset)
  for (const slip of SLIPS) {
    const found = expected.includes(slip.expected) ? slip.found.exec(rest) : null
    const left = slip.before?.exec(before) ?? null
    if (found !== null && (slip.before === undefined || left !== null)) return slip.hint(left, found)
  }
  return undefined
}

/** The innermost bracket that is still open at the end of the text. */
function unclosed(source: string): string | undefined {
  const open: number[] = []
  for (const { 0: piece, index } of source.matchAll(/#.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{}]/g)) {
    if (piece === '{') open.push(index)
    else if (piece === '}') open.pop()
  }
  const last = open.pop()
  return last === undefined ? undefined : `the { of line ${lineOf(source, last)} is not closed`
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}
