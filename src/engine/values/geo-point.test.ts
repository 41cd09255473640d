import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizePoint, parseGeoPoint } from './geo-point.ts'

const read = (value: unknown, ignoreZValue = true) => parseGeoPoint(value, { ignoreZValue })

test('every notation of a point is parsed to the same point', () => {
  const forms: unknown[] = [
    { lat: 52.1, lon: 4.2 },
    { lat: '52.1', lon: '4.2' },
    { lat: 52.1, lon: 4.2, z: 7 },
    '52.1,4.2',
    ' 52.1 , 4.2,7',
    [4.2, 52.1],
    [4.2, 52.1, 7],
    'POINT (4.2 52.1)',
    'point(4.2 52.1 7)',
    { type: 'Point', coordinates: [4.2, 52.1] },
    { type: 'point', coordinates: [4.2, 52.1, 7] },
  ]
  for (const form of forms) assert.deepEqual(read(form), { lat: 52.1, lon: 4.2 }, JSON.stringify(form))
  assert.deepEqual(read('u173z'), { lat: 52.3388671875, lon: 4.8779296875 })
  assert.deepEqual(parseGeoPoint({ geohash: 'u173z' }, { ignoreZValue: true, geohashObject: true }), read('u173z'))
})

test("other notations are rejected with Elasticsearch's messages", () => {
  const names = 'lon, lat, z, type, coordinates'
  const refused: [value: unknown, message: string][] = [
    [5, 'geo_point expected'],
    [{}, 'field must be either lat/lon, geohash string or type/coordinates'],
    [{ lat: 1 }, 'Required [lon]'],
    [{ lon: 1 }, 'Required [lat]'],
    [{ lat: 'x', lon: 1 }, '[latitude] must be a valid double value'],
    [{ lat: null, lon: 1 }, 'latitude must be a number'],
    [{ geohash: 'u1' }, `field [geohash] not supported - must be one of: ${names}`],
    [{ type: 'Point' }, 'Required [coordinates]'],
    [{ coordinates: [1, 2] }, 'Required [type]'],
    [{ type: 'Point', coordinates: [1] }, '[coordinates] must contain at least two values'],
    [{ type: 'Point', coordinates: 'x' }, '[coordinates] must be an array'],
    ['1,x', 'longitude must be a number'],
    ['1,2,3,4', 'failed to parse [4], expected 2 or 3 coordinates but found: [{}]'],
    ['', 'empty geohash'],
    ['POINT (4.2)', 'Invalid WKT format'],
  ]
  for (const [value, message] of refused) {
    assert.throws(() => read(value), { type: 'parse_exception', message }, JSON.stringify(value))
  }
  const found = 'Exception parsing coordinates: found Z value [3.0] but [ignore_z_value] parameter is [false]'
  for (const value of [[1, 2, 3], '1,2,3']) assert.throws(() => read(value, false), { message: found })
})

test('points beyond a pole or the date line wrap around', () => {
  const wrapped: [lat: number, lon: number, toLat: number, toLon: number][] = [
    [91, 10, 89, -170],
    [-91, -10, -89, 170],
    [45, 190, 45, -170],
    [45, -540, 45, 180],
    [360, 0, 0, 0],
    [45, 10, 45, 10],
  ]
  for (const [lat, lon, toLat, toLon] of wrapped) {
    const point = normalizePoint({ lat, lon })
    assert.deepEqual([point.lat + 0, point.lon + 0], [toLat, toLon], `${lat},${lon}`)
  }
})
