/** Points: `.kdm` describes the fields, `.kdd` has leaves of up to 512 values, `.kdi` is their index. */
import { vintBytes } from './packed-size.ts'

export interface PointSize {
  readonly meta: number
  readonly index: number
  readonly data: number
}

const LEAF_POINTS = 512
const HEADER_BYTES = 50

export interface Point {
  /** The dimensions in sequence, as bytes that compare like the values. */
  readonly value: Uint8Array
  readonly doc: number
}

/** `dataAt` is the size of the leaves before the field's. */
export function pointSize(points: readonly Point[], dims: number, dataAt: number): PointSize {
  const { length } = points[0]!.value
  const sorted = dims === 1 ? sortedBy(points, 0, length) : points
  const leaves = Math.ceil(points.length / LEAF_POINTS)
  const docCount = new Set(points.map(({ doc }) => doc)).size
  const index = vintBytes(HEADER_BYTES + dataAt) + (leaves - 1) * 5
  const counts = vintBytes(leaves) + vintBytes(points.length) + vintBytes(docCount) + vintBytes(index)
  let data = 0
  for (let at = 0; at < sorted.length; at += LEAF_POINTS) data += leafBytes(sorted.slice(at, at + LEAF_POINTS), dims)
  return { meta: 37 + 2 * length + counts, index, data }
}

/** A one-dimensional leaf is sorted; one with several dimensions is sorted by the dimension that varies least. */
function leafBytes(leaf: readonly Point[], dims: number): number {
  const length = leaf[0]!.value.length
  const width = length / dims
  const prefixes: number[] = []
  for (let dim = 0; dim < dims; dim++) prefixes.push(sharedPrefix(leaf, dim * width, width))
  const shared = prefixes.reduce((sum, each) => sum + each, 0)
  const sortedDim = dims === 1 ? 0 : leastVaried(leaf, prefixes, width)
  const points = dims === 1 ? leaf : sortedBy(leaf, sortedDim * width, width)
  const head = vintBytes(points.length) + docsBytes(points.map(({ doc }) => doc)) + dims + shared + 1
  if (shared === length) return head
  const bounds = dims === 1 ? 0 : 2 * (length - shared)
  const cardinality = countRuns(points, (a, b) => a.every((byte, i) => byte === b[i]))
  const at = sortedDim * width + prefixes[sortedDim]!
  const runs = countRuns(points, (a, b) => a[at] === b[at])
  const low = cardinality * (length - shared + 1)
  const high = points.length * (length - shared - 1) + 2 * runs
  return head + bounds + (cardinality !== points.length && low <= high ? low : high)
}

function sortedBy(points: readonly Point[], start: number, width: number): Point[] {
  const compare = (a: Uint8Array, b: Uint8Array) => {
    for (let i = start; i < start + width; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
    return 0
  }
  return [...points].sort((a, b) => compare(a.value, b.value) || a.doc - b.doc)
}

function docsBytes(docs: readonly number[]): number {
  const min = Math.min(...docs)
  const max = Math.max(...docs)
  const isRising = docs.every((doc, i) => i === 0 || doc > docs[i - 1]!)
  const span = max - min + 1
  if (isRising && span === docs.length) return 1 + vintBytes(docs[0]!)
  if (isRising && span <= docs.length * 16) {
    const firstWord = min >> 6
    const words = (max >> 6) - firstWord + 1
    return 1 + vintBytes(firstWord) + vintBytes(words) + 8 * words
  }
  return 1 + vintBytes(min) + 2 * docs.length
}

function sharedPrefix(points: readonly Point[], start: number, width: number): number {
  for (let i = 0; i < width; i++)
    if (points.some(({ value }) => value[start + i] !== points[0]!.value[start + i])) return i
  return width
}

/** Lucene ignores the first point. */
function leastVaried(points: readonly Point[], prefixes: readonly number[], width: number): number {
  const varied = prefixes.map((prefix, dim) =>
    prefix === width
      ? Number.POSITIVE_INFINITY
      : new Set(points.slice(1).map(({ value }) => value[dim * width + prefix])).size,
  )
  return varied.indexOf(Math.min(...varied))
}

function countRuns(points: readonly Point[], same: (a: Uint8Array, b: Uint8Array) => boolean): number {
  let runs = 1
  for (let i = 1; i < points.length; i++) if (!same(points[i - 1]!.value, points[i]!.value)) runs++
  return runs
}
