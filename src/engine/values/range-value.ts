/**
 * The bounds of a range field as bytes: the lower bound, then the upper, both inclusive, each in a form whose byte
 * order is the order of the values. Queries compare the bytes without decoding.
 *
 * - `number` (integer, float and double ranges, date ranges in ms): the 8 bytes of the double, big-endian, with the
 *   sign bit flipped for positive and all bits for negative values
 * - `long` (long ranges): 8 bytes big-endian with the sign bit flipped
 * - `ip`: the 16 bytes of the address
 */

export type RangeKind = 'number' | 'long' | 'ip'

export interface RangeBounds {
  low: number | bigint | Uint8Array
  high: number | bigint | Uint8Array
}

/** The required relation of a stored range to the queried one. */
export type RangeRelation = 'intersects' | 'within' | 'contains'

const SIGN = 1n << 63n

export function boundBytes(kind: RangeKind): number {
  return kind === 'ip' ? 16 : 8
}

export function encodeRange(kind: RangeKind, bounds: RangeBounds): Uint8Array {
  const width = boundBytes(kind)
  const encoded = new Uint8Array(2 * width)
  writeBound(kind, bounds.low, encoded, 0)
  writeBound(kind, bounds.high, encoded, width)
  return encoded
}

export function decodeRange(kind: RangeKind, encoded: Uint8Array, at = 0): RangeBounds {
  return { low: readBound(kind, encoded, at), high: readBound(kind, encoded, at + boundBytes(kind)) }
}

/** Whether the stored range at `stored[at, …)` has the relation to the queried one. `width` is that of one bound. */
export function rangeMatches(
  relation: RangeRelation,
  stored: Uint8Array,
  at: number,
  query: Uint8Array,
  width: number,
): boolean {
  const high = at + width
  switch (relation) {
    case 'intersects':
      return compareBytes(stored, at, query, width, width) <= 0 && compareBytes(stored, high, query, 0, width) >= 0
    case 'within':
      return compareBytes(stored, at, query, 0, width) >= 0 && compareBytes(stored, high, query, width, width) <= 0
    case 'contains':
      return compareBytes(stored, at, query, 0, width) <= 0 && compareBytes(stored, high, query, width, width) >= 0
  }
}

function writeBound(kind: RangeKind, value: number | bigint | Uint8Array, out: Uint8Array, at: number): void {
  if (value instanceof Uint8Array) {
    out.set(value, at)
    return
  }
  const view = new DataView(out.buffer, out.byteOffset)
  if (kind === 'long') {
    view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)) ^ SIGN)
    return
  }
  view.setFloat64(at, Number(value))
  if (out[at]! < 0x80) out[at]! ^= 0x80
  else for (let i = 0; i < 8; i++) out[at + i]! ^= 0xff
}

function readBound(kind: RangeKind, encoded: Uint8Array, at: number): number | bigint | Uint8Array {
  if (kind === 'ip') return encoded.slice(at, at + 16)
  const bytes = encoded.slice(at, at + 8)
  const view = new DataView(bytes.buffer)
  if (kind === 'long') return BigInt.asIntN(64, view.getBigUint64(0) ^ SIGN)
  if (bytes[0]! >= 0x80) bytes[0]! ^= 0x80
  else for (let i = 0; i < 8; i++) bytes[i]! ^= 0xff
  return view.getFloat64(0)
}

function compareBytes(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, length: number): number {
  for (let i = 0; i < length; i++) {
    const difference = a[aAt + i]! - b[bAt + i]!
    if (difference !== 0) return difference
  }
  return 0
}
