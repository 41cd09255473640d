/** Results of asynchronous searches on disk, one file each. docs/formats/async-searches.md describes the bytes. */
import { crc32 } from '../../../base/bytes/crc32.ts'
import type { Log } from '../../../base/log.ts'
import { type Directory, readWhole } from '../../../engine/store/directory.ts'
import { asyncSearchName } from './async-search-id.ts'

export interface StoredAsyncSearch {
  readonly id: string
  readonly owner: string | undefined
  readonly typedKeys: boolean
  readonly startedAtMs: number
  readonly expiresAtMs: number
  readonly finishedAtMs: number
  readonly status: number
  /** The body of the search's response, or of its error. */
  readonly body: Uint8Array
}

const MAGIC = 'sandpasy'
const HEADER_BYTES = 20
const FILE_NAME = /^search-([\w-]{22})$/

export class AsyncSearchFiles {
  readonly #directory: Directory
  readonly #log: Log

  constructor(directory: Directory, log: Log) {
    this.#directory = directory
    this.#log = log
  }

  /** Resolves when the result would survive a power failure. */
  async write(name: string, search: StoredAsyncSearch): Promise<void> {
    const file = fileName(name)
    const temporary = `${file}.tmp`
    this.#directory.write(temporary, encode(search))
    await this.#directory.sync(temporary)
    this.#directory.rename(temporary, file)
    await this.#directory.syncFolder()
  }

  /** The names of all results. Files of interrupted writes are removed. */
  names(): string[] {
    const names: string[] = []
    for (const file of this.#directory.list()) {
      if (file.endsWith('.tmp')) this.#directory.delete(file)
      const name = FILE_NAME.exec(file)?.[1]
      if (name !== undefined) names.push(name)
    }
    return names
  }

  /** Undefined if there is no such result, or its file is damaged: it stays where it is. */
  read(name: string): StoredAsyncSearch | undefined {
    const file = fileName(name)
    if (this.#directory.size(file) === undefined) return undefined
    const found = decode(Buffer.from(readWhole(this.#directory, file)))
    // The file of another search has a checksum that matches.
    if (found !== undefined && asyncSearchName(found.id) === name) return found
    this.#log.error('the result of an asynchronous search is damaged', { file })
    return undefined
  }

  delete(name: string): void {
    this.#directory.delete(fileName(name))
  }
}

/** What is wrong with the file of a result; undefined for a sound one. */
export function asyncSearchProblem(directory: Directory, file: string): string | undefined {
  const found = decode(Buffer.from(readWhole(directory, file)))
  if (found === undefined) return 'does not match its checksum'
  const own = fileName(asyncSearchName(found.id))
  return own === file ? undefined : `is that of ${own}`
}

const fileName = (name: string) => `search-${name}`

function encode({ body, ...described }: StoredAsyncSearch): Buffer {
  const json = Buffer.from(JSON.stringify(described))
  const content = Buffer.concat([json, body])
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(json.length, 8)
  header.writeUInt32LE(body.length, 12)
  header.writeUInt32LE(crc32(content), 16)
  return Buffer.concat([header, content])
}

function decode(bytes: Buffer): StoredAsyncSearch | undefined {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) return undefined
  const jsonBytes = bytes.readUInt32LE(8)
  const content = bytes.subarray(HEADER_BYTES)
  if (content.length !== jsonBytes + bytes.readUInt32LE(12) || bytes.readUInt32LE(16) !== crc32(content))
    return undefined
  const described = JSON.parse(content.toString('utf8', 0, jsonBytes)) as Omit<StoredAsyncSearch, 'body'>
  return { ...described, body: content.subarray(jsonBytes) }
}
