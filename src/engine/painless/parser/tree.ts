/**
 * The syntax tree of a source, before names are resolved. `at` is the offset that errors point to: the first token of a
 * node, or the dot or bracket of a member access.
 */
export interface TypeName {
  /** `int`, `def`, `String`, `java.util.List`, with `[]` per dimension. */
  name: string
  at: number
}

export type Expression =
  | { kind: 'binary'; op: string; left: Expression; right: Expression; at: number }
  | { kind: 'comparison'; op: string; left: Expression; right: Expression; at: number }
  | { kind: 'boolean'; op: '&&' | '||'; left: Expression; right: Expression; at: number }
  | { kind: 'unary'; op: '!' | '~' | '+' | '-'; child: Expression; at: number }
  | { kind: 'cast'; type: TypeName; child: Expression; at: number }
  | { kind: 'instanceof'; type: TypeName; child: Expression; at: number }
  | { kind: 'conditional'; condition: Expression; left: Expression; right: Expression; at: number }
  | { kind: 'elvis'; left: Expression; right: Expression; at: number }
  | { kind: 'assignment'; op: string; left: Expression; right: Expression; at: number }
  | { kind: 'increment'; op: '++' | '--'; postfix: boolean; child: Expression; at: number }
  | { kind: 'numeric'; text: string; radix: 8 | 10 | 16; decimal: boolean; negated: boolean; at: number }
  | { kind: 'booleanConstant'; value: boolean; at: number }
  | { kind: 'null'; at: number }
  | { kind: 'string'; value: string; at: number }
  | { kind: 'regex'; pattern: string; flags: string; at: number }
  | { kind: 'list'; values: Expression[]; at: number }
  | { kind: 'map'; entries: [Expression, Expression][]; at: number }
  | { kind: 'symbol'; name: string; at: number }
  | { kind: 'callLocal'; name: string; args: Expression[]; at: number }
  | { kind: 'newObject'; type: TypeName; args: Expression[]; at: number }
  | { kind: 'newArray'; type: TypeName; values: Expression[]; initializer: boolean; at: number }
  | { kind: 'call'; target: Expression; nullSafe: boolean; name: string; args: Expression[]; at: number }
  | { kind: 'dot'; target: Expression; nullSafe: boolean; name: string; at: number }
  | { kind: 'brace'; target: Expression; index: Expression; at: number }
  | { kind: 'lambda'; params: LambdaParameter[]; body: Block; at: number }
  | { kind: 'functionRef'; type: TypeName; name: string; at: number }

export interface LambdaParameter {
  type: TypeName | undefined
  name: string
}

export type Statement =
  | { kind: 'if'; condition: Expression; then: Block | undefined; at: number }
  | { kind: 'ifElse'; condition: Expression; then: Block | undefined; else: Block | undefined; at: number }
  | { kind: 'while'; condition: Expression; body: Block | undefined; at: number }
  | { kind: 'do'; condition: Expression; body: Block | undefined; at: number }
  | {
      kind: 'for'
      initializer: Statement | Expression | undefined
      condition: Expression | undefined
      afterthought: Expression | undefined
      body: Block | undefined
      at: number
    }
  | { kind: 'each'; type: TypeName; name: string; iterable: Expression; body: Block | undefined; at: number }
  | { kind: 'declarations'; declarations: Declaration[]; at: number }
  | { kind: 'continue'; at: number }
  | { kind: 'break'; at: number }
  | { kind: 'return'; value: Expression | undefined; at: number }
  | { kind: 'throw'; value: Expression; at: number }
  | { kind: 'expression'; value: Expression; at: number }
  | { kind: 'try'; body: Block | undefined; catches: Catch[]; at: number }

export interface Declaration {
  type: TypeName
  name: string
  value: Expression | undefined
  at: number
}

export interface Catch {
  type: TypeName
  name: string
  body: Block | undefined
  at: number
}

export interface Block {
  statements: Statement[]
  at: number
}

export interface FunctionTree {
  returns: TypeName
  name: string
  params: { type: TypeName; name: string }[]
  body: Block
  at: number
}

export interface ScriptTree {
  functions: FunctionTree[]
  body: Block
}
