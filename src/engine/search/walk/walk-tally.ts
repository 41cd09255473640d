/** The counts of a walk, over all segments and passes. */

/** The state of a tally as plain data. */
export interface FoundByWalk {
  readonly counted: number
  readonly known: number
  readonly allKnown: boolean
  readonly atLeast: number
  readonly ranked: number
  readonly maxScore: number
  readonly timedOut: boolean
}

export class WalkTally {
  counted = 0
  /** Matches of segments whose count was known without iterating them. */
  known = 0
  /** Matches of those among them that were started. */
  knownBegun = 0
  allKnown = true
  /** The minimum number of matches of the other segments. */
  atLeast = 0
  /** Documents that count as hits for terminate_after. */
  ranked = 0
  maxScore = Number.NaN
  terminatedEarly = false
  timedOut = false

  /** The number of matches; beyond `totalUpTo` it may be too low. `onlyCollected` means that nothing was ranked. */
  total(totalUpTo: number, onlyCollected: boolean): number {
    // Elasticsearch counts segment by segment if it ranks nothing, and otherwise determines all known counts before it
    // starts.
    if (this.terminatedEarly && onlyCollected) return this.knownBegun + this.counted
    if (this.terminatedEarly && !this.allKnown) return this.ranked
    const sure = this.known + this.atLeast
    return sure > totalUpTo ? sure : this.known + this.counted
  }

  /** For the tally of another thread, over other segments of the view. */
  give(): FoundByWalk {
    const { counted, known, allKnown, atLeast, ranked, maxScore, timedOut } = this
    return { counted, known, allKnown, atLeast, ranked, maxScore, timedOut }
  }

  take(found: FoundByWalk): void {
    this.counted += found.counted
    this.known += found.known
    this.allKnown &&= found.allKnown
    this.atLeast += found.atLeast
    this.ranked += found.ranked
    if (!(found.maxScore <= this.maxScore) && !Number.isNaN(found.maxScore)) this.maxScore = found.maxScore
    this.timedOut ||= found.timedOut
  }
}
