/** How many searches read each structure of each field of a shard, since the node started. */
import { randomBytes } from 'node:crypto'
import { STRUCTURES } from '../../engine/segment/field-usage.ts'

/** One number per structure, then the number of searches that read any. */
export type UsageCounts = Float64Array

export const ANY = STRUCTURES.length

export class FieldUsageCounters {
  readonly trackingId = randomBytes(16).toString('base64url')
  readonly fields = new Map<string, UsageCounts>()

  /** Adds what one search has read: the bits of the structures by field. */
  add(marks: ReadonlyMap<string, number>): void {
    for (const [field, bits] of marks) {
      let counts = this.fields.get(field)
      if (counts === undefined) this.fields.set(field, (counts = new Float64Array(ANY + 1)))
      for (let structure = 0; structure < ANY; structure++) counts[structure]! += (bits >>> structure) & 1
      counts[ANY]!++
    }
  }
}
