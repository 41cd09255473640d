/**
 * Scratch blocks that aggregators fill while they collect. Each is tens of kilobytes, and a search uses several.
 * Allocating them anew would be most of the garbage, so a thread reuses them. They are not cleared.
 */
import { ASSERTIONS, ensure } from '../../../base/assert.ts'
import { poison } from '../../../base/memory/poison.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import { newOrdinalBlock, newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { OrdinalBlock, ValueBlock } from '../../segment/segment-reader-api.ts'

/** Maximum blocks kept of each kind; only large trees use more. */
const KEPT_MAX = 16
/** Larger blocks, grown for documents with many values, are released. */
const KEPT_VALUES_MAX = 4 * WINDOW_SIZE

const ordinalBlocks: OrdinalBlock[] = []
const valueBlocks: ValueBlock[] = []
const integers: Int32Array[] = []
const tables: ScratchTable[] = []

export type ScratchTable = Float64Array | Int32Array

/** Provides tables for keys and numbers while they are deduplicated and sorted. */
export interface TableRoom {
  table<T extends ScratchTable>(kind: new (length: number) => T, length: number): T
}

/** For tables that are used after the search of a shard is over. */
export const OWN_ROOM: TableRoom = { table: (kind, length) => new kind(length) }

export class AggregationScratch implements TableRoom {
  readonly #ordinalBlocks: OrdinalBlock[] = []
  readonly #valueBlocks: ValueBlock[] = []
  readonly #integers: Int32Array[] = []
  readonly #tables: ScratchTable[] = []
  #isReleased = false

  ordinalBlock(): OrdinalBlock {
    return taken(ordinalBlocks.pop() ?? newOrdinalBlock(), this.#ordinalBlocks)
  }

  valueBlock(): ValueBlock {
    return taken(valueBlocks.pop() ?? newValueBlock(), this.#valueBlocks)
  }

  /** An integer for each document of a window. */
  integers(): Int32Array {
    return taken(integers.pop() ?? new Int32Array(WINDOW_SIZE), this.#integers)
  }

  /** A table of this many numbers of a type. */
  table<T extends ScratchTable>(kind: new (length: number) => T, length: number): T {
    const at = tables.findIndex((table) => table.length === length && table instanceof kind)
    const found = at < 0 ? new kind(length) : (tables.splice(at, 1)[0] as T)
    this.#tables.push(found)
    return found
  }

  /** Called once, when no aggregator of the search collects any more. */
  release(): void {
    ensure(!this.#isReleased, 'scratch blocks are returned once')
    this.#isReleased = true
    if (ASSERTIONS) this.#poison()
    const small = ({ length }: Int32Array | Float64Array) => length <= KEPT_VALUES_MAX
    keep(
      this.#ordinalBlocks.filter((block) => small(block.ordinals)),
      ordinalBlocks,
    )
    keep(
      this.#valueBlocks.filter((block) => small(block.values)),
      valueBlocks,
    )
    keep(this.#integers, integers)
    keep(this.#tables.filter(small), tables)
  }

  #poison(): void {
    for (const { offsets, ordinals } of this.#ordinalBlocks) [offsets, ordinals].forEach(poison)
    for (const { offsets, values } of this.#valueBlocks) [offsets, values].forEach(poison)
    this.#integers.forEach(poison)
    this.#tables.forEach(poison)
  }
}

function taken<T>(block: T, into: T[]): T {
  into.push(block)
  return block
}

function keep<T>(blocks: readonly T[], pool: T[]): void {
  for (const block of blocks) if (pool.length < KEPT_MAX) pool.push(block)
}
