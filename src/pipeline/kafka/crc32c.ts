/** CRC-32C (Castagnoli), the checksum of Kafka's record batches. Eight tables process eight bytes per step. */
const TABLES = makeTables()

function makeTables(): Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
    return value
  })
  const tables = [first]
  for (let i = 1; i < 8; i++) {
    const before = tables[i - 1]!
    tables.push(before.map((value) => (value >>> 8) ^ first[value & 0xff]!))
  }
  return tables
}

export function crc32c(bytes: Buffer): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  let crc = -1
  let at = 0
  for (; at + 8 <= bytes.length; at += 8) {
    const low = crc ^ bytes.readInt32LE(at)
    const high = bytes.readInt32LE(at + 4)
    crc =
      t7[low & 0xff]! ^
      t6[(low >>> 8) & 0xff]! ^
      t5[(low >>> 16) & 0xff]! ^
      t4[low >>> 24]! ^
      t3[high & 0xff]! ^
      t2[(high >>> 8) & 0xff]! ^
      t1[(high >>> 16) & 0xff]! ^
      t0[high >>> 24]!
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 0xff]!
  return ~crc >>> 0
}
