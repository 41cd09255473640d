/**
 * Memory of computed values. Values are collected in memory that the next field of the thread reuses. The doc values made of them
 * are in shared memory, although only one thread reads them: V8 counts other array buffers as part of its heap and would
 * mark the whole heap again after every few large fields. It does not count shared memory at all, so dropped doc values would stay
 * for as long as the heap does not grow; therefore garbage is collected after a certain amount of them.
 */
import { collectGarbage } from '../../base/memory/collect-garbage.ts'
import { plannedMemory } from '../../base/memory/process-memory.ts'
import { ListMemory } from '../segment/buffer/list-memory.ts'

/** Where collectors take their arrays from. */
export const collectorMemory = new ListMemory()

/** Smaller arrays do not make V8 collect garbage. */
const SHARED_FROM_BYTES = 1 << 16
/** Garbage is collected after this much memory was made for doc values. A small process collects earlier. */
const COLLECT_AFTER_BYTES = 256 << 20
/** The part of the planned fielddata that may be garbage. */
const PART_OF_FIELDDATA = 0.25

let madeBytes = 0

function noteColumn(bytes: number): void {
  madeBytes += bytes
  const { garbageBytes, fielddataBytes } = plannedMemory()
  if (madeBytes < Math.min(COLLECT_AFTER_BYTES, garbageBytes, fielddataBytes * PART_OF_FIELDDATA)) return
  madeBytes = 0
  collectGarbage()
}

/** Zeroed memory for doc values. */
export function columnBuffer(bytes: number): ArrayBuffer | SharedArrayBuffer {
  return bytes < SHARED_FROM_BYTES ? new ArrayBuffer(bytes) : sharedColumn(bytes)
}

function sharedColumn(bytes: number): SharedArrayBuffer {
  noteColumn(bytes)
  return new SharedArrayBuffer(bytes)
}

interface ArrayClass<A> {
  new (buffer: ArrayBuffer | SharedArrayBuffer, offset: number, length: number): A
  readonly BYTES_PER_ELEMENT: number
}

/** A zeroed array for doc values. */
export function columnArray<A>(type: ArrayClass<A>, length: number): A {
  return new type(columnBuffer(length * type.BYTES_PER_ELEMENT), 0, length)
}

/** Provides arrays that are collected into and then kept as doc values. */
class KeptMemory extends ListMemory {
  override take(bytes: number): SharedArrayBuffer {
    return sharedColumn(bytes)
  }

  override give(): void {}
}

export const keptMemory: ListMemory = new KeptMemory()
