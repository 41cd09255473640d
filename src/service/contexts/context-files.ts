/**
 * Contexts on disk. One file describes a context; it is written and synced before the id is returned. A second file has
 * two alternating slots for the progress and is written with every page. docs/formats/contexts.md describes the bytes.
 *
 * Progress is not synced. It survives the end of the process at any moment. After a power failure an older page is
 * found, and the page number in the client's id determines how to continue. A second record notes that the response was
 * sent: after the end of the process it distinguishes a client that requests the next page from one that repeats the
 * request for a page it never received, when both send the same id.
 */

import { crc32 } from '../../base/bytes/crc32.ts'
import type { IndexLimits } from '../../engine/limits/read-limits.ts'
import type { SortValue } from '../../engine/sort/sort-key.ts'
import { type Directory, readWhole, type WritableFile } from '../../engine/store/directory.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { ContextKind } from './context-id.ts'
import type { ContextOrigin, IdStyle, ScrollPosition, SearchContext } from './search-context.ts'

const MAGIC = 'sandpctx'
const HEADER_BYTES = 16
/**
 * Offsets of the two slots for ordinary records, and of those for records with long sort values. Files are sparse, so
 * gaps take no space.
 */
const SLOTS = [0, 64 * 1024]
const SLOT_BYTES = 64 * 1024
const LARGE_SLOTS = [1024 * 1024, 17 * 1024 * 1024]
/** Maximum progress files kept open, because opening one costs more than writing it. */
const OPEN_FILES_MAX = 64

/** A context as stored in its files. */
export interface SavedContext {
  readonly key: string
  readonly kind: ContextKind
  readonly openedAtMs: number
  readonly keepAliveMs: number
  readonly expiresAtMs: number
  readonly origin: ContextOrigin
  readonly shards: readonly SavedShard[]
  readonly scroll: SavedScroll | undefined
}

export interface SavedShard {
  readonly indexUuid: string
  readonly indexName: string
  readonly shard: number
  readonly view: string
  readonly filters: readonly JsonObject[] | undefined
  readonly limits: IndexLimits | undefined
}

export interface SavedScroll {
  readonly uri: string
  /** Base64. */
  readonly body: string
  readonly total: number
  readonly maxScore: number | null
  readonly terminatedEarly: boolean | undefined
  readonly position: ScrollPosition
  readonly idStyle: IdStyle
  readonly isAnswerLost: boolean
}

export class ContextFiles {
  readonly #directory: Directory
  /** Number of the last progress record of each context. */
  readonly #sequences = new Map<string, number>()
  /** Ordered by use, the least recent first. */
  readonly #progress = new Map<string, WritableFile>()

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /** Resolves when the context would survive a power failure. */
  async write(context: SearchContext): Promise<void> {
    const name = fileName(context.key)
    const temporary = `${name}.tmp`
    this.#directory.write(temporary, encode(describe(context)))
    await this.#directory.sync(temporary)
    this.#directory.rename(temporary, name)
    await this.#directory.syncFolder()
  }

