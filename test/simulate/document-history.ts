/**
 * The requests and responses of all clients for one document, and a check that one order of the operations explains
 * them: every acknowledged operation is present, no rejected operation is present, no read returns a state that was
 * overwritten before the read began, and versions, sequence numbers and conditions agree with that order.
 *
 * The order is known, because acknowledged operations have a `_seq_no`.
 */

/**
 * `none`: the operation had no effect. `unknown`: it was in flight when the process ended and may have had an effect.
 */
export type Outcome = 'unknown' | 'done' | 'none'

export interface Write {
  readonly kind: 'index' | 'create' | 'update' | 'delete' | 'compare'
  /** The value that reads return. It is unique among all writes. */
  readonly value: number
  readonly startedAt: number
  readonly ifSeqNo?: number
  endedAt: number
  outcome: Outcome
  seqNo: number
  version: number
  /** The error of the response. */
  error?: string
}

export interface Read {
  readonly startedAt: number
  readonly endedAt: number
  /** The value that was read; undefined if there was no document. */
  readonly value: number | undefined
  readonly seqNo: number
  readonly version: number
  /** The read is a search, which sees the document at the time of the last refresh. */
  readonly isSearch: boolean
}

export class DocumentHistory {
  readonly id: string
  readonly #writes: Write[] = []
  readonly #reads: Read[] = []

  constructor(id: string) {
    this.id = id
  }

  begin(kind: Write['kind'], value: number, startedAt: number, ifSeqNo?: number): Write {
    const write: Write = {
      kind,
      value,
      startedAt,
      endedAt: Number.POSITIVE_INFINITY,
      outcome: 'unknown',
      seqNo: -1,
      version: -1,
      ...(ifSeqNo === undefined ? {} : { ifSeqNo }),
    }
    this.#writes.push(write)
    return write
  }

  read(read: Read): void {
    this.#reads.push(read)
    const write = this.#writes.find(({ value }) => value === read.value)
    // A write that was read once must stay present, even if its request got no response.
    if (write?.outcome === 'unknown') {
      write.outcome = 'done'
      write.endedAt = read.endedAt
      write.seqNo = read.seqNo
      write.version = read.version
    }
  }

  /** Throws if no order explains the history. */
  check(): void {
    const done = this.#writes.filter(({ outcome }) => outcome === 'done').sort((a, b) => a.seqNo - b.seqNo)
    const mayHaveDeleted = this.#writes.some(({ outcome, kind }) => outcome === 'unknown' && kind === 'delete')
    const hasUnknown = this.#writes.some(({ outcome }) => outcome === 'unknown')
    for (const [i, write] of done.entries()) {
      const before = done[i - 1]
      const known = `${describe(write)} after ${before === undefined ? 'nothing' : describe(before)}`
      if (before === undefined) continue
      this.#demand(before.seqNo < write.seqNo, `two operations have one number: ${known}`)
      this.#demand(before.startedAt < write.endedAt, `numbers contradict the order of time: ${known}`)
      const wasDeleted = before.kind === 'delete'
      const next = hasUnknown ? write.version > before.version : write.version === before.version + 1
      this.#demand(next || ((wasDeleted || mayHaveDeleted) && write.version >= 1), `versions do not follow: ${known}`)
      if (write.kind === 'create') this.#demand(wasDeleted || mayHaveDeleted, `a create found no document: ${known}`)
      if (write.ifSeqNo !== undefined) {
        this.#demand(before.seqNo <= write.ifSeqNo, `if_seq_no ${write.ifSeqNo} was not the newest: ${known}`)
      }
    }
    for (const read of this.#reads) this.#checkRead(read, done, mayHaveDeleted)
  }

  #checkRead(read: Read, done: readonly Write[], mayHaveDeleted: boolean): void {
    const found = read.value === undefined ? undefined : this.#writes.find(({ value }) => value === read.value)
    const told = `${read.isSearch ? 'a search' : 'a get'} from ${read.startedAt} to ${read.endedAt} saw ${
      found === undefined ? read.value : describe(found)
    }`
    if (read.value !== undefined) {
      this.#demand(found !== undefined, `${told}, which nobody wrote`)
      this.#demand(found!.outcome === 'done', `${told}, which was answered with ${found!.error}`)
      this.#demand(found!.startedAt < read.endedAt, `${told}, before it was written`)
      this.#demand(found!.seqNo === read.seqNo, `${told} as operation ${read.seqNo}`)
      this.#demand(found!.version === read.version, `${told} as version ${read.version}`)
    }
    if (read.isSearch) return
    const newest = done.findLast(({ endedAt }) => endedAt < read.startedAt)
    if (newest === undefined) return
    if (read.value !== undefined) {
      this.#demand(read.seqNo >= newest.seqNo, `${told}, although ${describe(newest)} was over`)
      return
    }
    const deleted = done.some(
      ({ kind, seqNo, startedAt }) => kind === 'delete' && seqNo >= newest.seqNo && startedAt < read.endedAt,
    )
    this.#demand(deleted || mayHaveDeleted, `${told}, although ${describe(newest)} was over`)
  }

  #demand(holds: boolean, problem: string): void {
    if (!holds) throw new Error(`document ${this.id}: ${problem}`)
  }
}

function describe({ kind, value, seqNo, version, startedAt, endedAt, outcome }: Write): string {
  return `[${kind} ${value}: operation ${seqNo}, version ${version}, from ${startedAt} to ${endedAt}, ${outcome}]`
}
