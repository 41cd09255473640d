/** The environment of one script instance: parameters, variables and functions of its context. */
import type { ContextDefinition } from '../../contexts/context.ts'
import type { ScriptBindings } from '../../contract.ts'
import { unsupportedOperation } from '../../errors/java-throwable.ts'
import { toJava } from '../../host/host-values.ts'
import { JDouble } from '../boxed.ts'
import { type JMap, JReadOnlyMap } from '../collections/map.ts'
import type { Implementation } from '../registry.ts'
import { contextFunctions } from './context-functions.ts'
import { DocMap } from './doc-map.ts'
import { ParamsMap } from './params-map.ts'

export class Environment {
  readonly params: unknown
  readonly doc: unknown
  readonly functions: Readonly<Record<string, Implementation>>
  /** The document of the segment for which the script runs. */
  document = 0
  /** The place in a block at which the script failed. */
  stopped = 0
  /** The score of the current document of a block. */
  givenScore: number | undefined
  readonly bindings: ScriptBindings
  readonly docMap: DocMap | undefined
  readonly #source: ParamsMap | undefined
  readonly #variables: Record<string, unknown> = Object.create(null)
  readonly [name: string]: unknown

  /** Called by block code before each document. */
  readonly begin: (document: number) => void

  constructor(context: ContextDefinition, bindings: ScriptBindings) {
    this.bindings = bindings
    this.begin = bindings.begin ?? (() => {})
    const params = (toJava(bindings.params ?? {}) ?? toJava({})) as JMap
    const perDocument = context.variables.some((v) => v.name === 'doc' && v.type === 'java.util.Map')
    if (perDocument) this.#source = new ParamsMap(params, bindings)
    this.params = this.#source ?? new JReadOnlyMap(params)
    if (perDocument && bindings.doc !== undefined) this.docMap = new DocMap(bindings.doc, this)
    if (perDocument) this.doc = this.docMap ?? null
    for (const { name } of context.variables)
      if (!['params', '_score'].includes(name) && !(name === 'doc' && perDocument))
        Object.defineProperty(this, name, { get: () => this.#variables[name] ?? null, enumerable: true })
    this.functions = contextFunctions(context, this)
  }

  score(): number {
    return this.givenScore ?? this.bindings.score?.() ?? 0
  }

  set(name: string, value: unknown): void {
    this.#variables[name] = value
  }

  /** Assigns a variable of the context. The caller of the script never sees the new value. */
  assign(name: string, value: unknown): unknown {
    if (name === 'params' || name === 'doc') throw unsupportedOperation()
    this.#variables[name] = value
    return value
  }

  /** The value of a parameter, unboxed if the code uses it as a primitive. */
  param(name: string, isPrimitive: boolean): unknown {
    const value = (this.params as JMap).get_1(name)
    return isPrimitive && value instanceof JDouble ? value.value : value
  }

  /** Moves to another document. Values read for the last one are dropped. */
  moveTo(document: number): void {
    this.document = document
    this.docMap?.moveTo(document)
    this.#source?.moveTo(document)
  }
}
