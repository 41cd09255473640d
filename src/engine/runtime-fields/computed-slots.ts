/**
 * The slots of computed doc values, and the error that is thrown when a document is read for which the script failed.
 */

import { hasBit } from '../../base/bit-set.ts'
import { poison } from '../../base/memory/poison.ts'
import { type EncodedSlots, encodeSlots, ValueSlots } from '../segment/buffer/value-slots.ts'
import type { DocFailures } from '../segment/segment-reader-api.ts'
import type { AnyCollector } from './value-collector.ts'

/** The slots of the block that is being read. A thread reads one block at a time. */
let slotScratch = new Int32Array(4096)

export interface Slots {
  readonly slots: EncodedSlots
  readonly count: number
  readonly docCount: number
  readonly failures: DocFailures | undefined
}

export abstract class ComputedSlots extends ValueSlots {
  readonly failures: DocFailures | undefined

  constructor({ slots, count, docCount, failures }: Slots) {
    super(slots.shape, slots.docsWithValue, count, docCount, slots.bytes)
    this.failures = failures
  }

  override has(doc: number): boolean {
    if (this.failures !== undefined && hasBit(this.failures.docs, doc)) this.failures.fail(doc)
    return super.has(doc)
  }

  protected slotsOf(docs: Int32Array, count: number, offsets: Int32Array): Int32Array {
    const { failures } = this
    if (failures !== undefined) {
      for (let i = 0; i < count; i++) if (hasBit(failures.docs, docs[i]!)) failures.fail(docs[i]!)
    }
    if (slotScratch.length < count) slotScratch = new Int32Array(count)
    poison(slotScratch)
    const slots = this.readSlots(docs, count, offsets, slotScratch)
    if (slots !== docs) slotScratch = slots as Int32Array<ArrayBuffer>
    return slots
  }
}

export const DENSE: Pick<EncodedSlots, 'shape' | 'bytes'> = { shape: 'dense', bytes: new Uint8Array(0) }

/** Documents come in ascending order: if there are as many values as documents and none has several, each has one. */
export function slotsOf(collector: AnyCollector, docCount: number): EncodedSlots {
  const { length } = collector.docs
  if (!collector.hasSeveral && length === docCount) return { ...DENSE, docsWithValue: docCount }
  return encodeSlots(collector.docsOfValues, length, docCount)
}
