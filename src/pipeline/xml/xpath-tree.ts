/** The syntax tree of XPath 1.0 expressions. */

export type Axis =
  | 'child'
  | 'descendant'
  | 'descendant-or-self'
  | 'parent'
  | 'ancestor'
  | 'ancestor-or-self'
  | 'self'
  | 'attribute'
  | 'following-sibling'
  | 'preceding-sibling'

export const AXES: ReadonlySet<string> = new Set<Axis>([
  'child',
  'descendant',
  'descendant-or-self',
  'parent',
  'ancestor',
  'ancestor-or-self',
  'self',
  'attribute',
  'following-sibling',
  'preceding-sibling',
])

export type NodeTest =
  | { readonly kind: 'node' }
  | { readonly kind: 'text' }
  /** A local name or `*`, with the namespace of its prefix; undefined without a prefix. */
  | { readonly kind: 'name'; readonly local: string; readonly namespace: string | undefined; readonly full: string }

export interface Step {
  readonly axis: Axis
  readonly test: NodeTest
  readonly predicates: readonly Expression[]
}

export type BinaryOperator = 'or' | 'and' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | 'div' | 'mod' | '|'

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'negate'; readonly of: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  /** Starts at the document, at the value of another expression, or at the current node. */
  | {
      readonly kind: 'path'
      readonly from: 'root' | 'here' | Expression
      readonly predicates: readonly Expression[]
      readonly steps: readonly Step[]
    }
