/** State of one code generation: constants, temporary variables and helper names. */

import type { BlockIr, Ir, Variable } from '../analysis/ir.ts'
import type { Lookup } from '../api/lookup.ts'
import type { ContextDefinition } from '../contexts/context.ts'
import type { DocValuesType, ParamType } from '../contract.ts'

/** Facts about the script that its callers ask for. */
export interface Observed {
  fields: Set<string>
  readsUnknownFields: boolean
  readsSource: boolean
  readsScore: boolean
  deterministic: boolean
  /** Parameters read with a constant name. */
  params: Set<string>
}

/** What is known of a script's surroundings when it is compiled. */
export interface KnownTypes {
  field(name: string): DocValuesType | undefined
  param(name: string): ParamType | undefined
}

/**
 * Builds JavaScript text. The text holds numbers, strings printed by JSON.stringify, generated names (`v1`, `t1`, `f1`) and names of this
 * module; nothing of the source gets into it otherwise.
 */
export class Emitter {
  readonly lookup: Lookup
  readonly context: ContextDefinition
  readonly types: KnownTypes
  /** Values the text refers to as `K[n]`. */
  readonly constants: unknown[] = []
  readonly observed: Observed = {
    fields: new Set(),
    readsUnknownFields: false,
    readsSource: false,
    readsScore: false,
    deterministic: true,
    params: new Set(),
  }
  #temporaries = 0
  /** The generators of expressions and blocks, which the parts of them call. */
  readonly expression: (node: Ir) => string
  readonly block: (ir: BlockIr) => string
  /** Whether the function being generated has loops. */
  loops = false
  /** Fields with constant names, bound to `c0`, `c1` … when an instance is made. */
  readonly columns = new Map<string, number>()
  /** Columns whose values are read by type rather than as objects. */
  readonly typedColumns = new Set<number>()
  readonly objectColumns = new Set<number>()
  /** Parameters with constant names, bound to `q0`, `q1` … when an instance is made. */
  readonly boundParams = new Map<string, number>()
  /** The code is for a block of documents: the script is the body of a loop, and document `i` of the block is the current one. */
  readonly inBlock: boolean
  /** Whether `return` leaves a lambda or function rather than the script. */
  nested = false
  /** The code needs the environment to know the current document. */
  needsDocument = false

  constructor(
    lookup: Lookup,
    context: ContextDefinition,
    types: KnownTypes,
    generators: { expression(e: Emitter, node: Ir): string; block(e: Emitter, ir: BlockIr): string },
    inBlock = false,
  ) {
    this.inBlock = inBlock
    this.expression = (node) => generators.expression(this, node)
    this.block = (ir) => generators.block(this, ir)

    this.lookup = lookup
    this.context = context
    this.types = types
  }

  constant(value: unknown): string {
    this.constants.push(value)
    return `K[${this.constants.length - 1}]`
  }

  temporary(): string {
    return `t${this.#temporaries++}`
  }

  get temporaries(): number {
    return this.#temporaries
  }

  /** Runs `generate` with temporaries of its own and gives their declaration. */
  withOwnTemporaries<T>(generate: () => T): { value: T; declaration: string; loops: boolean } {
    const from = this.#temporaries
    const outerLoops = this.loops
    this.loops = false
    const value = generate()
    const names: string[] = []
    for (let i = from; i < this.#temporaries; i++) names.push(`t${i}`)
    const { loops } = this
    this.loops = outerLoops
    return { value, declaration: names.length === 0 ? '' : `let ${names.join(',')};`, loops }
  }
}

export const nameOf = (variable: Variable): string => `v${variable.slot}`

/** A string literal. Line separators are escaped too: JSON allows them where JavaScript once did not. */
export const literal = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)
