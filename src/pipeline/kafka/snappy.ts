/** Writes snappy: one block after the header that Java clients expect. */

const HEADER = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1])
const HASH_BITS = 14
const LEAST_COPY = 4
/** Copies reach back as far as two bytes can say. */
const REACH = 65_535

export function packSnappy(bytes: Uint8Array): Buffer {
  const block = packBlock(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const length = Buffer.alloc(4)
  length.writeInt32BE(block.length)
  return Buffer.concat([HEADER, length, block])
}

function packBlock(bytes: Buffer): Buffer {
  // Literals in the worst case: five bytes of length for every stretch, and the length of the whole.
  const out = Buffer.allocUnsafe(32 + bytes.length + Math.ceil(bytes.length / 6))
  let to = writeLength(out, bytes.length)
  /** The last place of every hash of four bytes, plus one. */
  const places = new Int32Array(1 << HASH_BITS)
  let literalFrom = 0
  for (let at = 0; at + LEAST_COPY <= bytes.length; ) {
    const word = bytes.readInt32LE(at)
    const hash = Math.imul(word, 0x1e35a7bd) >>> (32 - HASH_BITS)
    const from = places[hash]! - 1
    places[hash] = at + 1
    if (from < 0 || at - from > REACH || bytes.readInt32LE(from) !== word) {
      at++
      continue
    }
    let count = LEAST_COPY
    while (at + count < bytes.length && bytes[from + count] === bytes[at + count]) count++
    to = writeLiteral(out, to, bytes, literalFrom, at)
    to = writeCopy(out, to, at - from, count)
    at += count
    literalFrom = at
  }
  to = writeLiteral(out, to, bytes, literalFrom, bytes.length)
  return out.subarray(0, to)
}

function writeLength(out: Buffer, length: number): number {
  let to = 0
  let rest = length
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) out[to++] = (rest % 128) | 0x80
  out[to++] = rest
  return to
}

function writeLiteral(out: Buffer, start: number, bytes: Buffer, from: number, end: number): number {
  const count = end - from
  if (count === 0) return start
  let to = start
  if (count <= 60) out[to++] = (count - 1) << 2
  else {
    // The length follows in four bytes.
    out[to++] = 63 << 2
    to = out.writeUInt32LE(count - 1, to)
  }
  bytes.copy(out, to, from, end)
  return to + count
}

/** A copy with an offset of two bytes has at most 64 bytes. */
function writeCopy(out: Buffer, start: number, offset: number, count: number): number {
  let to = start
  for (let left = count; left > 0; ) {
    const part = Math.min(64, left)
    out[to++] = ((part - 1) << 2) | 2
    to = out.writeUInt16LE(offset, to)
    left -= part
  }
  return to
}
