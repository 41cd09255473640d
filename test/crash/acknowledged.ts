/**
 * The operations that a killed writer reported, and the check of the data it left.
 *
 * For each document the last acknowledged operation must have survived, or one that was issued after it. The version
 * must have grown by one per operation that can have been applied, so no operation was applied twice.
 */
import assert from 'node:assert/strict'

export interface Issued {
  readonly number: number
  readonly isDelete: boolean
}

/** A document after a restart; undefined if it does not exist. */
export interface Survivor {
  readonly number: number
  readonly version: number
  readonly seqNo: number
}

interface Known {
  /** The certain state: the document after the last restart, or the last acknowledged operation. */
  number: number | undefined
  version: number
  seqNo: number
  isDelete: boolean
  /** Later operations that may or may not have been applied, in order. */
  pending: Issued[]
}

export class AcknowledgedState {
  readonly #known = new Map<string, Known>()
  acknowledgedCount = 0

  /** Parses the output of a writer. An incomplete last line is dropped. */
  read(output: string): void {
    const lines = output.slice(0, output.lastIndexOf('\n') + 1).split('\n')
    for (const line of lines) {
      const [kind, id, ...rest] = line.split(' ')
      if (kind === 'i') this.issue(id!, { number: Number(rest[0]), isDelete: rest[1] === 'delete' })
      else if (kind === 'a') this.acknowledge(id!, Number(rest[0]), Number(rest[1]), Number(rest[2]))
    }
  }

  ids(): string[] {
    return [...this.#known.keys()]
  }

  /** The number of documents that certainly exist. */
  livingCount(): number {
    return [...this.#known.values()].filter(({ isDelete }) => !isDelete).length
  }

  /** Checks the stored document against the reported operations. The stored document then becomes the certain state. */
  check(id: string, survivor: Survivor | undefined): void {
    const known = this.#known.get(id)!
    const candidates = [{ number: known.number, isDelete: known.isDelete }, ...known.pending]
    const isDeleted = survivor === undefined
    const at = candidates.findLastIndex((one) =>
      isDeleted ? one.isDelete || one.number === undefined : !one.isDelete && one.number === survivor.number,
    )
    assert.ok(
      at >= 0,
      `${id}: found ${JSON.stringify(survivor)}, expected one of ${JSON.stringify(candidates)}: an acknowledged write is lost`,
    )
    if (survivor !== undefined) {
      if (at === 0) assert.deepEqual([survivor.version, survivor.seqNo], [known.version, known.seqNo], `${id} changed`)
      else {
        assert.ok(survivor.seqNo > known.seqNo, `${id}: number ${survivor.seqNo} is not after ${known.seqNo}`)
        // Versions start again after a delete whose tombstone was lost in a restart.
        const grew = survivor.version - known.version
        const restarted = candidates.slice(0, at).some(({ isDelete }) => isDelete)
        assert.ok(
          grew === at || restarted,
          `${id}: version ${survivor.version} after ${known.version} and ${at} operations`,
        )
      }
    }
    this.#known.set(id, {
      number: survivor?.number,
      version: survivor?.version ?? 0,
      seqNo: survivor?.seqNo ?? known.seqNo,
      isDelete: isDeleted,
      pending: [],
    })
  }

  /** Records that an operation is about to be applied. */
  issue(id: string, issued: Issued): void {
    const known = this.#known.get(id)
    if (known !== undefined) known.pending.push(issued)
    else this.#known.set(id, { number: undefined, version: 0, seqNo: -1, isDelete: true, pending: [issued] })
  }

  /**
   * Records an acknowledgement. Operations on one document are acknowledged in any order, but applied in the order of
   * issue.
   */
  acknowledge(id: string, number: number, version: number, seqNo: number): void {
    this.acknowledgedCount++
    const known = this.#known.get(id)!
    const at = known.pending.findIndex((issued) => issued.number === number)
    // A later operation on the same document was acknowledged before this one.
    if (at < 0) return
    known.isDelete = known.pending[at]!.isDelete
    known.number = number
    known.version = version
    known.seqNo = seqNo
    known.pending.splice(0, at + 1)
  }
}
