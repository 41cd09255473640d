/** The syntax tree of Ruby code. Every node has the line on which it begins, for messages and backtraces. */

export interface Params {
  /** Parameters before the optional ones: a name, or a pattern that destructures an array. */
  readonly required: readonly Param[]
  readonly optional: readonly { readonly name: string; readonly value: Node }[]
  /** `*rest`; an empty name for a bare `*`. */
  readonly rest: string | undefined
  /** Required parameters after the optional ones. */
  readonly post: readonly Param[]
  readonly keywords: readonly { readonly name: string; readonly value: Node | undefined }[]
  /** `**rest`; an empty name for a bare `**`. */
  readonly keywordRest: string | undefined
  readonly block: string | undefined
  /** `|a,|`: destructures an array although there is only one name. */
  readonly hasTrailingComma: boolean
  /** `|a; b|`: variables that are local to the block. */
  readonly locals: readonly string[]
}

export type Param = string | MultipleTarget

export interface MultipleTarget {
  readonly type: 'mlhs'
  readonly line: number
  readonly before: readonly Node[]
  /** Undefined without a splat; null for a bare `*`. */
  readonly splat: Node | null | undefined
  readonly after: readonly Node[]
}

export interface BlockNode {
  readonly params: Params | undefined
  /** The highest number of `_1`, `_2` and so on that the body uses. */
  readonly numbered: number
  readonly body: Node
  readonly line: number
}

export interface RescueClause {
  readonly classes: readonly Node[]
  readonly target: Node | undefined
  readonly body: Node
}

export interface HashPair {
  /** Undefined for `**value`. */
  readonly key: Node | undefined
  readonly value: Node
}

interface At {
  readonly line: number
}

export interface CallNode extends At {
  readonly type: 'call'
  readonly receiver: Node | undefined
  readonly name: string
  readonly args: readonly Node[]
  readonly block: BlockNode | undefined
  readonly blockArg: Node | undefined
  readonly isSafe: boolean
  /** Whether the call has no arguments, parentheses or receiver, so that it may have been meant as a variable. */
  readonly isBare: boolean
}

export interface DefNode extends At {
  readonly type: 'def'
  readonly singleton: Node | undefined
  readonly name: string
  readonly params: Params
  readonly body: Node
}

export interface BeginNode extends At {
  readonly type: 'begin'
  readonly body: Node
  readonly rescues: readonly RescueClause[]
  readonly otherwise: Node | undefined
  readonly ensure: Node | undefined
}

export interface CaseNode extends At {
  readonly type: 'case'
  readonly subject: Node | undefined
  readonly whens: readonly { readonly tests: readonly Node[]; readonly body: Node }[]
  readonly otherwise: Node | undefined
}

export interface CaseInNode extends At {
  readonly type: 'case_in'
  readonly subject: Node
  readonly clauses: readonly { readonly pattern: Pattern; readonly guard: Node | undefined; readonly body: Node }[]
  readonly otherwise: Node | undefined
}

export type Pattern =
  | { readonly type: 'value'; readonly value: Node }
  | { readonly type: 'bind'; readonly name: string }
  | { readonly type: 'as'; readonly pattern: Pattern; readonly name: string }
  | { readonly type: 'either'; readonly patterns: readonly Pattern[] }
  | {
      readonly type: 'list'
      readonly constant: Node | undefined
      readonly before: readonly Pattern[]
      /** Undefined without a splat; an empty name for a bare `*`. */
      readonly splat: string | undefined
      readonly after: readonly Pattern[]
    }
  | {
      readonly type: 'keys'
      readonly constant: Node | undefined
      readonly pairs: readonly { readonly key: string; readonly pattern: Pattern | undefined }[]
      /** Undefined without one; an empty name for a bare `**`; null for `**nil`. */
      readonly rest: string | null | undefined
    }

export type Node =
  | (At & { readonly type: 'nil' | 'true' | 'false' | 'self' | 'redo' | 'retry' | 'binding' })
  | (At & { readonly type: 'int'; readonly value: number | bigint })
  | (At & { readonly type: 'float'; readonly value: number })
  | (At & { readonly type: 'rational'; readonly text: string })
  | (At & { readonly type: 'str'; readonly value: string })
  | (At & { readonly type: 'dstr' | 'dsym'; readonly parts: readonly Node[] })
  | (At & { readonly type: 'sym'; readonly name: string })
  | (At & { readonly type: 'regex'; readonly parts: readonly Node[]; readonly flags: string })
  | (At & { readonly type: 'array'; readonly items: readonly Node[] })
  | (At & { readonly type: 'hash'; readonly pairs: readonly HashPair[]; readonly isBraced: boolean })
  | (At & {
      readonly type: 'range'
      readonly from: Node | undefined
      readonly to: Node | undefined
      readonly isExclusive: boolean
    })
  | (At & { readonly type: 'lvar' | 'ivar' | 'gvar' | 'cvar' | 'backref'; readonly name: string })
  | (At & { readonly type: 'nth'; readonly number: number })
  | (At & { readonly type: 'const'; readonly scope: Node | 'top' | undefined; readonly name: string })
  | (At & { readonly type: 'asgn'; readonly target: Node; readonly value: Node })
  | (At & { readonly type: 'opasgn'; readonly target: Node; readonly op: string; readonly value: Node })
  | (At & { readonly type: 'masgn'; readonly target: MultipleTarget; readonly value: Node })
  | MultipleTarget
  | (At & { readonly type: 'and' | 'or'; readonly left: Node; readonly right: Node })
  | (At & { readonly type: 'not'; readonly value: Node })
  | (At & { readonly type: 'defined'; readonly value: Node })
  | CallNode
  | (At & {
      readonly type: 'super'
      readonly args: readonly Node[] | undefined
      readonly block: BlockNode | undefined
      readonly blockArg: Node | undefined
    })
  | (At & { readonly type: 'yield'; readonly args: readonly Node[] })
  | (At & {
      readonly type: 'if'
      readonly condition: Node
      readonly body: Node | undefined
      readonly otherwise: Node | undefined
    })
  | (At & {
      readonly type: 'while'
      readonly condition: Node
      readonly body: Node
      readonly isUntil: boolean
      readonly testsLast: boolean
    })
  | (At & { readonly type: 'for'; readonly target: Node; readonly list: Node; readonly body: Node })
  | CaseNode
  | CaseInNode
  | BeginNode
  | (At & { readonly type: 'seq'; readonly items: readonly Node[] })
  | DefNode
  | (At & { readonly type: 'class'; readonly path: Node; readonly superclass: Node | undefined; readonly body: Node })
  | (At & { readonly type: 'module'; readonly path: Node; readonly body: Node })
  | (At & { readonly type: 'sclass'; readonly object: Node; readonly body: Node })
  | (At & { readonly type: 'alias'; readonly to: string; readonly from: string })
  | (At & { readonly type: 'undef'; readonly names: readonly string[] })
  | (At & { readonly type: 'return' | 'break' | 'next'; readonly value: Node | undefined })
  | (At & { readonly type: 'lambda'; readonly block: BlockNode })
  | (At & { readonly type: 'splat' | 'block_pass'; readonly value: Node })
  | (At & { readonly type: 'matches'; readonly value: Node; readonly pattern: Pattern; readonly isTest: boolean })

/** Thrown for code that cannot be parsed. The pipeline does not start. */
export class RubySyntaxError extends Error {
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.name = 'RubySyntaxError'
    this.line = line
  }
}
