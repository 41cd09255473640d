/**
 * Memory of computed values. Collected values are in memory that the next field of the thread reuses. The doc values made of them
 * are in shared memory, although only one thread reads them: V8 counts other array buffers as part of its heap and would
 * mark the whole heap again after every few large fields.
 */
import { ListMemory } from '../segment/buffer/list-memory.ts'

/** Where collectors take their arrays from. */
export const collectorMemory = new ListMemory()

/** Smaller arrays do not make V8 collect garbage. */
const SHARED_FROM_BYTES = 1 << 16
/** The garbage of dropped doc values is collected after this much was made. */
const COLLECT_AFTER_BYTES = 64 << 20

let madeBytes = 0

/** Zeroed memory for doc values. */
export function columnBuffer(bytes: number): ArrayBuffer | SharedArrayBuffer {
  if (bytes < SHARED_FROM_BYTES) return new ArrayBuffer(bytes)
  madeBytes += bytes
  if (madeBytes >= COLLECT_AFTER_BYTES) {
    madeBytes = 0
    tellCollector(COLLECT_AFTER_BYTES)
  }
  return new SharedArrayBuffer(bytes)
}

/** An array buffer that is dropped at once. V8 counts its size; the system never provides the memory, as nobody writes to it. */
function tellCollector(bytes: number): void {
  new ArrayBuffer(bytes)
}

interface ArrayClass<A> {
  new (buffer: ArrayBuffer | SharedArrayBuffer, offset: number, length: number): A
  readonly BYTES_PER_ELEMENT: number
}

/** A zeroed array for doc values. */
export function columnArray<A>(type: ArrayClass<A>, length: number): A {
  return new type(columnBuffer(length * type.BYTES_PER_ELEMENT), 0, length)
}
