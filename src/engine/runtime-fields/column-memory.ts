/**
 * Memory of computed values. Values are collected in memory that the next field of the thread reuses. The doc values made of them
 * are in shared memory, also because the main thread may read them too: V8 counts other array buffers as part of its heap and would
 * mark the whole heap again after every few large fields. It does not count shared memory at all, so dropped doc values would stay
 * for as long as the heap does not grow; therefore garbage is collected after a certain amount of them.
 *
 * The memory of collected doc values is used again, because the first write to a page of new memory costs more than computing its
 * values. Doc values therefore get a second buffer object over the same memory. When the garbage collector drops that object, no
 * array of the doc values is left.
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

function garbageBytesMax(): number {
  const { garbageBytes, fielddataBytes } = plannedMemory()
  return Math.min(COLLECT_AFTER_BYTES, garbageBytes, fielddataBytes * PART_OF_FIELDDATA)
}

function noteColumn(bytes: number): void {
  madeBytes += bytes
  if (madeBytes < garbageBytesMax()) return
  madeBytes = 0
  collectGarbage()
}

/** The memory of dropped doc values. It is never more than what was garbage before the last collection. */
const droppedMemory = new ListMemory(garbageBytesMax)
const dropped = new FinalizationRegistry<SharedArrayBuffer>((memory) => droppedMemory.give(memory))

/** Memory for doc values. It is not cleared. */
function columnBuffer(bytes: number): ArrayBuffer | SharedArrayBuffer {
  return bytes < SHARED_FROM_BYTES ? new ArrayBuffer(bytes) : sharedColumn(bytes)
}

function sharedColumn(bytes: number): SharedArrayBuffer {
  noteColumn(bytes)
  const memory = droppedMemory.take(bytes)
  const buffer = structuredClone(memory)
  dropped.register(buffer, memory, buffer)
  return buffer
}

/** The memory of an array that another thread reads is not used again. It is freed when no thread reads it any more. */
export function leaveToGarbageCollector({ buffer }: ArrayBufferView): void {
  dropped.unregister(buffer)
}

interface ArrayClass<A> {
  new (buffer: ArrayBuffer | SharedArrayBuffer, offset: number, length: number): A
  readonly BYTES_PER_ELEMENT: number
}

/** An array for doc values. It is not cleared. */
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
