/**
 * Record batches, format 2 (all brokers since 0.11).
 *
 *     int64 first offset | int32 length of the rest | int32 leader epoch | int8 2 | uint32 CRC-32C of what follows
 *     int16 attributes (0-2 compression, 4 transactional, 5 control) | int32 last offset delta | int64 first and last time
 *     int64 producer | int16 epoch | int32 sequence | int32 count | records, compressed as a whole
 *
 * A record: varint length, int8 0, varint time and offset differences, key, value, headers. Lengths are varints.
 */
import { COMPRESSIONS, type Compression, pack, unpack } from './compression.ts'
import { crc32c } from './crc32c.ts'
import { WireReader, WireWriter } from './wire.ts'

const HEADER_BYTES = 12
const CRC_START = 21
const CONTROL = 0x20
const COMPRESSION_MASK = 0x07
const FORMAT = 2

export interface RecordHeader {
  readonly key: string
  readonly value: Buffer | undefined
}

export interface KafkaRecord {
  readonly offset: number
  readonly timestampMs: number
  readonly key: Buffer | undefined
  readonly value: Buffer | undefined
  readonly headers: readonly RecordHeader[]
}

export interface OutgoingRecord {
  readonly timestampMs: number
  readonly key: Uint8Array | undefined
  readonly value: Uint8Array
  readonly headers: readonly { key: string; value: Uint8Array }[]
}

/** Lets brokers recognize a batch that they have written already. */
export interface BatchOrigin {
  readonly producerId: bigint
  readonly epoch: number
  /** The number of the first record within its partition. */
  readonly sequence: number
}

const NO_ORIGIN: BatchOrigin = { producerId: -1n, epoch: -1, sequence: -1 }

export function encodeBatch(
  records: readonly OutgoingRecord[],
  compression: Compression,
  { producerId, epoch, sequence }: BatchOrigin = NO_ORIGIN,
): Buffer {
  const first = records[0]!.timestampMs
  let last = first
  const body = new WireWriter()
  records.forEach((record, i) => {
    last = Math.max(last, record.timestampMs)
    const one = new WireWriter()
    one
      .int8(0)
      .varint(record.timestampMs - first)
      .varint(i)
      .varBytes(record.key)
      .varBytes(record.value)
    one.varint(record.headers.length)
    for (const { key, value } of record.headers) one.varBytes(Buffer.from(key)).varBytes(value)
    body.varint(one.length).raw(one.finish())
  })
  const checked = new WireWriter()
  checked
    .int16(COMPRESSIONS.indexOf(compression))
    .int32(records.length - 1)
    .int64(first)
    .int64(last)
    .int64(producerId)
    .int16(epoch)
    .int32(sequence)
    .int32(records.length)
    .raw(pack(body.finish(), compression))
  const bytes = checked.finish()
  return new WireWriter()
    .int64(0)
    .int32(bytes.length + CRC_START - HEADER_BYTES)
    .int32(-1)
    .int8(FORMAT)
    .uint32(crc32c(bytes))
    .raw(bytes)
    .finish()
}

export interface DecodedBatch {
  /** The offset after its last record, even if compaction removed that record. */
  readonly nextOffset: number
  readonly firstOffset: number
  readonly producerId: number
  /**
   * Whether the batch is a transaction marker. It has no records but ends the transactions that its producer aborted.
   */
  readonly isControl: boolean
  readonly isTransactional: boolean
  readonly records: readonly KafkaRecord[]
}

/** Decodes the complete batches in a response; the last one is often truncated. */
export function decodeBatches(bytes: Buffer, checksCrc: boolean): DecodedBatch[] {
  const batches: DecodedBatch[] = []
  let at = 0
  while (at + HEADER_BYTES <= bytes.length) {
    const end = at + HEADER_BYTES + bytes.readInt32BE(at + 8)
    if (end > bytes.length) break
    batches.push(decodeBatch(bytes.subarray(at, end), checksCrc))
    at = end
  }
  return batches
}

function decodeBatch(bytes: Buffer, checksCrc: boolean): DecodedBatch {
  const reader = new WireReader(bytes)
  const firstOffset = reader.int64()
  reader.int32()
  reader.int32()
  const format = reader.int8()
  if (format !== FORMAT) throw new Error(`record format ${format} is too old; only format ${FORMAT} can be read`)
  const crc = reader.uint32()
  if (checksCrc && crc32c(bytes.subarray(CRC_START)) !== crc) {
    throw new Error(`the batch at offset ${firstOffset} is damaged: its checksum does not fit`)
  }
  const attributes = reader.int16()
  const lastDelta = reader.int32()
  const firstTimeMs = reader.int64()
  const lastTimeMs = reader.int64()
  const producerId = reader.int64()
  reader.int16()
  reader.int32()
  const count = reader.int32()
  const isControl = (attributes & CONTROL) !== 0
  const body = isControl ? undefined : new WireReader(unpack(reader.raw(reader.left), attributes & COMPRESSION_MASK))
  const records: KafkaRecord[] = []
  // With LogAppendTime the broker's time applies to all records.
  const fixedTimeMs = (attributes & 0x08) === 0 ? undefined : lastTimeMs
  for (let i = 0; body !== undefined && i < count; i++) {
    records.push(decodeRecord(body, firstOffset, firstTimeMs, fixedTimeMs))
  }
  return {
    nextOffset: firstOffset + lastDelta + 1,
    firstOffset,
    producerId,
    isControl,
    isTransactional: (attributes & 0x10) !== 0,
    records,
  }
}

function decodeRecord(
  reader: WireReader,
  firstOffset: number,
  firstTimeMs: number,
  fixedTimeMs: number | undefined,
): KafkaRecord {
  reader.varint()
  reader.int8()
  const timestampMs = fixedTimeMs ?? firstTimeMs + reader.varint()
  if (fixedTimeMs !== undefined) reader.varint()
  const offset = firstOffset + reader.varint()
  const key = reader.varBytes()
  const value = reader.varBytes()
  const headers: RecordHeader[] = []
  for (let left = reader.varint(); left > 0; left--) {
    headers.push({ key: reader.varBytes()?.toString('utf8') ?? '', value: reader.varBytes() })
  }
  return { offset, timestampMs, key, value, headers }
}
