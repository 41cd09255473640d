/** The syntax tree of a configuration file with the position of every node, before plugins are looked up. */

export interface Position {
  /** The file name; undefined for `-e`. */
  readonly file: string | undefined
  /** The whole text of the file, for excerpts in messages. */
  readonly source: string
  /** Offset in characters. */
  readonly offset: number
}

export type SectionKind = 'input' | 'filter' | 'output'

export interface Section {
  readonly kind: SectionKind
  readonly body: readonly Statement[]
  readonly at: Position
}

export type Statement = PluginNode | BranchNode

export interface PluginNode {
  readonly type: 'plugin'
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly at: Position
}

export interface Attribute {
  readonly name: string
  readonly value: ValueNode
  readonly at: Position
}

export interface BranchNode {
  readonly type: 'branch'
  /** Tried in order. The arm without a condition is the `else`. */
  readonly arms: readonly { readonly condition: ConditionNode | undefined; readonly body: readonly Statement[] }[]
  readonly at: Position
}

export type ValueNode =
  | { readonly type: 'bareword'; readonly text: string; readonly at: Position }
  | { readonly type: 'string'; readonly text: string; readonly at: Position }
  | { readonly type: 'number'; readonly text: string; readonly at: Position }
  | { readonly type: 'array'; readonly items: readonly ValueNode[]; readonly at: Position }
  | { readonly type: 'hash'; readonly entries: readonly HashEntry[]; readonly at: Position }
  | PluginNode

export interface HashEntry {
  readonly key: string
  readonly value: ValueNode
  readonly at: Position
}

export type BooleanOperator = 'and' | 'or' | 'xor' | 'nand'
export type CompareOperator = '==' | '!=' | '<=' | '>=' | '<' | '>'

export type ConditionNode =
  | {
      readonly type: 'chain'
      readonly first: ConditionNode
      readonly rest: readonly ChainLink[]
      readonly at: Position
    }
  | { readonly type: 'not'; readonly inner: ConditionNode; readonly at: Position }
  | {
      readonly type: 'in'
      readonly negated: boolean
      readonly left: Operand
      readonly right: Operand
      readonly at: Position
    }
  | {
      readonly type: 'compare'
      readonly operator: CompareOperator
      readonly left: Operand
      readonly right: Operand
      readonly at: Position
    }
  | {
      readonly type: 'match'
      readonly negated: boolean
      readonly left: Operand
      readonly pattern: string
      readonly at: Position
    }
  | { readonly type: 'truth'; readonly operand: Operand; readonly at: Position }

export interface ChainLink {
  readonly operator: BooleanOperator
  readonly condition: ConditionNode
}

export type Operand =
  | { readonly type: 'string'; readonly text: string; readonly at: Position }
  | { readonly type: 'number'; readonly text: string; readonly at: Position }
  | { readonly type: 'selector'; readonly text: string; readonly at: Position }
  | { readonly type: 'array'; readonly items: readonly ValueNode[]; readonly at: Position }
  | { readonly type: 'regexp'; readonly text: string; readonly at: Position }
