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
  /** The text of names and operators; the flags of a regular expression. */
  readonly text: string
  readonly line: number
  /** Whether there is a blank before the token, which decides between `a [1]` and `a[1]`. */
  readonly spaced: boolean
  /** Whether a blank or a line end follows. */
  readonly spacedAfter: boolean
  /** Literals with interpolation: texts and code in turn. */
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

/** Keywords after which a value stands complete, so that an operator may follow. */
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
/** Keywords that may have a value on the same line, or none. */
export const OPTIONAL_VALUE_KEYWORDS = new Set(['return', 'break', 'next', 'rescue'])
