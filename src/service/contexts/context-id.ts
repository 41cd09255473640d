/**
 * Ids of points in time and scrolls: short, of the same length for one shard or a thousand, and with a checksum, so
 * that a truncated id is distinguished from an unknown one.
 *
 *   kind u8 | random 12 bytes | shards u16 | page u32 | checksum u32      23 bytes, 31 characters of base64url
 *
 * The page is that of a scroll: an id received with a page requests the next one.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from '../../base/bytes/crc32.ts'

export type ContextKind = 'pit' | 'scroll'

export interface ContextId {
  readonly kind: ContextKind
  /** The unique key of the context in hexadecimal. */
  readonly key: string
  readonly shards: number
  /** The number of pages a scroll had returned when the id was issued. */
  readonly page: number
}

const BYTES = 23
const KEY_BYTES = 12
const CHECKED_BYTES = BYTES - 4
/** First bytes that no id of Elasticsearch has: those begin with a version or the length of a word. */
const KIND_BYTES = { pit: 0xf1, scroll: 0xf2 } as const

export const newContextKey = () => randomBytes(KEY_BYTES).toString('hex')

export function encodeContextId({ kind, key, shards, page }: ContextId): string {
  const bytes = Buffer.alloc(BYTES)
  bytes[0] = KIND_BYTES[kind]
  bytes.write(key, 1, 'hex')
  bytes.writeUInt16LE(Math.min(shards, 0xffff), 1 + KEY_BYTES)
  bytes.writeUInt32LE(page, 3 + KEY_BYTES)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, CHECKED_BYTES)), CHECKED_BYTES)
  return bytes.toString('base64url')
}

/** Undefined if the text is not a valid id of this kind. */
export function decodeContextId(text: string, kind: ContextKind): ContextId | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== BYTES || bytes[0] !== KIND_BYTES[kind]) return undefined
  if (bytes.readUInt32LE(CHECKED_BYTES) !== crc32(bytes.subarray(0, CHECKED_BYTES))) return undefined
  return {
    kind,
    key: bytes.toString('hex', 1, 1 + KEY_BYTES),
    shards: bytes.readUInt16LE(1 + KEY_BYTES),
    page: bytes.readUInt32LE(3 + KEY_BYTES),
  }
}
