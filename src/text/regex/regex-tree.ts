/** The syntax tree of a Ruby expression. Options such as `(?i)` are already applied to the nodes they affect. */

export type RegexNode =
  | { readonly type: 'alternatives'; readonly items: readonly RegexNode[] }
  | { readonly type: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly type: 'char'; readonly code: number; readonly ignoreCase: boolean }
  | { readonly type: 'any'; readonly newline: boolean }
  | { readonly type: 'class'; readonly set: ClassNode; readonly ignoreCase: boolean }
  | { readonly type: 'anchor'; readonly kind: AnchorKind }
  /** `number` is Ruby's group number from 1; undefined for non-capturing groups. */
  | { readonly type: 'group'; readonly inner: RegexNode; readonly number: number | undefined }
  | { readonly type: 'atomic'; readonly inner: RegexNode }
  | { readonly type: 'look'; readonly behind: boolean; readonly negated: boolean; readonly inner: RegexNode }
  | {
      readonly type: 'repeat'
      readonly inner: RegexNode
      readonly min: number
      /** Infinity without an upper bound. */
      readonly max: number
      readonly mode: 'greedy' | 'lazy' | 'possessive'
    }
  | { readonly type: 'backreference'; readonly numbers: readonly number[]; readonly ignoreCase: boolean }
  /** `(?(1)yes|no)` */
  | { readonly type: 'conditional'; readonly number: number; readonly yes: RegexNode; readonly no: RegexNode }
  /** `\K` */
  | { readonly type: 'keep' }
  /** `\X` */
  | { readonly type: 'grapheme' }

export type AnchorKind =
  | 'line-start'
  | 'line-end'
  | 'text-start'
  | 'text-end'
  | 'text-end-or-newline'
  | 'search-start'
  | 'word'
  | 'not-word'

export type ClassNode =
  | { readonly type: 'range'; readonly from: number; readonly to: number }
  | { readonly type: 'named'; readonly name: ClassName; readonly negated: boolean }
  /** `\p{…}` with a name that JavaScript supports. */
  | { readonly type: 'property'; readonly name: string; readonly negated: boolean }
  | { readonly type: 'union'; readonly items: readonly ClassNode[]; readonly negated: boolean }
  | { readonly type: 'intersection'; readonly items: readonly ClassNode[]; readonly negated: boolean }

/** Named classes: the shorthands (ASCII only) and the POSIX classes (Unicode). */
export type ClassName =
  | 'w'
  | 'd'
  | 's'
  | 'h'
  | 'alnum'
  | 'alpha'
  | 'ascii'
  | 'blank'
  | 'cntrl'
  | 'digit'
  | 'graph'
  | 'lower'
  | 'print'
  | 'punct'
  | 'space'
  | 'upper'
  | 'word'
  | 'xdigit'

export interface RegexTree {
  readonly root: RegexNode
  /** Ruby's groups in order: the name, or undefined. */
  readonly groups: readonly (string | undefined)[]
}

/** The expression is invalid or uses an unsupported feature. */
export class RegexSyntaxError extends Error {
  /** What is wrong, without the expression. */
  readonly problem: string

  constructor(problem: string, source: string) {
    super(`${problem}: /${source}/`)
    this.name = 'RegexSyntaxError'
    this.problem = problem
  }
}
