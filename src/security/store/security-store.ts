/**
 * Users, roles and keys on disk: one file that is replaced as a whole (docs/formats/security.md). It is read at startup.
 * A damaged file prevents startup, because a node must not start with other users than before.
 */
import { crc32 } from '../../base/bytes/crc32.ts'
import { type Directory, readWhole } from '../../engine/store/directory.ts'
import { EMPTY_STATE, SECTIONS, type SecurityState } from './security-state.ts'

const FILE = 'security'
const TEMPORARY = 'security.tmp'
const MARKER = 0x31455350
const FORMAT = 1
const HEADER_BYTES = 16

export class CorruptSecurityError extends Error {
  constructor(problem: string) {
    super(
      `the file security/${FILE} of the data folder is damaged: ${problem}. Nothing was changed. Bring it back from a backup, or move it away ` +
        'to start with new passwords',
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

  /** Without a directory the state is in memory only. */
  static open(directory?: Directory | undefined): SecurityStore {
    return new SecurityStore(directory, directory === undefined ? EMPTY_STATE : read(directory))
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
    await directory.syncFolder()
  }
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
    throw new CorruptSecurityError('it has no header')
  const format = bytes.readUInt32LE(4)
  if (format !== FORMAT) throw new Error(`security/${FILE} has format ${format}; this version reads format ${FORMAT}`)
  const payload = bytes.subarray(HEADER_BYTES)
  if (payload.length !== bytes.readUInt32LE(8)) throw new CorruptSecurityError('its length is wrong')
  if (crc32(payload) !== bytes.readUInt32LE(12)) throw new CorruptSecurityError('its checksum does not match')
  const sections = JSON.parse(payload.toString('utf8')) as Record<string, Record<string, unknown>>
  return Object.fromEntries(
    SECTIONS.map((name) => [name, new Map(Object.entries(sections[name] ?? {}))]),
  ) as unknown as SecurityState
}
