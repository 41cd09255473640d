import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hitIds, openTestShard } from '../../search/search-fixture.ts'

// Edges avoid the hundredths of degrees of the points, where quantization would decide.
const edge = (degrees: number) =>
  fc.integer({ min: -degrees * 100, max: degrees * 100 - 1 }).map((n) => n / 100 + 0.0037)
const coordinates = fc.tuple(edge(90), edge(180))
const places = Array.from({ length: 3_000 }, (_, i) => ({
  lat: Math.round((((i * 7919) % 18_001) / 100 - 90) * 1e4) / 1e4,
  lon: Math.round((((i * 104_729) % 36_001) / 100 - 180) * 1e4) / 1e4,
}))
const shard = openTestShard({ p: { type: 'geo_point' } }, [
  places.map((place, i) => ({
    id: String(i),
    source: { p: i % 5 === 0 ? [place, places[(i * 31) % 3_000]!] : place },
  })),
])
const found = (query: unknown) => new Set(hitIds(shard, { query, size: 3_000, sort: ['_doc'] }))

// Goal: skipping leaves loses no point. Method: the same area as a box or circle, which skips leaves, and as a shape,
// which reads all points.
test('boxes and circles match the same documents as the equivalent shapes', () => {
  fc.assert(
    fc.property(coordinates, coordinates, fc.integer({ min: 1, max: 9_000 }), ([latA, lonA], [latB, lonB], km) => {
      const [bottom, top] = [Math.min(latA, latB), Math.max(latA, latB)]
      if (top - bottom > 0.001 && Math.abs(lonA - lonB) > 0.001) {
        const box = { geo_bounding_box: { p: { top, bottom, left: lonA, right: lonB } } }
        const envelope = {
          type: 'envelope',
          coordinates: [
            [lonA, top],
            [lonB, bottom],
          ],
        }
        assert.deepEqual(found(box), found({ geo_shape: { p: { shape: envelope } } }))
      }
      const near = { geo_distance: { distance: `${km}km`, p: { lat: latA, lon: lonA } } }
      const circle = { type: 'circle', coordinates: [lonA, latA], radius: `${km}km` }
      assert.deepEqual(found(near), found({ geo_shape: { p: { shape: circle } } }))
    }),
    { numRuns: 60 },
  )
})
