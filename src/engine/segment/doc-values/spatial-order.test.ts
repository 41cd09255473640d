import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WriteBuffer } from '../buffer/write-buffer.ts'
import { addPlain, openChunks } from '../segment-fixture.ts'
import { sealSegment } from '../segment-writer.ts'
import { LEAF_BOUNDS, LEAF_POINTS } from './spatial-order.ts'

// Goal: leaves contain every point once, inside their box, and the boxes of scattered points overlap little.
test('spatial leaves contain neighbouring points within small boxes', () => {
  const buffer = new WriteBuffer()
  const points: [number, number][] = []
  for (let i = 0; i < 5000; i++) {
    const point: [number, number] = [
      ((i * 7919) % 4294967) * 1000 - 2147483000,
      ((i * 104729) % 4294967) * 1000 - 2147483000,
    ]
    points.push(point)
    addPlain(buffer, { id: `d${i}`, place: [point] }, i)
  }
  const { spatial } = openChunks(sealSegment(buffer, { nestedPaths: [] }).chunks).geoDocValues('place')!
  assert.equal(spatial!.leafCount, Math.ceil(5000 / LEAF_POINTS))
  const docs = new Int32Array(LEAF_POINTS)
  const seen = new Set<number>()
  let area = 0
  for (let leaf = 0; leaf < spatial!.leafCount; leaf++) {
    const [south, north, west, east] = spatial!.bounds.subarray(leaf * LEAF_BOUNDS) as unknown as number[]
    area += ((north! - south!) / 2 ** 32) * ((east! - west!) / 2 ** 32)
    const count = spatial!.readLeaf(leaf, docs)
    for (const doc of docs.subarray(0, count)) {
      seen.add(doc)
      const [latitude, longitude] = points[doc]!
      assert.ok(latitude >= south! && latitude <= north! && longitude >= west! && longitude <= east!)
    }
  }
  assert.equal(seen.size, 5000)
  assert.ok(area < 4, `boxes cover the map ${area} times`)
})