  /**
   * Records the position of a scroll and the new expiry of a context: before the response that changed them is sent,
   * and with `isAnswered` again after it was sent.
   */
  writeProgress(context: SearchContext, isAnswered: boolean): void {
    const sequence = (this.#sequences.get(context.key) ?? 0) + 1
    this.#sequences.set(context.key, sequence)
    const { expiresAtMs, keepAliveMs, scroll } = context
    const position = scroll === undefined ? undefined : savePosition(scroll.position)
    const bytes = encode({
      key: context.key,
      sequence,
      expiresAtMs,
      keepAliveMs,
      position,
      idStyle: scroll?.idStyle,
      isAnswered,
    })
    const slots = bytes.length <= SLOT_BYTES ? SLOTS : LARGE_SLOTS
    this.#progressFile(context.key).writeSync(bytes, 0, bytes.length, slots[sequence % 2]!)
  }

  #progressFile(key: string): WritableFile {
    const name = progressName(key)
    const known = this.#progress.get(key)
    this.#progress.delete(key)
    const isThere = known !== undefined || this.#directory.size(name) !== undefined
    const file = known ?? (isThere ? this.#directory.open(name) : this.#directory.create(name))
    this.#progress.set(key, file)
    if (this.#progress.size > OPEN_FILES_MAX) this.#closeProgress(this.#progress.keys().next().value!)
    return file
  }

  #closeProgress(key: string): void {
    this.#progress.get(key)?.close()
    this.#progress.delete(key)
  }

  /** Closes open files. */
  close(): void {
    for (const key of [...this.#progress.keys()]) this.#closeProgress(key)
  }

  delete(key: string): void {
    this.#sequences.delete(key)
    this.#closeProgress(key)
    for (const name of [fileName(key), progressName(key)]) this.#directory.delete(name)
  }

  /** All readable contexts. An unreadable file is damaged; it is renamed and kept for inspection. */
  readAll(onDamage: (fileName: string, error?: unknown) => void): SavedContext[] {
    const saved: SavedContext[] = []
    for (const name of this.#directory.list()) {
      if (/^context-[0-9a-f]+\.tmp$/.test(name)) this.#directory.delete(name)
      const key = /^context-([0-9a-f]+)$/.exec(name)?.[1]
      if (key === undefined) continue
      try {
        const context = this.#read(name, key, onDamage)
        if (context !== undefined) saved.push(context)
      } catch (error) {
        // The disk fails: the files stay for the next start.
        onDamage(name, error)
      }
      // Otherwise the descriptors of all files read would stay open as long as the node runs.
      this.#directory.close()
    }
    return saved
  }

  /** Undefined if the files of the context are damaged; they are renamed. */
  #read(name: string, key: string, onDamage: (fileName: string) => void): SavedContext | undefined {
    const context = decode(readWhole(this.#directory, name), 0) as unknown as SavedContext | undefined
    const isOwn = context?.key === key
    const progress = isOwn ? newestProgress(this.#directory, key) : undefined
    if (isOwn && progress?.problem === undefined) return this.#withProgress(context, progress)
    // The progress of a point in time has its expiry only.
    if (isOwn && context.scroll === undefined) {
      onDamage(progressName(key))
      return context
    }
    // Without the right progress, a scroll would repeat pages that its client has.
    for (const file of isOwn ? [progressName(key), name] : [name]) {
      this.#directory.rename(file, `${file}.damaged`)
      onDamage(`${file}.damaged`)
    }
    return undefined
  }

  #withProgress(context: SavedContext, progress: Progress | undefined): SavedContext {
    const { scroll } = context
    if (progress === undefined) {
      return scroll === undefined
        ? context
        : { ...context, scroll: { ...scroll, position: loadPosition(scroll.position), isAnswerLost: false } }
    }
    const { sequence, expiresAtMs, keepAliveMs, position, idStyle, isAnswered } = progress
    this.#sequences.set(context.key, sequence ?? 0)
    if (scroll === undefined) return { ...context, expiresAtMs, keepAliveMs }
    const place = { position: loadPosition(position!), idStyle: idStyle!, isAnswerLost: isAnswered !== true }
    return { ...context, expiresAtMs, keepAliveMs, scroll: { ...scroll, ...place } }
  }
}

interface FoundProgress extends Progress {
  /** Why it cannot be relied on. */
  readonly problem?: string
}

/** Undefined if there is none yet. */
function newestProgress(directory: Directory, key: string): FoundProgress | undefined {
  const name = progressName(key)
  const size = directory.size(name) ?? 0
  const records = [...SLOTS, ...LARGE_SLOTS].flatMap((offset) => {
    const record = readRecord(directory, name, size, offset) as unknown as Progress | undefined
    return record === undefined ? [] : [record]
  })
  const newest = records.reduce<Progress | undefined>(
    (best, record) => (best === undefined || isNewer(record, best) ? record : best),
    undefined,
  )
  if (newest === undefined) {
    return size === 0 ? undefined : { ...NO_PROGRESS, problem: 'has no record that matches its checksum' }
  }
  if ((newest.key ?? key) !== key) return { ...newest, problem: `is that of ${fileName(newest.key!)}` }
  // The slots take turns. If the record before the newest one is gone, so may be the one after it. A client that sends
  // its newest id says itself which page it has.
  const { sequence = 1, idStyle } = newest
  const isComplete = sequence === 1 || records.some((record) => record.sequence === sequence - 1)
  const isWhole = isComplete && records.length >= writtenSlots(directory, name, size)
  if (isWhole || idStyle === 'newest' || idStyle === undefined) return newest
  return { ...newest, problem: 'lacks one of its two records' }
}

/** The slots that are not empty, whatever is in them. A slot that was never written is a hole in the file. */
function writtenSlots(directory: Directory, name: string, size: number): number {
  const head = Buffer.alloc(HEADER_BYTES)
  return [...SLOTS, ...LARGE_SLOTS].filter((offset) => {
    if (size < offset + HEADER_BYTES) return false
    directory.read(name, offset, head)
    return head.some((byte) => byte !== 0)
  }).length
}

/** The record at `offset` of a file of `size` bytes; undefined if there is no complete one. */
function readRecord(directory: Directory, name: string, size: number, offset: number): JsonObject | undefined {
  if (size < offset + HEADER_BYTES) return undefined
  const header = Buffer.alloc(HEADER_BYTES)
  directory.read(name, offset, header)
  const length = header.readUInt32LE(8)
  if (header.toString('latin1', 0, 8) !== MAGIC || size < offset + HEADER_BYTES + length) return undefined
  const bytes = new Uint8Array(HEADER_BYTES + length)
  directory.read(name, offset, bytes)
  return decode(bytes, 0)
}

/** What is wrong with the progress of a context; undefined for a sound one. */
export const progressProblem = (directory: Directory, name: string): string | undefined =>
  newestProgress(directory, name.slice(progressName('').length))?.problem

/** What is wrong with the file of a context; undefined for a sound one. */
export function contextProblem(directory: Directory, name: string): string | undefined {
  const context = decode(readWhole(directory, name), 0) as unknown as SavedContext | undefined
  if (context === undefined) return 'does not match its checksum'
  return fileName(context.key) === name ? undefined : `is that of ${fileName(context.key)}`
}

/** Records of earlier versions have no number: their pages and times determine which is newer. */
function isNewer(one: Progress, other: Progress): boolean {
  if (one.sequence !== undefined || other.sequence !== undefined) return (one.sequence ?? 0) > (other.sequence ?? 0)
  const pages = (one.position?.page ?? 0) - (other.position?.page ?? 0)
  return pages > 0 || (pages === 0 && one.expiresAtMs > other.expiresAtMs)
}

const NO_PROGRESS: Progress = {
  key: undefined,
  sequence: undefined,
  expiresAtMs: 0,
  keepAliveMs: 0,
  position: undefined,
  idStyle: undefined,
  isAnswered: undefined,
}

interface Progress {
  /** The context it belongs to; absent in records of earlier versions. */
  readonly key: string | undefined
  /** Counts the records of a context. */
  readonly sequence: number | undefined
  readonly expiresAtMs: number
  readonly keepAliveMs: number
  readonly position: ScrollPosition | undefined
  readonly idStyle: IdStyle | undefined
  /** Whether the newest page was sent. */
  readonly isAnswered: boolean | undefined
}

const fileName = (key: string) => `context-${key}`
const progressName = (key: string) => `progress-${key}`

function describe(context: SearchContext): JsonObject {
  const { key, kind, openedAtMs, keepAliveMs, expiresAtMs, origin, scroll } = context
  const shards: SavedShard[] = context.shards.map(({ indexUuid, indexName, shard, keptName, filters, limits }) => ({
    indexUuid,
    indexName,
    shard,
    view: keptName ?? '',
    filters,
    limits,
  }))
  const saved = scroll && {
    uri: scroll.request.uri,
    body: Buffer.from(scroll.request.body).toString('base64'),
    total: scroll.total,
    maxScore: Number.isNaN(scroll.maxScore) ? null : scroll.maxScore,
    terminatedEarly: scroll.terminatedEarly,
    position: savePosition(scroll.position),
    idStyle: scroll.idStyle,
  }
  return { key, kind, openedAtMs, keepAliveMs, expiresAtMs, origin, shards, scroll: saved }
}

/** Encodes a record: `sandpctx`, length and checksum of the JSON text, the text. */
function encode(value: object): Uint8Array {
  const json = Buffer.from(JSON.stringify(value))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(json.length, 8)
  header.writeUInt32LE(crc32(json), 12)
  return Buffer.concat([header, json])
}

/** Decodes the record at `offset`; undefined if it is incomplete. */
function decode(bytes: Uint8Array, offset: number): JsonObject | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(offset)
  if (buffer.length < HEADER_BYTES || buffer.toString('latin1', 0, 8) !== MAGIC) return undefined
  const json = buffer.subarray(HEADER_BYTES, HEADER_BYTES + buffer.readUInt32LE(8))
  if (buffer.readUInt32LE(8) !== json.length || buffer.readUInt32LE(12) !== crc32(json)) return undefined
  return JSON.parse(json.toString())
}

/** JSON has no infinite numbers, 64-bit integers or bytes. */
function saveValue(value: SortValue): unknown {
  if (typeof value === 'bigint') return { long: value.toString() }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  return typeof value === 'number' && !Number.isFinite(value) ? { double: String(value) } : value
}

function loadValue(saved: unknown): SortValue {
  if (saved === null || typeof saved === 'number') return saved
  const { long, bytes, double } = saved as { long?: string; bytes?: string; double?: string }
  if (long !== undefined) return BigInt(long)
  return bytes !== undefined ? Buffer.from(bytes, 'base64') : Number(double)
}

function savePosition({ page, before, after }: ScrollPosition): JsonObject {
  return { page, before: before?.map(saveValue), after: after?.map(saveValue) }
}

function loadPosition(saved: ScrollPosition): ScrollPosition {
  const { page, before, after } = saved
  return { page, before: before?.map(loadValue), after: after?.map(loadValue) }
}
