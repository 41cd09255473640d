import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWkt } from './wkt.ts'

test('every geometry type is parsed', () => {
  const read: [text: string, geometry: unknown][] = [
    ['POINT (1 -2.5)', { type: 'Point', coordinates: [1, -2.5] }],
    ['point empty', { type: 'Point', coordinates: undefined }],
    [
      'MULTIPOINT (1 2, 3 4)',
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'LINESTRING (1 2, 3 4)',
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'POLYGON ((0 0, 1 0, 1 1, 0 0))',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    ],
    ['BBOX (1, 2, 4, 3)', { type: 'Envelope', minLon: 1, maxLon: 2, maxLat: 4, minLat: 3 }],
    ['CIRCLE (1 2 30)', { type: 'Circle', center: [1, 2], radiusMeters: 30 }],
    [
      'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING EMPTY)',
      {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [1, 2] },
          { type: 'LineString', coordinates: [] },
        ],
      },
    ],
  ]
  for (const [text, geometry] of read) assert.deepEqual(parseWkt(text), geometry, text)
})

test('a syntax error states what was expected', () => {
  const refused: [text: string, message: string][] = [
    ['POINT (1)', "expected number but found: ')'"],
    ['POINT (x 1)', 'invalid number found: x'],
    ['POINT 1 2', 'expected EMPTY or ( but found: 1'],
    ['POINT (1 2', 'expected word but found: END-OF-STREAM'],
    ['POINT (1 2 3 4)', 'expected ) but found: 4'],
    ['LINESTRING (1 2; 3 4)', "expected word but found: ';'"],
    ['LINESTRING (1 2 3, 3 4)', "coordinate dimensions do not match: ')'"],
    ['LINESTRING (1 2)', 'at least two points in the line is required'],
    ['POLYGON ((0 0, 1 0, 0 0))', 'at least 4 polygon points required'],
    ['BBOX (1, 2, 3, 4)', 'max y cannot be less than min y'],
    ['FOO (1 2)', 'Unknown geometry type: foo'],
    ['POINT (1 95)', 'invalid latitude 95.0; must be between -90.0 and 90.0'],
    [
      'POLYGON ((0 0, 1 0, 1 1, 0 1))',
      'first and last points of the linear ring must be the same (it must close itself): x[0]=0.0 x[3]=0.0 y[0]=0.0 y[3]=1.0',
    ],
  ]
  for (const [text, message] of refused) assert.throws(() => parseWkt(text), { message }, text)
  assert.throws(() => parseWkt('POINT (1 2 3)', { ignoreZValue: false }), {
    message: 'found Z value [3.0] but [ignore_z_value] parameter is [false]',
  })
})
