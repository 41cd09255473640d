/**
 * The synced length of a log, in a small file next to it (docs/formats/log.md).
 *
 * A log may end in a torn record after a crash, and a damaged disk may look the same. The bytes alone do not
 * distinguish the two. After every sync, and before anything is acknowledged, the synced length is therefore recorded
 * here: unreadable data within that length was durable once and is damage. Data beyond it was never acknowledged by a
 * process that could still record it.
 *
 * The file has two alternating slots and is overwritten in place, without a sync of its own. The end of the process
 * leaves the newest record; a power failure leaves an older one. An older record is a lower bound, so it never reports
 * false damage.
 */
import { crc32 } from '../../base/bytes/crc32.ts'
import { type Directory, readWhole, type WritableFile } from './directory.ts'
import { readU64, viewOf, writeU64 } from './log-format.ts'

export const SYNCED_FILE = 'log.synced'

const MAGIC = [...'sandpsyn'].map((letter) => letter.charCodeAt(0))
const FORMAT_VERSION = 1
const SLOT_BYTES = 64
/** The slots are in different sectors, so that a power failure can tear only one of them. */
const SLOT_OFFSETS = [0, 512] as const
const FILE_BYTES = SLOT_OFFSETS[1] + SLOT_BYTES
const TAIL_REJECTED = 1

export interface SyncedLength {
  /** The newest log generation with a synced record; 0 if there is none. */
  readonly generation: number
  /** Its synced bytes. */
  readonly bytes: number
  /** The last durable operation; -1 without one. */
  readonly maxSeqNo: number
  /** The newest durable commit point, or checkpoint of the metadata; 0 without one. */
  readonly commitGeneration: number
  /** Whether the data beyond `bytes` was rejected with an error and must never be read. */
  readonly tailRejected: boolean
  /** The shard whose log it is; absent in files of earlier versions, and for the metadata. */
  readonly shard?: number
}

export const NOTHING_SYNCED: SyncedLength = {
  generation: 0,
  bytes: 0,
  maxSeqNo: -1,
  commitGeneration: 0,
  tailRejected: false,
}

/** Files that were durable once are damaged or missing. A start never repairs them: the files stay unchanged. */
export class MissingFileError extends Error {
  readonly fileName: string

  constructor(fileName: string, problem: string) {
    super(`the file ${fileName} is missing: ${problem}`)
    this.name = 'MissingFileError'
    this.fileName = fileName
  }
}

/** The recorded length, or undefined if the file does not exist. Throws if neither slot is valid. */
export function readSyncedLength(directory: Directory): SyncedLength | undefined {
  if (directory.size(SYNCED_FILE) === undefined) return undefined
  const newest = newestSlot(readWhole(directory, SYNCED_FILE))
  if (newest !== undefined) return newest.length
  throw new DamagedSyncedLengthError()
}

export class DamagedSyncedLengthError extends Error {
  constructor() {
    super(`the file ${SYNCED_FILE} is damaged: neither of its two records matches its checksum`)
    this.name = 'DamagedSyncedLengthError'
  }
}

export class SyncedLengthFile {
  readonly #directory: Directory
  #file: WritableFile | undefined
  #isDirty = false
  #current: SyncedLength
  #turn: number
  readonly #slot = new Uint8Array(SLOT_BYTES)
  readonly #view = viewOf(this.#slot)

  private constructor(directory: Directory, current: SyncedLength, turn: number) {
    this.#directory = directory
    this.#current = current
    this.#turn = turn
    this.#slot.set(MAGIC)
    this.#view.setUint32(8, FORMAT_VERSION, true)
  }

  /** The file of a directory that has one. It is opened for writing with the first record. */
  static open(directory: Directory): SyncedLengthFile {
    const newest = newestSlot(readWhole(directory, SYNCED_FILE))
    if (newest === undefined) throw new DamagedSyncedLengthError()
    return new SyncedLengthFile(directory, newest.length, newest.turn)
  }

  /** Creates the file. Resolves when it would survive a power failure. */
  static async create(directory: Directory, length: SyncedLength): Promise<SyncedLengthFile> {
    const made = new SyncedLengthFile(directory, length, 0)
    const temporary = `${SYNCED_FILE}.tmp`
    const bytes = new Uint8Array(FILE_BYTES)
    for (const offset of SLOT_OFFSETS) bytes.set(made.#encode(length), offset)
    directory.write(temporary, bytes)
    await directory.sync(temporary)
    directory.rename(temporary, SYNCED_FILE)
    await directory.syncFolder()
    return made
  }

  get current(): SyncedLength {
    return this.#current
  }

  /** Records what is durable now. */
  note(generation: number, bytes: number, maxSeqNo: number): void {
    this.write({ ...this.#current, generation, bytes, maxSeqNo, tailRejected: false })
  }

  write(length: SyncedLength): void {
    this.#file ??= this.#directory.open(SYNCED_FILE)
    const turn = this.#turn + 1
    const slot = this.#encode(length, turn)
    this.#isDirty = true
    this.#file.writeSync(slot, 0, SLOT_BYTES, SLOT_OFFSETS[turn % 2]!)
    this.#turn = turn
    this.#current = length
  }

  async sync(): Promise<void> {
    this.#isDirty = false
    try {
      await this.#file?.sync()
    } catch (error) {
      this.#isDirty = true
      throw error
    }
  }

  /** Closes the descriptor until the next record, unless something is not synced. */
  rest(): void {
    if (!this.#isDirty) this.close()
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
  }

  #encode(length: SyncedLength, turn = this.#turn): Uint8Array {
    const view = this.#view
    view.setUint32(12, length.tailRejected ? TAIL_REJECTED : 0, true)
    writeU64(view, 16, turn)
    writeU64(view, 24, length.generation)
    writeU64(view, 32, length.bytes)
    writeU64(view, 40, length.maxSeqNo + 1)
    writeU64(view, 48, length.commitGeneration)
    view.setUint32(56, length.shard ?? 0, true)
    view.setUint32(60, crc32(this.#slot.subarray(0, 60)), true)
    return this.#slot
  }
}

function newestSlot(bytes: Uint8Array): { length: SyncedLength; turn: number } | undefined {
  const slots = SLOT_OFFSETS.map((offset) => decodeSlot(bytes, offset)).filter((slot) => slot !== undefined)
  return slots.sort((a, b) => b.turn - a.turn)[0]
}

function decodeSlot(bytes: Uint8Array, offset: number): { length: SyncedLength; turn: number } | undefined {
  if (bytes.length < offset + SLOT_BYTES) return undefined
  const slot = bytes.subarray(offset, offset + SLOT_BYTES)
  const view = viewOf(slot)
  const isSound =
    MAGIC.every((byte, i) => slot[i] === byte) &&
    view.getUint32(8, true) === FORMAT_VERSION &&
    view.getUint32(60, true) === crc32(slot.subarray(0, 60))
  if (!isSound) return undefined
  const shard = view.getUint32(56, true)
  const length = {
    generation: readU64(view, 24),
    bytes: readU64(view, 32),
    maxSeqNo: readU64(view, 40) - 1,
    commitGeneration: readU64(view, 48),
    tailRejected: (view.getUint32(12, true) & TAIL_REJECTED) !== 0,
    ...(shard === 0 ? {} : { shard }),
  }
  return { length, turn: readU64(view, 16) }
}
