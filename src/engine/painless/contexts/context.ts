/** A context defines the purpose of a script: its variables, its functions and the type of its result. */
import { CONTEXTS } from './context-definitions.ts'

export type ContextName = keyof typeof CONTEXTS

/** A variable of a context by name, with its Painless type. */
export interface ContextVariable {
  name: string
  type: string
  /**
   * The variable is a parameter of the script's method rather than a getter. Lambdas capture it like a local variable.
   */
  parameter?: boolean
}

/** A function that scripts of a context call by its bare name: `emit(…)`, `field(…)`, `saturation(…)`. */
export interface ContextFunction {
  name: string
  returns: string
  params: readonly string[]
  /** The number of leading arguments that must be constants. The function caches results computed from them. */
  constants?: number
}

export interface ContextDefinition {
  name: ContextName
  returns: string
  variables: readonly ContextVariable[]
  functions: readonly ContextFunction[]
}

export function contextDefinition(name: ContextName): ContextDefinition {
  const { returns, variables, functions } = CONTEXTS[name]
  return { name, returns, variables: variables.map(parseVariable), functions: functions.map(parseFunction) }
}

export const isContextName = (name: string): name is ContextName => Object.hasOwn(CONTEXTS, name)

export const contextNames = (): ContextName[] => Object.keys(CONTEXTS) as ContextName[]

/** Parses `java.util.Map params`, or `=double weight` for a parameter of the method. */
function parseVariable(text: string): ContextVariable {
  const [type, name] = text.replace('=', '').split(' ')
  return { name: name!, type: type!, ...(text.startsWith('=') ? { parameter: true } : {}) }
}

/** Parses `void emit(long)`. `!4` after the list is the number of leading arguments that must be constants. */
function parseFunction(text: string): ContextFunction {
  const [, returns, name, params, constants] = /^(\S+) (\w+)\(([^)]*)\)(?:!(\d))?$/.exec(text)!
  return {
    name: name!,
    returns: returns!,
    params: params === '' ? [] : params!.split(','),
    ...(constants === undefined ? {} : { constants: Number(constants) }),
  }
}
