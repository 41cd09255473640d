/**
 * Documents with a point in an area. The points of a segment are in leaves of neighbours, as in a BKD tree: leaves
 * outside the area are skipped, leaves inside match completely, and only the points of the others are compared.
 */
import { hasBit, setBit, wordsFor } from '../../../base/bit-set.ts'
import { newPointBlock } from '../../segment/doc-values/doc-values-block.ts'
import { LEAF_BOUNDS, LEAF_POINTS } from '../../segment/doc-values/spatial-order.ts'
import type { GeoDocValues } from '../../segment/segment-reader-api.ts'
import { BitSetScorer } from './bit-set-scorer.ts'
import { DocListScorer } from './doc-list-scorer.ts'
import type { Scorer } from './scorer.ts'

/** All coordinates are quantized. */
export interface PointArea {
  holds(latitude: number, longitude: number): boolean
  /** The relation of a box to the area; without it, every box may cross its border. */
  relate?(south: number, north: number, west: number, east: number): 'inside' | 'outside' | 'crosses'
}

/** Up to this many documents are kept as a list and not as a bit set. */
const SMALL_SET = 1024

export function pointsScorer(
  docValues: GeoDocValues,
  area: PointArea,
  docCount: number,
  score: number,
): Scorer | undefined {
  const bits = new Uint32Array(wordsFor(docCount))
  const isScanned = area.relate === undefined || docValues.spatial === undefined
  const count = isScanned ? markAll(docValues, area, docCount, bits) : markLeaves(docValues, area, bits)
  if (count === 0) return undefined
  if (count > SMALL_SET) return new BitSetScorer(bits, count, score, true)
  const docs = new Int32Array(count)
  let at = 0
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word]!; left !== 0; left &= left - 1) docs[at++] = (word << 5) + 31 - Math.clz32(left & -left)
  }
  return new DocListScorer(docs, Math.fround(score))
}

/** Sets the bits of the documents; returns their number. */
function markLeaves(docValues: GeoDocValues, area: PointArea, bits: Uint32Array): number {
  const spatial = docValues.spatial!
  const { bounds, leafCount } = spatial
  const docs = new Int32Array(LEAF_POINTS)
  let count = 0
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const at = leaf * LEAF_BOUNDS
    const relation = area.relate!(bounds[at]!, bounds[at + 1]!, bounds[at + 2]!, bounds[at + 3]!)
    if (relation === 'outside') continue
    const points = spatial.readLeaf(leaf, docs)
    if (relation === 'inside' && !docValues.multiValued) {
      for (let i = 0; i < points; i++) setBit(bits, docs[i]!)
      count += points
      continue
    }
    const kept = relation === 'crosses' ? keepHeld(docValues, area, docs, points) : points
    for (let i = 0; i < kept; i++) {
      if (hasBit(bits, docs[i]!)) continue
      setBit(bits, docs[i]!)
      count++
    }
  }
  return count
}

/** Drops the documents of a leaf without a point in the area; returns the number left. */
function keepHeld(docValues: GeoDocValues, area: PointArea, docs: Int32Array, points: number): number {
  docValues.readBlock(docs, points, leafPoints)
  const { offsets, latitudes, longitudes } = leafPoints
  let kept = 0
  for (let i = 0; i < points; i++) {
    const end = offsets[i + 1]!
    for (let at = offsets[i]!; at < end; at++) {
      if (!area.holds(latitudes[at]!, longitudes[at]!)) continue
      docs[kept++] = docs[i]!
      break
    }
  }
  return kept
}

/** Shared scratch memory: a thread reads one leaf at a time. */
const leafPoints = newPointBlock(LEAF_POINTS)

function markAll(docValues: GeoDocValues, area: PointArea, docCount: number, bits: Uint32Array): number {
  let count = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (!docValues.has(doc) || !anyPoint(docValues, area, doc)) continue
    setBit(bits, doc)
    count++
  }
  return count
}

function anyPoint(docValues: GeoDocValues, area: PointArea, doc: number): boolean {
  const end = docValues.end(doc)
  for (let slot = docValues.start(doc); slot < end; slot++) {
    if (area.holds(docValues.latitudeAt(slot), docValues.longitudeAt(slot))) return true
  }
  return false
}
