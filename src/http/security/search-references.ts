/**
 * What a search reads in addition to its indices: a point in time, documents that queries refer to (terms lookups, indexed
 * shapes, percolated documents, `more_like_this`), names in `indices_boost`, and the
 * targets of `lookup` fields.
 */
export interface SearchReferences {
  readonly pit: string | undefined
  /** Indices of documents that the search reads. */
  readonly documents: readonly string[]
  readonly boosted: readonly string[]
  /** Indices that runtime fields of type `lookup` search. */
  readonly lookedUp: readonly string[]
}

const NOTHING: SearchReferences = { pit: undefined, documents: [], boosted: [], lookedUp: [] }
/** A body without any of these refers to nothing. A name could also be written with escapes. */
const SIGNS = ['"pit"', '"index"', '"_index"', '"indices_boost"', '"target_index"', '\\u'].map((text) =>
  Buffer.from(text),
)
const ANY_SIGN = /"(?:pit|_?index|indices_boost|target_index)"|\\u/
/** Up to this size one regular expression over a string is faster than a search of the bytes for each sign. */
const SMALL_BYTES = 4096

export function mayRefer(body: Buffer): boolean {
  if (body.length <= SMALL_BYTES) return ANY_SIGN.test(body.toString('latin1'))
  return SIGNS.some((sign) => body.includes(sign))
}

export function searchReferences(search: unknown): SearchReferences {
  if (search === null || typeof search !== 'object' || Array.isArray(search)) return NOTHING
  const {
    pit,
    indices_boost: boosts,
    runtime_mappings: runtime,
  } = search as { pit?: { id?: unknown }; indices_boost?: unknown; runtime_mappings?: unknown }
  const documents = new Set<string>()
  collect(search, documents)
  const lists = Array.isArray(boosts) ? boosts : boosts === undefined ? [] : [boosts]
  return {
    pit: typeof pit?.id === 'string' ? pit.id : undefined,
    documents: [...documents],
    lookedUp: lookupTargets(runtime),
    boosted: lists.flatMap((boost) =>
      boost === null || typeof boost !== 'object' ? [] : Object.keys(boost as object),
    ),
  }
}

function lookupTargets(runtime: unknown): string[] {
  if (runtime === null || typeof runtime !== 'object') return []
  return Object.values(runtime).flatMap((field) => {
    const target = (field as { target_index?: unknown } | null)?.target_index
    return isPlain(target) ? [String(target)] : []
  })
}

/** Collects the indices of objects that refer to a document by index and id. */
function collect(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found)
    return
  }
  if (value === null || typeof value !== 'object') return
  const object = value as Record<string, unknown>
  const { index, _index } = object
  if (isPlain(index) && ('id' in object || 'path' in object)) found.add(String(index))
  if (isPlain(_index) && ('_id' in object || 'doc' in object)) found.add(String(_index))
  for (const member of Object.values(object)) collect(member, found)
}

/** Numbers are accepted as names. */
const isPlain = (value: unknown) => value !== undefined && value !== null && typeof value !== 'object'
