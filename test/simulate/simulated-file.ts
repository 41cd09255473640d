/**
 * A file of the simulated disk: its bytes as the process sees them, and the bytes after a power failure.
 *
 * Changes since the last sync are kept one by one. A power failure keeps any of them, in whole or in part, and loses
 * the rest, because disks write in any order.
 */
import type { SeededRandom } from '../../src/base/seeded-random.ts'

type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number }

const SECTOR_BYTES = 512

export class SimulatedFile {
  #bytes = new Uint8Array(0)
  size = 0
  /** The synced state. It does not include a change that a failed sync has lost, even if later syncs succeed. */
  #safe: SimulatedFile | undefined
  #unsafe: Change[] = []

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.size)
  }

  write(offset: number, bytes: Uint8Array): void {
    const change = { kind: 'write' as const, offset, bytes: bytes.slice() }
    this.#unsafe.push(change)
    this.#apply(change)
  }

  truncate(size: number): void {
    const change = { kind: 'truncate' as const, size }
    this.#unsafe.push(change)
    this.#apply(change)
  }

  sync(): void {
    if (this.#unsafe.length === 0) return
    this.#safe ??= new SimulatedFile()
    for (const change of this.#unsafe) this.#safe.#apply(change)
    this.#unsafe = []
  }

  /**
   * The effect of a failed sync: changes since the last sync may be lost for good, although reads still return them.
   */
  loseSome(random: SeededRandom): void {
    this.#unsafe = this.#unsafe.filter(({ kind }) => kind === 'truncate' || random.chance(0.5))
  }

  flipBit(random: SeededRandom): boolean {
    if (this.size === 0) return false
    this.#bytes[random.below(this.size)]! ^= 1 << random.below(8)
    return true
  }

  /** The file after a power failure. All of it is durable. */
  afterPowerCut(random: SeededRandom): SimulatedFile {
    const found = new SimulatedFile()
    if (this.#safe !== undefined) found.#apply({ kind: 'write', offset: 0, bytes: this.#safe.bytes })
    for (const change of this.#unsafe) {
      const fate = random.below(4)
      if (fate === 0) continue
      if (fate === 1 && change.kind === 'write') {
        for (const part of tornParts(change.offset, change.bytes.length, found.size, random)) {
          found.#apply({
            ...change,
            offset: change.offset + part.start,
            bytes: change.bytes.subarray(part.start, part.end),
          })
        }
      } else found.#apply(change)
    }
    found.#safe = new SimulatedFile()
    found.#safe.#apply({ kind: 'write', offset: 0, bytes: found.bytes })
    return found
  }

  #apply(change: Change): void {
    if (change.kind === 'truncate') {
      this.#reserve(change.size)
      // Bytes beyond a truncation must be zero when the file grows again.
      if (change.size < this.size) this.#bytes.fill(0, change.size, this.size)
      this.size = change.size
      return
    }
    const end = change.offset + change.bytes.length
    this.#reserve(end)
    this.#bytes.set(change.bytes, change.offset)
    this.size = Math.max(this.size, end)
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(size, this.#bytes.length * 2, 256))
    grown.set(this.#bytes.subarray(0, this.size))
    this.#bytes = grown
  }
}

/**
 * The parts of a write that reached the disk. An existing sector is written completely or not at all. An extension of
 * the file may end at any byte.
 */
function tornParts(
  offset: number,
  length: number,
  size: number,
  random: SeededRandom,
): { start: number; end: number }[] {
  const growsFrom = Math.max(0, size - offset)
  if (growsFrom < length && random.chance(0.5)) {
    return [{ start: 0, end: growsFrom + random.below(length - growsFrom + 1) }]
  }
  const parts: { start: number; end: number }[] = []
  for (let start = 0; start < length; ) {
    const end = Math.min(length, start + SECTOR_BYTES - ((offset + start) % SECTOR_BYTES))
    if (random.chance(0.5)) parts.push({ start, end })
    start = end
  }
  return parts
}
