/**
 * Field-level and document-level security: which documents and fields of an index a caller may read.
 *
 * A caller has one or two sides: its roles, and for an API key with role descriptors also those of its owner. All sides
 * apply. The entries of one side that cover a name are alternatives: an entry without a query opens all documents, and
 * one without field security opens all fields. The limits are plain data, because other threads apply them too.
 */
import { nameSet } from './name-set.ts'

export interface FieldSecurity {
  /** Undefined: all fields except those in `except`. */
  readonly grant: readonly string[] | undefined
  readonly except: readonly string[] | undefined
}

/** One entry of a role that grants the action of a request. */
export interface LimitEntry {
  /** Patterns for indices, aliases and data streams. */
  readonly names: readonly string[]
  /** A query as JSON, with templates rendered; undefined if all documents may be read. */
  readonly query: string | undefined
  /** Undefined if all fields may be read. */
  readonly fields: FieldSecurity | undefined
}

export interface ReadLimits {
  readonly sides: readonly (readonly LimitEntry[])[]
}

/** The limits of one index. */
export interface IndexLimits {
  /** A document must match one of the queries of each group; a group without queries matches none. */
  readonly queries: readonly (readonly string[])[]
  /** A field must be granted by one of the entries of each group. */
  readonly fields: readonly (readonly FieldSecurity[])[]
}

/**
 * The limits of an index that a request reaches by `names`: its own name, its data stream, or aliases. Undefined if
 * everything may be read. A side without an entry for these names grants nothing.
 */
export function limitsOf(limits: ReadLimits | undefined, names: Iterable<string>): IndexLimits | undefined {
  if (limits === undefined) return undefined
  const reached = [...names]
  const queries: string[][] = []
  const fields: FieldSecurity[][] = []
  for (const side of limits.sides) {
    const covering = side.filter((entry) => covers(entry, reached))
    if (covering.every(({ query }) => query !== undefined)) {
      queries.push([...new Set(covering.map(({ query }) => query!))].sort())
    }
    if (covering.every((entry) => entry.fields !== undefined)) fields.push(covering.map((entry) => entry.fields!))
  }
  return queries.length === 0 && fields.length === 0 ? undefined : { queries, fields }
}

/** Whether the entries of a side have names in common with those of the request. */
export function isReached(limits: ReadLimits, name: string): boolean {
  return limits.sides.every((side) => side.some((entry) => covers(entry, [name])))
}

function covers({ names }: LimitEntry, reached: readonly string[]): boolean {
  const set = nameSet(names)
  return reached.some((name) => set.has(name))
}

/** Equal for equal limits: part of cache keys. */
export const limitsKey = (limits: IndexLimits | undefined): string =>
  limits === undefined ? '' : JSON.stringify(limits)
