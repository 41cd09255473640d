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
/** What is left to the kernel for sockets and files, which a control group counts too. */
const KERNEL_PART = 0.05
const KERNEL_BYTES_MIN = 64 * MB
/** Larger processes keep more of their data in memory: the other parts need not grow with it. */
const LARGE_BYTES = 2048 * MB

export interface MemoryPlan {
  /** Everything: the size of the container, of the machine, or what the operator said. */
  readonly totalBytes: number
  /** The resident set from which on requests are refused. */
  readonly parentBytes: number
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
  const data = Math.max(totalBytes - FIXED_BYTES, totalBytes * DATA_PART_MIN)
  const part = (share: number, most = Number.POSITIVE_INFINITY) => Math.floor(Math.min(data * share, most))
  return {
    totalBytes,
    parentBytes: Math.floor(totalBytes - Math.max(totalBytes * KERNEL_PART, KERNEL_BYTES_MIN)),
    arenaBytes: part(totalBytes < LARGE_BYTES ? 0.33 : 0.45, 4096 * MB),
    inFlightBytes: part(0.2),
    requestBytes: part(0.3),
    fielddataBytes: part(0.3),
    indexBufferBytes: part(0.08, 512 * MB),
    mergeBytes: part(0.12, 4096 * MB),
    filterCacheBytes: part(0.02, 32 * MB),
    requestCacheBytes: part(0.02, 16 * MB),
    blockCacheBytes: part(0.01, 8 * MB),
    garbageBytes: totalBytes < LARGE_BYTES ? part(0.05) : Number.POSITIVE_INFINITY,
    heapMegabytes: Math.max(64, Math.min(4096, Math.floor((data * (totalBytes < LARGE_BYTES ? 0.4 : 0.6)) / MB))),
    youngHeapMegabytes: totalBytes < 1024 * MB ? 12 : undefined,
  }
}

/** What this process may have: the limit of its control group where there is one, the memory of the machine otherwise. */
export function availableMemoryBytes(constrained = process.constrainedMemory(), machine = totalmem()): number {
  // Without a limit some systems say 0, others a number that no machine has.
  return constrained > 0 && constrained < machine ? constrained : machine
}
