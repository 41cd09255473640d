/** State of one code generation: constants, temporary variables and helper names. */

import type { BlockIr, Ir, Variable } from '../analysis/ir.ts'
import type { Lookup } from '../api/lookup.ts'
import type { ContextDefinition } from '../contexts/context.ts'
import type { DocValuesType, ParamType } from '../contract.ts'
import type { ExactLong } from './exact-longs.ts'

/** Facts about the script that become its traits. */
export interface Observed {
  fields: Set<string>
  readsUnknownFields: boolean
  readsSource: boolean
  readsScore: boolean
  deterministic: boolean
  /** Parameters read with a constant name. */
  params: Set<string>
  /** The parts that are read of date fields, such as `hour`, and the date fields that are read in another way. */
  dateParts: Map<string, Set<string>>
  wholeDates: Set<string>
}

/** The types that are known when a script is compiled. */
export interface KnownTypes {
  field(name: string): DocValuesType | undefined
  param(name: string): ParamType | undefined
  /** How many bits the values of a long or date field have in the segment of a block, without the sign. */
  bits?(name: string): number
  /** Whether each document of the segment of a block has exactly one value. */
  dense?(name: string): boolean
}

/** A def whose type follows from the mapping, the parameters or constants. */
export interface KnownValue {
  code: string
  type: string
  /** The value as another primitive type; undefined if it must be converted. */
  as?: (type: string) => string | undefined
}

/** How block code stores emitted values: in the arrays of the collector, or by a call of the context's function. */
export type EmitMode = 'numbers' | 'longs' | 'texts' | 'calls'

export interface BlockOptions {
  readonly emits: EmitMode
  /** No loop of the script emits, so that a document has at most as many values as there are `emitSites`. */
  readonly isBounded: boolean
  /** Every document emits exactly one value, unless it fails. */
  readonly emitsOnce: boolean
}

export interface Generators {
  expression(e: Emitter, node: Ir): string
  block(e: Emitter, ir: BlockIr): string
  known(e: Emitter, node: Ir): KnownValue | undefined
}

/**
 * Builds JavaScript text. The text contains numbers, strings printed by JSON.stringify, generated names (`v1`, `t1`,
 * `f1`) and names of this module. It never contains other parts of the source.
 */
export class Emitter {
  readonly lookup: Lookup
  readonly context: ContextDefinition
  readonly types: KnownTypes
  /** Values that the text refers to as `K[n]`. */
  readonly constants: unknown[] = []
  readonly observed: Observed = {
    fields: new Set(),
    readsUnknownFields: false,
    readsSource: false,
    readsScore: false,
    deterministic: true,
    params: new Set(),
    dateParts: new Map(),
    wholeDates: new Set(),
  }
  #temporaries = 0
  /** The generators of expressions and blocks, for recursive calls. */
  readonly expression: (node: Ir) => string
  readonly block: (ir: BlockIr) => string
  readonly known: (node: Ir) => KnownValue | undefined
  /** Whether the function being generated has loops. */
  loops = false
  /** Fields with constant names. They are bound to `c0`, `c1` … when an instance is created. */
  readonly columns = new Map<string, number>()
  /** The numbers of the columns that are read by type rather than as objects. */
  readonly typedColumns = new Set<number>()
  /** Those that block code reads as 64-bit integers. */
  readonly longColumns = new Set<number>()
  readonly exactLongs = new Map<Ir, ExactLong | undefined>()
  readonly #known = new Map<Ir, KnownValue | undefined>()
  readonly objectColumns = new Set<number>()
  /** The reads of date fields of which code for one document takes only a part. */
  readonly partReads = new Map<Ir, string>()
  /** Parameters with constant names. They are bound to `q0`, `q1` … when an instance is created. */
  readonly boundParams = new Map<string, number>()
  /** Functions of the context that the script calls, bound to `m0`, `m1` … */
  readonly contextFunctions = new Map<string, number>()
  /** The code is for a block of documents: the script is the body of a loop and runs for document `i` of the block. */
  readonly inBlock: boolean
  readonly emits: EmitMode
  readonly isBounded: boolean
  readonly emitsOnce: boolean
  /** The number of calls of `emit` in the code. */
  emitSites = 0
  /** The numbers of constants that are functions which count no steps and create no texts or collections. */
  readonly freeConstants = new Set<number>()
  /** Whether the code cannot be of this mode: a lambda emits, or a long is not exact as a number. */
  needsMode: EmitMode | undefined
  /** Whether `return` leaves a lambda or function rather than the script. */
  nested = false
  /** The code depends on the current document of the environment. */
  needsDocument = false

  constructor(
    lookup: Lookup,
    context: ContextDefinition,
    types: KnownTypes,
    generators: Generators,
    block?: BlockOptions,
  ) {
    this.inBlock = block !== undefined
    this.emits = block?.emits ?? 'calls'
    this.isBounded = block?.isBounded ?? false
    this.emitsOnce = block?.emitsOnce ?? false
    this.expression = (node) => generators.expression(this, node)
    this.known = (node) => {
      // Without the map, the code of a part would be generated again for each expression around it.
      if (!this.#known.has(node)) this.#known.set(node, generators.known(this, node))
      return this.#known.get(node)
    }
    this.block = (ir) => generators.block(this, ir)

    this.lookup = lookup
    this.context = context
    this.types = types
  }

  constant(value: unknown): string {
    this.constants.push(value)
    return `K[${this.constants.length - 1}]`
  }

  /** The name that a function of the context is bound to when an instance is made. */
  contextFunction(key: string): string {
    let number = this.contextFunctions.get(key)
    if (number === undefined) this.contextFunctions.set(key, (number = this.contextFunctions.size))
    return `m${number}`
  }

  temporary(): string {
    return `t${this.#temporaries++}`
  }

  get temporaries(): number {
    return this.#temporaries
  }

  /** Runs `generate` with temporaries of its own and returns their declaration. */
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

/** A string literal. Line separators are escaped too, because older JavaScript did not allow them in literals. */
export const literal = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)

/** Code of a value after which the position of an error is `at`. */
export const after = (code: string, at: number): string => `R.at(${code},p=${at})`
