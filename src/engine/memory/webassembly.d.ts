/** The part of the WebAssembly namespace that we use: Node's types leave it to the browser library. */
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
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
}
