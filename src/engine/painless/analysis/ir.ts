/**
 * The typed tree: every name is resolved, every conversion is a node of its own, every expression has a Painless type.
 *
 * Types are canonical names: `int`, `def`, `java.util.List`, `int[]`.
 */
import type { ApiField, ApiMethod } from '../api/api-lines.ts'
import type { ContextFunction } from '../contexts/context.ts'

export interface Variable {
  name: string
  type: string
  /** The number of the variable in its function. The generated name is made from it. */
  slot: number
  readOnly: boolean
  /** A variable of the context. It is read from the environment of the script. */
  context?: boolean
}

interface Typed {
  type: string
  at: number
}

/** A place that can be read and written. */
export type Place = Typed &
  (
    | { op: 'local'; variable: Variable }
    | { op: 'element'; array: Ir; index: Ir }
    | { op: 'listItem'; list: Ir; index: Ir }
    | { op: 'mapItem'; map: Ir; key: Ir }
    | { op: 'defItem'; target: Ir; index: Ir }
    | { op: 'defField'; target: Ir; name: string }
    | { op: 'accessor'; target: Ir; getter: ApiMethod | undefined; setter: ApiMethod | undefined }
    | { op: 'field'; target: Ir; field: ApiField }
  )

export type Ir =
  | Place
  | (Typed &
      (
        | { op: 'constant'; value: number | bigint | boolean | string }
        | { op: 'null' }
        | { op: 'regex'; pattern: string; flags: string }
        | { op: 'cast'; child: Ir; explicit: boolean; castAt: number }
        | { op: 'binary'; operator: string; operandType: string; shiftType?: string; left: Ir; right: Ir }
        | { op: 'concat'; parts: Ir[] }
        | { op: 'regexTest'; operator: '=~' | '==~'; left: Ir; right: Ir }
        | { op: 'comparison'; operator: string; operandType: string; left: Ir; right: Ir }
        | { op: 'logical'; operator: '&&' | '||'; left: Ir; right: Ir }
        | { op: 'unary'; operator: '!' | '~' | '+' | '-'; child: Ir }
        | { op: 'instanceof'; child: Ir; tested: string }
        | { op: 'conditional'; condition: Ir; left: Ir; right: Ir }
        | { op: 'elvis'; left: Ir; right: Ir }
        | { op: 'store'; place: Place; value: Ir; read: boolean }
        | {
            op: 'compound'
            place: Place
            operator: string
            /** The type in which the operation is done; String for concatenation. */
            compoundType: string
            shiftType?: string
            value: Ir
            read: boolean
            /** The result is the old value, as in `x++`. */
            postfix: boolean
          }
        | { op: 'list'; values: Ir[] }
        | { op: 'map'; entries: [Ir, Ir][] }
        | { op: 'newArray'; values: Ir[]; initializer: boolean }
        | { op: 'newObject'; creator: ApiMethod; args: Ir[] }
        | { op: 'staticField'; field: ApiField }
        | { op: 'arrayLength'; array: Ir }
        | { op: 'staticCall'; method: ApiMethod; args: Ir[] }
        | { op: 'call'; target: Ir; method: ApiMethod; args: Ir[]; nullSafe: boolean }
        | { op: 'defCall'; target: Ir; name: string; args: Ir[]; nullSafe: boolean }
        | { op: 'nullSafe'; target: Ir; member: Ir; placeholder: Placeholder }
        | { op: 'placeholder'; holder: Placeholder }
        | { op: 'functionCall'; function: UserFunction; args: Ir[] }
        | { op: 'contextCall'; function: ContextFunction; args: Ir[] }
        | { op: 'lambda'; lambda: LambdaIr }
        | { op: 'functionRef'; ref: FunctionRefIr }
      ))

/** The value of the target of `?.`, for use in the member expression. */
export interface Placeholder {
  name?: string
}

export interface LambdaIr {
  /** The functional interface; undefined when a def call decides at run time. */
  target: string | undefined
  interfaceMethod: ApiMethod | undefined
  params: Variable[]
  returns: string
  body: BlockIr
  captures: Variable[]
}

export interface FunctionRefIr {
  target: string | undefined
  interfaceMethod: ApiMethod | undefined
  typeName: string
  name: string
  /** The called method or function; undefined when a def call decides at run time. */
  callee:
    | { kind: 'static'; method: ApiMethod }
    | { kind: 'virtual'; method: ApiMethod; receiver: string }
    | { kind: 'constructor'; method: ApiMethod }
    | { kind: 'array'; type: string }
    | { kind: 'user'; function: UserFunction }
    | { kind: 'bound'; variable: Variable; method: ApiMethod | undefined }
    | undefined
}

export interface UserFunction {
  name: string
  returns: string
  params: Variable[]
  /** The number of the lambda in the script. The generated name is made from it. */
  number: number
}

export interface BlockIr {
  statements: StatementIr[]
}

export type StatementIr = { at: number } & (
  | { op: 'if'; condition: Ir; whenTrue: BlockIr; whenFalse: BlockIr | undefined }
  | { op: 'while'; condition: Ir | undefined; body: BlockIr | undefined }
  | { op: 'do'; condition: Ir | undefined; body: BlockIr }
  | {
      op: 'for'
      initializer: StatementIr | undefined
      condition: Ir | undefined
      afterthought: Ir | undefined
      body: BlockIr | undefined
    }
  | { op: 'each'; variable: Variable; iterable: Ir; body: BlockIr; elementCast: { from: string } }
  | { op: 'declare'; variables: { variable: Variable; value: Ir | undefined; at: number }[] }
  | { op: 'continue' }
  | { op: 'break' }
  | { op: 'return'; value: Ir | undefined }
  | { op: 'throw'; value: Ir }
  | { op: 'expression'; value: Ir }
  | { op: 'try'; body: BlockIr; catches: { type: string; variable: Variable; body: BlockIr | undefined }[] }
)

export interface ScriptIr {
  functions: { function: UserFunction; body: BlockIr; at: number }[]
  body: BlockIr
  returns: string
  /**
   * The offsets at which statements start, ascending. They delimit the part of the source that a run-time error shows.
   */
  statements: number[]
}
