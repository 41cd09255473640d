/**
 * Contexts on disk: one file for what a context is, written and synced before its id is answered, and two that take turns for
 * where it is, written with every page. docs/formats/contexts.md draws the bytes.
 *
 * Progress is not synced: it survives the end of the process at any moment, and after a power cut an older page is found, from
 * which the page number in the client's id leads on.
 */

import type { SortValue } from '../../engine/sort/sort-key.ts'
import { crc32 } from '../../engine/store/checksum.ts'
import { type Directory, readWhole } from '../../engine/store/directory.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { ContextKind } from './context-id.ts'
import type { ContextOrigin, IdStyle, ScrollPosition, SearchContext } from './search-context.ts'

const MAGIC = 'sandpctx'
const HEADER_BYTES = 16

/** A context as its files tell it. */
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
}

export class ContextFiles {
  readonly #directory: Directory
  readonly #turns = new Map<string, number>()

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /** Resolves when the context would survive a power cut. */
  async write(context: SearchContext): Promise<void> {
    const name = fileName(context.key)
    this.#directory.write(name, encode(describe(context)))
    await this.#directory.sync(name)
    await this.#directory.syncFolder()
  }

  /** Notes the place of a scroll and the new end of a context's time. */
  writeProgress(context: SearchContext): void {
    const turn = 1 - (this.#turns.get(context.key) ?? 1)
    this.#turns.set(context.key, turn)
    const { expiresAtMs, keepAliveMs, scroll } = context
    this.#directory.write(
      progressName(context.key, turn),
      encode({
        expiresAtMs,
        keepAliveMs,
        position: scroll === undefined ? undefined : savePosition(scroll.position),
        idStyle: scroll?.idStyle,
      }),
    )
  }

  delete(key: string): void {
    this.#turns.delete(key)
    for (const name of [fileName(key), progressName(key, 0), progressName(key, 1)]) this.#directory.delete(name)
  }

  /** Every context that was written whole. Others were never answered for. */
  readAll(): SavedContext[] {
    const saved: SavedContext[] = []
    for (const name of this.#directory.list()) {
      const key = /^context-([0-9a-f]+)$/.exec(name)?.[1]
      if (key === undefined) continue
      const context = decode(readWhole(this.#directory, name)) as unknown as SavedContext | undefined
      if (context === undefined || context.key !== key) this.delete(key)
      else saved.push(this.#withProgress(context))
    }
    return saved
  }

  #withProgress(context: SavedContext): SavedContext {
    let newest = context
    for (const turn of [0, 1]) {
      const name = progressName(context.key, turn)
      if (this.#directory.size(name) === undefined) continue
      const progress = decode(readWhole(this.#directory, name)) as unknown as Progress | undefined
      if (progress === undefined || progress.expiresAtMs < newest.expiresAtMs) continue
      const older = (progress.position?.page ?? 0) < (newest.scroll?.position.page ?? 0)
      if (older) continue
      this.#turns.set(context.key, turn)
      const { expiresAtMs, keepAliveMs, position, idStyle } = progress
      const scroll = newest.scroll
      newest = {
        ...newest,
        expiresAtMs,
        keepAliveMs,
        scroll: scroll === undefined ? undefined : { ...scroll, position: position!, idStyle: idStyle! },
      }
    }
    const { scroll } = newest
    return scroll === undefined ? newest : { ...newest, scroll: { ...scroll, position: loadPosition(scroll.position) } }
  }
}

interface Progress {
  readonly expiresAtMs: number
  readonly keepAliveMs: number
  readonly position: ScrollPosition | undefined
  readonly idStyle: IdStyle | undefined
}

const fileName = (key: string) => `context-${key}`
const progressName = (key: string, turn: number) => `progress-${key}-${turn}`

function describe(context: SearchContext): JsonObject {
  const { key, kind, openedAtMs, keepAliveMs, expiresAtMs, origin, scroll } = context
  const shards: SavedShard[] = context.shards.map(({ indexUuid, indexName, shard, keptName, filters }) => ({
    indexUuid,
    indexName,
    shard,
    view: keptName ?? '',
    filters,
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

/** `sandpctx`, length and checksum of the JSON text, the text. */
function encode(value: object): Uint8Array {
  const json = Buffer.from(JSON.stringify(value))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(json.length, 8)
  header.writeUInt32LE(crc32(json), 12)
  return Buffer.concat([header, json])
}

function decode(bytes: Uint8Array): JsonObject | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < HEADER_BYTES || buffer.toString('latin1', 0, 8) !== MAGIC) return undefined
  const json = buffer.subarray(HEADER_BYTES)
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
