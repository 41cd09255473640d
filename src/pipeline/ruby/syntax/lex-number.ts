/** Number literals: `1_000`, `0xff`, `0b1`, `017`, `1.5e3`, `3r`. */
import type { RubySyntaxError } from './ast.ts'

const NUMBER =
  /0[xX][\da-fA-F]+(?:_[\da-fA-F]+)*|0[bB][01]+(?:_[01]+)*|0[oO][0-7]+(?:_[0-7]+)*|0[dD]\d+(?:_\d+)*|\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+(?:_\d+)*)?/y

export interface NumberToken {
  readonly kind: 'int' | 'float' | 'rational'
  readonly text: string
  readonly value: number | bigint
  readonly end: number
}

export function readNumber(source: string, at: number, fail: (message: string) => RubySyntaxError): NumberToken {
  NUMBER.lastIndex = at
  const whole = NUMBER.exec(source)![0]
  const end = at + whole.length
  const text = whole.replaceAll('_', '')
  const after = source[end] ?? ' '
  if (after === 'r' && !isIdentStart(source[end + 1] ?? ' ')) return { kind: 'rational', text, value: 0, end: end + 1 }
  if (after === 'i' && !isIdentStart(source[end + 1] ?? ' ')) throw fail('imaginary numbers are not supported')
  if (isIdentStart(after) && !/^(?:if|unless|and|or|then|do|end|while|until|rescue|in)\b/.test(source.slice(end)))
    throw fail('numeric literal without digits')
  if (/^\d+$/.test(text) && text.length > 1 && text.startsWith('0')) {
    if (/[89]/.test(text)) throw fail('Invalid octal digit')
    return { kind: 'int', text, value: exact(BigInt(`0o${text.slice(1)}`)), end }
  }
  if (/^0[dD]/.test(text)) return { kind: 'int', text, value: exact(BigInt(text.slice(2))), end }
  if (/^0[xXbBoO]/.test(text) || /^\d+$/.test(text)) return { kind: 'int', text, value: exact(BigInt(text)), end }
  return { kind: 'float', text, value: Number(text), end }
}

function exact(value: bigint): number | bigint {
  const small = Number(value)
  return Number.isSafeInteger(small) ? small : value
}

export function isIdentStart(char: string): boolean {
  return /[A-Za-z_]/.test(char) || char > '\x7f'
}
