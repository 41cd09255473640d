/**
 * Divides the memory of the process. One number, the total that the process may use, determines the size of every
 * buffer and cache that grows with data or load. A small container is thus used fully but never exceeded.
 */
import { totalmem } from 'node:os'

const MB = 1024 * 1024
/** Memory of the program, its threads and their heaps before any data is loaded. */
const FIXED_BYTES = 150 * MB
/** The minimum fraction for data in a small process. */
const DATA_PART_MIN = 1 / 3
/** Above this total, fixed costs are small and the fractions are chosen for speed. */
const LARGE_BYTES = 2048 * MB

/**
 * Fractions of the data memory. Work in progress takes several times its planned size: a body is copied into the log,
 * buffered documents become term lists and then a file, and garbage stays until it is collected. A small process has no
 * spare memory for that, so its fractions are smaller.
 */
const PARTS = {
  small: { arena: 0.3, inFlight: 0.12, indexBuffer: 0.03, merge: 0.08, heap: 0.25 },
  large: { arena: 0.45, inFlight: 0.2, indexBuffer: 0.08, merge: 0.12, heap: 0.6 },
} as const
/**
 * Fraction left for the kernel's socket and file buffers, which a control group also counts, and for work accepted
 * earlier.
 */
const RESERVE = { small: 0.2, large: 0.05 } as const
/**
 * Freed memory stays with the process for a while for reuse, so the resident set overstates the usage. A request that
 * runs alone is accepted up to this reserve. Otherwise a process that was full once could reject everything forever.
 */
const ALONE_RESERVE = { small: 0.08, large: 0.05 } as const

export interface MemoryPlan {
  /** The total: the size of the container or machine, or the operator's setting. */
  readonly totalBytes: number
  /** The resident set above which requests are rejected. */
  readonly parentBytes: number
  /** The same limit for a request that runs alone. */
  readonly aloneBytes: number
  /** Loaded sections of segments. */
  readonly arenaBytes: number
  /** Request bodies, and their copies on the way to the log. */
  readonly inFlightBytes: number
  /** Aggregations and search responses. */
  readonly requestBytes: number
  /** Fielddata: values of text fields that aggregations and sorts need by document. */
  readonly fielddataBytes: number
  /** Buffered documents of all shards. */
  readonly indexBufferBytes: number
  /** Inputs and output of merges. */
  readonly mergeBytes: number
  /** Per search thread: filter cache, request cache, decompressed blocks of stored documents. */
  readonly filterCacheBytes: number
  readonly requestCacheBytes: number
  readonly blockCacheBytes: number
  /** Off-heap garbage a thread may accumulate before it is collected. */
  readonly garbageBytes: number
  /** V8 heap limit of a thread in megabytes; undefined leaves it to V8. */
  readonly heapMegabytes: number
  readonly youngHeapMegabytes: number | undefined
}

export function memoryPlan(totalBytes: number): MemoryPlan {
  const size = totalBytes < LARGE_BYTES ? 'small' : 'large'
  const parts = PARTS[size]
  const data = Math.max(totalBytes - FIXED_BYTES, totalBytes * DATA_PART_MIN)
  const part = (share: number, most = Number.POSITIVE_INFINITY) => Math.floor(Math.min(data * share, most))
  return {
    totalBytes,
    parentBytes: Math.floor(totalBytes * (1 - RESERVE[size])),
    aloneBytes: Math.floor(totalBytes * (1 - ALONE_RESERVE[size])),
    arenaBytes: part(parts.arena, 4096 * MB),
    inFlightBytes: part(parts.inFlight),
    requestBytes: part(0.3),
    fielddataBytes: part(0.3),
    indexBufferBytes: part(parts.indexBuffer, 512 * MB),
    mergeBytes: part(parts.merge, 4096 * MB),
    filterCacheBytes: part(0.02, 32 * MB),
    requestCacheBytes: part(0.02, 16 * MB),
    blockCacheBytes: part(0.01, 8 * MB),
    garbageBytes: size === 'small' ? part(0.04) : Number.POSITIVE_INFINITY,
    heapMegabytes: Math.max(48, Math.min(4096, Math.floor(part(parts.heap) / MB))),
    youngHeapMegabytes: size === 'small' ? 12 : undefined,
  }
}

/** The memory this process may use: the limit of its control group if there is one, otherwise the machine's memory. */
export function availableMemoryBytes(constrained = process.constrainedMemory(), machine = totalmem()): number {
  // Without a limit some systems report 0, others a number larger than any machine's memory.
  return constrained > 0 && constrained < machine ? constrained : machine
}
