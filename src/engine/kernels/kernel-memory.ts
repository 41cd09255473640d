/**
 * The memory of the thread in which kernels have their operands and results. Kernels share one memory, because V8 reserves gigabytes of
 * addresses for each. It never grows, since that would detach the arrays over it.
 */

/** A power of two that is enough for all kernels once. Pages that are not written take no memory. */
const PAGES = 32
const PAGE_BYTES = 65536

let memory: WebAssembly.Memory | undefined
let used = 0

export interface KernelMemory {
  readonly memory: WebAssembly.Memory
  readonly address: number
}

/** Takes a part of the memory forever. */
export function takeKernelMemory(bytes: number): KernelMemory {
  memory ??= new WebAssembly.Memory({ initial: PAGES, maximum: PAGES })
  const address = used
  used += Math.ceil(bytes / 64) * 64
  if (used > PAGES * PAGE_BYTES) throw new RangeError(`kernels need ${used} bytes`)
  return { memory, address }
}
