import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeLatitude, decodeLongitude, encodeLatitude, encodeLongitude } from '../../values/geo-encoding.ts'
import { encodeGeohash, geohashBox } from '../../values/geohash.ts'
import { GeoTileBounds } from './geo-tile-bounds.ts'
import { geohashBounds } from './geohash-bounds.ts'

test('a point is in the box of the geohashes that overlap bounds exactly if its geohash overlaps them', () => {
  const degrees = (most: number) =>
    fc.oneof(
      thousandths(most),
      fc.integer({ min: -16, max: 16 }).map((n) => (n * most) / 16),
    )
  const lat = degrees(90)
  const lon = degrees(180)
  fc.assert(
    fc.property(
      fc.tuple(lat, lat),
      lon,
      lon,
      lat,
      lon,
      fc.integer({ min: 1, max: 6 }),
      (lats, left, right, y, x, length) => {
        const bounds = { top: Math.max(...lats), bottom: Math.min(...lats), left, right }
        const pointLat = decodeLatitude(encodeLatitude(y))
        const pointLon = decodeLongitude(encodeLongitude(x))
        const cell = geohashBox(encodeGeohash(pointLon, pointLat, length))
        const isInLon =
          left > right ? cell.minLon < right || cell.maxLon > left : cell.minLon < right && cell.maxLon > left
        const overlaps = cell.minLat < bounds.top && cell.maxLat > bounds.bottom && isInLon
        const box = geohashBounds(bounds, length)
        assert.equal(box !== undefined && isIn(pointLat, pointLon, box), overlaps)
      },
    ),
  )
})

test('tiles at both ends of a box across the dateline that meet are all tiles', () => {
  const { box } = new GeoTileBounds({ top: 40, left: 100, bottom: 10, right: 50 }, 1)
  assert.equal(box?.left, -180)
  assert.equal(box?.right, 180)
})

const thousandths = (most: number) => fc.integer({ min: -most * 1000, max: most * 1000 }).map((n) => n / 1000)

function isIn(
  lat: number,
  lon: number,
  { top, left, bottom, right }: Record<'top' | 'left' | 'bottom' | 'right', number>,
) {
  if (lat > top || lat < bottom) return false
  return left > right ? lon >= left || lon <= right : lon >= left && lon <= right
}
