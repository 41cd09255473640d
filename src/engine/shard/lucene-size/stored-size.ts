/** Stored documents (`.fdt`): ids and sources in chunks, each in ten blocks that share a dictionary. */
import { lz4Size } from './lz4-size.ts'
import { vintBytes } from './packed-size.ts'

const CHUNK_BYTES = 80 * 1024
const CHUNK_DOCS = 1024
const BLOCKS = 10
/** The dictionary is half as long as a block. */
const DICTIONARY_SHARE = 2 * BLOCKS

/** Records of the documents in order; nested objects have empty ones. */
export function storedSize(records: readonly { readonly bytes: Uint8Array; readonly fields: number }[]): number {
  let size = 0
  for (let from = 0; from < records.length; ) {
    let to = from
    let bytes = 0
    while (to < records.length && to - from < CHUNK_DOCS && bytes < CHUNK_BYTES) bytes += records[to++]!.bytes.length
    const chunk = records.slice(from, to)
    size += vintBytes(from) + vintBytes(chunk.length * 4)
    size += intsBytes(chunk.map(({ fields }) => fields)) + intsBytes(chunk.map(({ bytes: { length } }) => length))
    size += blocksBytes(Buffer.concat(chunk.map(({ bytes: own }) => own)))
    from = to
  }
  return size
}

function intsBytes(values: readonly number[]): number {
  const max = Math.max(...values)
  if (values.every((value) => value === max)) return 1 + vintBytes(max)
  return 1 + values.length * (max < 0x100 ? 1 : max < 0x10000 ? 2 : 4)
}

function blocksBytes(bytes: Uint8Array): number {
  const dictionary = Math.min(0x10000, Math.floor(bytes.length / DICTIONARY_SHARE))
  const length = Math.ceil((bytes.length - dictionary) / BLOCKS)
  const block = (size: number) => vintBytes(size) + size
  let size = vintBytes(dictionary) + vintBytes(length) + block(lz4Size(bytes, 0, 0, dictionary))
  const buffer = new Uint8Array(dictionary + length)
  buffer.set(bytes.subarray(0, dictionary))
  for (let at = dictionary; at < bytes.length; at += length) {
    const part = bytes.subarray(at, at + length)
    buffer.set(part, dictionary)
    size += block(lz4Size(buffer.subarray(0, dictionary + part.length), 0, dictionary, dictionary + part.length))
  }
  return size
}
