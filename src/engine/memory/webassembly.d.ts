/** The part of the WebAssembly namespace we use: Node's types leave it to the browser library. */
declare namespace WebAssembly {
  interface MemoryDescriptor {
    initial: number
    maximum?: number
    shared?: boolean
  }
  class Memory {
    constructor(descriptor: MemoryDescriptor)
    readonly buffer: SharedArrayBuffer
    grow(pages: number): number
  }
}
