/** Turns the parsed tree of a script into the typed tree. */
import { isPrimitive, lookupFor } from '../api/lookup.ts'
import { type ContextDefinition, type ContextName, contextDefinition } from '../contexts/context.ts'
import type { RegexSettings } from '../contract.ts'
import { illegalState, throwable } from '../errors/java-throwable.ts'
import type { Expression, FunctionTree, ScriptTree } from '../parser/tree.ts'
import { compileRegex, type RegexSyntaxError } from '../runtime/regex/regex-adapter.ts'
import { AnalyzerBase, checkUse, fail, located, type Prefix, READ, type Use } from './analyzer-base.ts'
import { castTo } from './casts.ts'
import { numericConstant, numericText } from './constants.ts'
import type { Ir, ScriptIr, UserFunction } from './ir.ts'
import { analyzeFunctionRef, analyzeLambda } from './lambdas.ts'
import * as members from './members.ts'
import * as operators from './operators.ts'
import { FunctionScope, Scope } from './scope.ts'
import { statementOffsets } from './statement-offsets.ts'
import { analyzeBlock } from './statements.ts'

export function analyzeScript(tree: ScriptTree, context: ContextName, regex: RegexSettings): ScriptIr {
  return new Analyzer(contextDefinition(context), regex).script(tree)
}

class Analyzer extends AnalyzerBase {
  readonly #regex: RegexSettings

  constructor(context: ContextDefinition, regex: RegexSettings) {
    super(lookupFor(context.name), context)
    this.#regex = regex
  }

  script(tree: ScriptTree): ScriptIr {
    for (const fn of tree.functions) this.#declare(fn)
    const functions = tree.functions.map((fn) => this.#function(fn))
    const { returns, variables } = this.context
    const scope = new Scope(new FunctionScope(returns, undefined, true))
    for (const { name, type } of variables) scope.defineContext(name, type)
    if (tree.body.statements.length === 0)
      throw fail(
        tree.body.at,
        'invalid function definition: found no statements for function [execute] with [0] parameters',
      )
    const { ir } = analyzeBlock(this, tree.body, scope, { lastSource: true })
    return { functions, body: ir, returns, statements: statementOffsets(tree) }
  }

  /** Functions are declared before any body is analysed, so they can call each other in any order. */
  #declare(fn: FunctionTree): void {
    const { at, name } = fn
    const returns = this.resolveType(fn.returns)
    if (returns === undefined)
      throw fail(
        at,
        `invalid function definition: return type [${fn.returns.name}] not found for function [${name}/${fn.params.length}]`,
      )
    const key = `${name}/${fn.params.length}`
    const params = fn.params.map((param, slot) => {
      const type = this.resolveType(param.type)
      if (type === undefined)
        throw fail(
          at,
          `invalid function definition: parameter type [${param.type.name}] not found for function [${key}]`,
        )
      return { name: param.name, type, slot, readOnly: false }
    })
    if (this.functions.has(key)) throw fail(at, `invalid function definition: found duplicate function [${key}].`)
    this.functions.set(key, { name, returns, params, number: this.functions.size })
  }

