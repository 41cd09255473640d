/** The tokens of Ruby code. */
import type { Node } from './ast.ts'

export type TokenKind =
  | 'int'
  | 'float'
  | 'rational'
  | 'string'
  | 'symbol'
  | 'regex'
  | 'words'
  | 'symbols'
  | 'ident'
  | 'const'
  | 'ivar'
  | 'gvar'
  | 'cvar'
  | 'nth'
  | 'backref'
  | 'keyword'
  | 'label'
  /** `"text": value` */
  | 'string-label'
  | 'op'
  | 'newline'
  | 'end'

export interface Token {
  readonly kind: TokenKind
  /** The text of a name or an operator; the flags of a regular expression. */
  readonly text: string
  readonly line: number
  /** Whether a space precedes the token, which distinguishes `a [1]` from `a[1]`. */
  readonly spaced: boolean
  /** Whether a space or a line end follows. */
  readonly spacedAfter: boolean
  /** For literals with interpolation: alternating parts of text and code. */
  readonly parts: readonly Node[] | undefined
  /** The items of `%w[…]` and `%i[…]`. */
  readonly items: readonly (readonly Node[])[] | undefined
  readonly value: number | bigint | undefined
}

export const KEYWORDS = new Set(
  `alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo
   rescue retry return self super then true undef unless until when while yield __FILE__ __LINE__ __method__ BEGIN END
   __ENCODING__`.split(/\s+/),
)

/** Keywords that complete a value, so that an operator may follow. */
export const VALUE_KEYWORDS = new Set([
  'end',
  'self',
  'true',
  'false',
  'nil',
  '__FILE__',
  '__LINE__',
  '__method__',
  'redo',
  'retry',
])
/** Keywords that may be followed by a value on the same line. */
export const OPTIONAL_VALUE_KEYWORDS = new Set(['return', 'break', 'next', 'rescue'])
