/** State of one code generation: constants, temporary variables and helper names. */

import type { BlockIr, Ir, Variable } from '../analysis/ir.ts'
import type { Lookup } from '../api/lookup.ts'
import type { ContextDefinition } from '../contexts/context.ts'
import type { DocValuesType } from '../contract.ts'

/** Facts about the script that its callers ask for. */
export interface Observed {
  fields: Set<string>
  readsUnknownFields: boolean
  readsSource: boolean
  readsScore: boolean
  deterministic: boolean
}

/**
 * Builds JavaScript text. The text holds numbers, strings printed by JSON.stringify, generated names (`v1`, `t1`, `f1`) and names of this
 * module; nothing of the source gets into it otherwise.
 */
export class Emitter {
  readonly lookup: Lookup
  readonly context: ContextDefinition
  readonly fieldType: (field: string) => DocValuesType | undefined
  /** Values the text refers to as `K[n]`. */
  readonly constants: unknown[] = []
  readonly observed: Observed = {
    fields: new Set(),
    readsUnknownFields: false,
    readsSource: false,
    readsScore: false,
    deterministic: true,
  }
  #temporaries = 0
  /** The generators of expressions and blocks, which the parts of them call. */
  readonly expression: (node: Ir) => string
  readonly block: (ir: BlockIr) => string
  /** Whether the function being generated has loops. */
  loops = false
  /** Fields read by typed readers, by name. */
  readonly columns = new Map<string, number>()

  constructor(
    lookup: Lookup,
    context: ContextDefinition,
    fieldType: (field: string) => DocValuesType | undefined,
    generators: { expression(e: Emitter, node: Ir): string; block(e: Emitter, ir: BlockIr): string },
  ) {
    this.expression = (node) => generators.expression(this, node)
    this.block = (ir) => generators.block(this, ir)

    this.lookup = lookup
    this.context = context
    this.fieldType = fieldType
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