  #function(fn: FunctionTree): ScriptIr['functions'][number] {
    const { at } = fn
    const declared = this.functions.get(`${fn.name}/${fn.params.length}`)!
    const scope = new Scope(new FunctionScope(declared.returns))
    const params = declared.params.map((param) => scope.define(param.name, param.type, at))
    const own: UserFunction = Object.assign(declared, { params })
    const which = `function [${fn.name}] with [${fn.params.length}] parameters`
    if (fn.body.statements.length === 0) throw fail(at, `invalid function definition: found no statements for ${which}`)
    const { ir, methodEscape } = analyzeBlock(this, fn.body, scope, { lastSource: true })
    if (!methodEscape && declared.returns !== 'void')
      throw fail(at, `invalid function definition: not all paths provide a return value for ${which}`)
    return { function: own, body: ir, at }
  }

  visit(node: Expression, scope: Scope, use: Use): Ir {
    const prefix = this.prefix(node, scope, use)
    if ('value' in prefix) return prefix.value
    if ('partial' in prefix) throw fail(prefix.at, `cannot resolve symbol [${prefix.partial}]`)
    throw fail(prefix.at, `value required: instead found unexpected type [${prefix.static}]`)
  }

  prefix(node: Expression, scope: Scope, use: Use): Prefix {
    if (node.kind === 'symbol') return members.analyzeSymbol(this, node, scope, use)
    if (node.kind === 'dot') return members.analyzeDot(this, node, scope, use)
    return { value: this.#value(node, scope, use) }
  }

  #value(node: Exclude<Expression, { kind: 'symbol' | 'dot' }>, scope: Scope, use: Use): Ir {
    switch (node.kind) {
      case 'binary':
        return operators.analyzeBinary(this, node, scope, use)
      case 'comparison':
        return operators.analyzeComparison(this, node, scope, use)
      case 'boolean':
        return operators.analyzeLogical(this, node, scope, use)
      case 'unary':
        return operators.analyzeUnary(this, node, scope, use)
      case 'conditional':
        return operators.analyzeConditional(this, node, scope, use)
      case 'elvis':
        return operators.analyzeElvis(this, node, scope, use)
      case 'assignment':
        return operators.analyzeAssignment(this, node, scope, use)
      case 'increment':
        return operators.analyzeIncrement(this, node, scope, use)
      case 'brace':
        return members.analyzeBrace(this, node, scope, use)
      case 'call':
        return members.analyzeCall(this, node, scope, use)
      case 'callLocal':
        return members.analyzeCallLocal(this, node, scope, use)
      case 'newObject':
        return members.analyzeNewObject(this, node, scope, use)
      case 'newArray':
        return members.analyzeNewArray(this, node, scope, use)
      case 'lambda':
        return analyzeLambda(this, node, scope, use, analyzeBlock)
      case 'functionRef':
        return analyzeFunctionRef(this, node, scope, use)
      case 'cast':
        return this.#cast(node, scope, use)
      case 'instanceof':
        return this.#instanceof(node, scope, use)
      case 'list':
        return this.#list(node, scope, use)
      case 'map':
        return this.#map(node, scope, use)
      default:
        return this.#constant(node, use)
    }
  }

  #cast(node: Extract<Expression, { kind: 'cast' }>, scope: Scope, use: Use): Ir {
    checkUse(use, node.at, `an explicit cast with target type [${node.type.name}]`)
    const type = this.resolveType(node.type)
    if (type === undefined) throw fail(node.at, `cannot resolve type [${node.type.name}]`)
    const value = this.visit(node.child, scope, { read: true, target: type, explicit: true })
    const cast = castTo(this.lookup, value, type, { explicit: true })
    return cast.op === 'cast' && cast !== value ? { ...cast, at: node.at } : cast
  }

  #instanceof(node: Extract<Expression, { kind: 'instanceof' }>, scope: Scope, use: Use): Ir {
    checkUse(use, node.at, `instanceof with target type [${node.type.name}]`)
    const tested = this.resolveType(node.type)
    if (tested === undefined) throw fail(node.at, `Not a type [${node.type.name}].`)
    const child = this.visit(node.child, scope, READ)
    return { op: 'instanceof', child, tested, type: 'boolean', at: node.at }
  }

  #list(node: Extract<Expression, { kind: 'list' }>, scope: Scope, use: Use): Ir {
    checkUse(use, node.at, 'list initializer')
    const values = node.values.map((value) => this.visitAs(value, scope, 'def', { internal: true }))
    return { op: 'list', values, type: 'java.util.ArrayList', at: node.at }
  }

  #map(node: Extract<Expression, { kind: 'map' }>, scope: Scope, use: Use): Ir {
    checkUse(use, node.at, 'map initializer')
    const entries = node.entries.map(([key, value]): [Ir, Ir] => [
      this.visitAs(key, scope, 'def', { internal: true }),
      this.visitAs(value, scope, 'def', { internal: true }),
    ])
    return { op: 'map', entries, type: 'java.util.HashMap', at: node.at }
  }

  #constant(
    node: Extract<Expression, { kind: 'numeric' | 'booleanConstant' | 'null' | 'string' | 'regex' }>,
    use: Use,
  ): Ir {
    const { at } = node
    const named = (what: string) => checkUse(use, at, what, `${what} not used`)
    switch (node.kind) {
      case 'numeric':
        named(`numeric constant [${numericText(node)}]`)
        return numericConstant(node, use.target)
      case 'booleanConstant':
        named(`boolean constant [${node.value}]`)
        return { op: 'constant', value: node.value, type: 'boolean', at }
      case 'string':
        named(`string constant [${node.value}]`)
        return { op: 'constant', value: node.value, type: 'java.lang.String', at }
      case 'null':
        named('null constant')
        if (use.target !== undefined && isPrimitive(use.target))
          throw fail(at, `Cannot cast null to a primitive type [${use.target}].`)
        return { op: 'null', type: use.target ?? 'java.lang.Object', at }
      case 'regex':
        named(`regex constant [${node.pattern}] with flags [${node.flags}]`)
        return this.#regexConstant(node)
    }
  }

  #regexConstant(node: Extract<Expression, { kind: 'regex' }>): Ir {
    const { at, pattern, flags } = node
    if (this.#regex.enabled === false)
      throw located(
        illegalState(
          'Regexes are disabled. Set [script.painless.regex.enabled] to [true] in elasticsearch.yaml to allow them. ' +
            "Be careful though, regexes break out of Painless's protection against deep recursion and long loops.",
        ),
        at,
      )
    try {
      compileRegex(pattern, flags)
    } catch (e) {
      const { description, index, message } = e as RegexSyntaxError
      throw fail(
        at + 1 + Math.max(index, 0),
        `invalid regular expression: could not compile regex constant [${pattern}] with flags [${flags}]: ${description}`,
        throwable('java.util.regex.PatternSyntaxException', message),
      )
    }
    return { op: 'regex', pattern, flags, type: 'java.util.regex.Pattern', at }
  }
}
