/**
 * How the memory of the process is divided. One number, what the process may have in all, decides about the size of everything that
 * grows with data or load, so that a small container is filled and not overrun.
 */
import { totalmem } from 'node:os'

const MB = 1024 * 1024
/** What the program, its threads and their heaps take before there is any data. */
const FIXED_BYTES = 150 * MB
/** A small process has at least this part for data. */
const DATA_PART_MIN = 1 / 3
/** From here on fixed costs are small, and the parts of data and of work in progress are chosen for speed. */
const LARGE_BYTES = 2048 * MB

/**
 * Parts of the memory for data. Work in progress takes several times what is planned for it: a body is copied into the log, a buffer of
 * documents becomes lists of terms and then a file, garbage lies around until it is collected. In a small process nobody else has memory
 * to spare for that, so the parts are small.
 */
const PARTS = {
  small: { arena: 0.3, inFlight: 0.12, indexBuffer: 0.03, merge: 0.08, heap: 0.25 },
  large: { arena: 0.45, inFlight: 0.2, indexBuffer: 0.08, merge: 0.12, heap: 0.6 },
} as const
/** What is left to the kernel for sockets and files, which a control group counts too, and to work that was accepted before. */
const RESERVE = { small: 0.2, large: 0.05 } as const
/**
 * Memory that was freed stays with the process for a while, where the next request finds it, so the resident set says too much. A request that
 * comes alone is taken up to here: otherwise a process that was full once could refuse everything for ever.
 */
const ALONE_RESERVE = { small: 0.08, large: 0.05 } as const

export interface MemoryPlan {
  /** Everything: the size of the container, of the machine, or what the operator said. */
  readonly totalBytes: number
  /** The resident set from which on requests are refused. */
  readonly parentBytes: number
  /** The same for a request that comes when there is no other one. */
  readonly aloneBytes: number
  /** Sections of segments. */
  readonly arenaBytes: number
  /** Request bodies, and what becomes of them on the way to the log. */
  readonly inFlightBytes: number
  /** Aggregations and answers of searches. */
  readonly requestBytes: number
  /** Values of text fields that aggregations and sorts need by document. */
  readonly fielddataBytes: number
  /** Buffered documents of all shards. */
  readonly indexBufferBytes: number
  /** Inputs and output of a merge. */
  readonly mergeBytes: number
  /** Of each thread that searches: filters, answers without hits, opened blocks of documents. */
  readonly filterCacheBytes: number
  readonly requestCacheBytes: number
  readonly blockCacheBytes: number
  /** Memory outside of the heap that may lie around unused in a thread before it is collected. */
  readonly garbageBytes: number
  /** V8 heap of a thread, in megabytes; undefined leaves it to V8. */
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

/** What this process may have: the limit of its control group where there is one, the memory of the machine otherwise. */
export function availableMemoryBytes(constrained = process.constrainedMemory(), machine = totalmem()): number {
  // Without a limit some systems say 0, others a number that no machine has.
  return constrained > 0 && constrained < machine ? constrained : machine
}
