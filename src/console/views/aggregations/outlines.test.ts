import assert from 'node:assert/strict'
import { test } from 'node:test'
import { landOf, tileBounds } from './outlines.ts'

test('arcs are joined to rings, and a negative number reverses an arc', () => {
  const land = landOf(
    {
      transform: { scale: [1, 1], translate: [10, 20] },
      arcs: [
        [
          [0, 0],
          [1, 0],
        ],
        [
          [0, 0],
          [0, 1],
          [1, -1],
        ],
      ],
      objects: { land: { geometries: [{ type: 'Polygon', arcs: [[0, -2]] }] } },
    },
    'land',
  )
  assert.deepEqual(land.coordinates, [
    [
      [
        [10, 20],
        [11, 20],
        [10, 21],
        [10, 20],
      ],
    ],
  ])
})

test('the bounds of a tile follow from its zoom, x and y', () => {
  assert.deepEqual(tileBounds('0/0/0')?.map(Math.round), [-180, -85, 180, 85])
  assert.deepEqual(tileBounds('1/1/0')?.map(Math.round), [0, 0, 180, 85])
  assert.equal(tileBounds('x'), undefined)
})
