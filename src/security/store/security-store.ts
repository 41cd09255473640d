/**
 * Users, roles and keys on disk: one file that is replaced as a whole (docs/formats/security.md). It is read at startup.
 * A damaged file prevents startup, because a node must not start with other users than before.
 */
import { crc32 } from '../../base/bytes/crc32.ts'
import { type Directory, readWhole } from '../../engine/store/directory.ts'
import { diskStorage } from '../../engine/store/disk-storage.ts'
import { EMPTY_STATE, SECTIONS, type SecurityState } from './security-state.ts'

const FILE = 'security'
const TEMPORARY = 'security.tmp'
/** Made by hand: the users may be gone. It is removed when the file is written again. */
const RESET_FILE = 'reset'
const MARKER = 0x31455350
const FORMAT = 1
const HEADER_BYTES = 16

export class CorruptSecurityError extends Error {
  constructor(problem: string) {
    super(
      `the file security/${FILE} of the data folder ${problem}. Nothing was changed. Bring it back from a backup. To start with new ` +
        `passwords, move it away and create a file security/${RESET_FILE}`,
    )
    this.name = 'CorruptSecurityError'
  }
}

export class SecurityStore {
  readonly #directory: Directory | undefined
  #state: SecurityState
  #last: Promise<unknown> = Promise.resolve()

  private constructor(directory: Directory | undefined, state: SecurityState) {
    this.#directory = directory
    this.#state = state
  }

  /**
   * Without a directory the state is in memory only. `isExpected` says that the file was written before: if it is
   * missing, all users are.
   */
  static open(directory?: Directory | undefined, isExpected = false): SecurityStore {
    if (directory === undefined) return new SecurityStore(directory, EMPTY_STATE)
    if (isExpected && directory.size(FILE) === undefined && directory.size(RESET_FILE) === undefined) {
      throw new CorruptSecurityError('is missing')
    }
    return new SecurityStore(directory, read(directory))
  }

  get state(): SecurityState {
    return this.#state
  }

  /** Resolves when the change is durable, and visible to other requests. If `change` throws, nothing changes. */
  update<T>(change: (state: SecurityState) => { readonly state: SecurityState; readonly result: T }): Promise<T> {
    const done = this.#last.then(async () => {
      const { state, result } = change(this.#state)
      if (state !== this.#state) {
        await this.#write(state)
        this.#state = state
      }
      return result
    })
    this.#last = done.catch(() => undefined)
    return done
  }

  async close(): Promise<void> {
    await this.#last
    this.#directory?.close()
  }

  async #write(state: SecurityState): Promise<void> {
    const directory = this.#directory
    if (directory === undefined) return
    directory.assertOwned()
    directory.write(TEMPORARY, encode(state))
    await directory.sync(TEMPORARY)
    directory.rename(TEMPORARY, FILE)
    directory.delete(RESET_FILE)
    await directory.syncFolder()
  }
}

/** Examines the file in a folder. Throws a `CorruptSecurityError` if it is damaged. */
export function examineSecurity(folder: string): 'sound' | 'missing' {
  const directory = diskStorage.directory(folder)
  read(directory)
  return directory.size(FILE) === undefined ? 'missing' : 'sound'
}

function encode(state: SecurityState): Buffer {
  const payload = Buffer.from(
    JSON.stringify(
      Object.fromEntries(SECTIONS.map((name) => [name, Object.fromEntries(state[name] as Map<string, unknown>)])),
    ),
  )
  const bytes = Buffer.alloc(HEADER_BYTES + payload.length)
  bytes.writeUInt32LE(MARKER, 0)
  bytes.writeUInt32LE(FORMAT, 4)
  bytes.writeUInt32LE(payload.length, 8)
  bytes.writeUInt32LE(crc32(payload), 12)
  payload.copy(bytes, HEADER_BYTES)
  return bytes
}

function read(directory: Directory): SecurityState {
  if (directory.size(FILE) === undefined) return EMPTY_STATE
  const bytes = Buffer.from(readWhole(directory, FILE))
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MARKER)
    throw new CorruptSecurityError('is damaged: it has no header')
  const format = bytes.readUInt32LE(4)
  if (format !== FORMAT) throw new Error(`security/${FILE} has format ${format}; this version reads format ${FORMAT}`)
  const payload = bytes.subarray(HEADER_BYTES)
  if (payload.length !== bytes.readUInt32LE(8)) throw new CorruptSecurityError('is damaged: its length is wrong')
  if (crc32(payload) !== bytes.readUInt32LE(12))
    throw new CorruptSecurityError('is damaged: its checksum does not match')
  const sections = JSON.parse(payload.toString('utf8')) as Record<string, Record<string, unknown>>
  return Object.fromEntries(
    SECTIONS.map((name) => [name, new Map(Object.entries(sections[name] ?? {}))]),
  ) as unknown as SecurityState
}
