/**
 * The tiles of a geotile grid on a world map. The outlines are part of the console, so no request leaves the service.
 */
import { geoMercator, geoPath } from 'd3-geo'
import { useEffect, useMemo, useState } from 'preact/hooks'
import land from 'world-atlas/land-110m.json'
import { count } from '../../api/format.ts'
import { heatStep } from './heat.ts'
import { landOf, tileBounds } from './outlines.ts'
import type { Bucket } from './run.ts'

const WIDTH = 960
const HEIGHT = 480
/** The latitude at which the Mercator projection is cut off. */
const POLE = 75

const outlines = landOf(land as unknown as Parameters<typeof landOf>[0], 'land')

export default function TileMap({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const [isClose, setClose] = useState(false)
  const tiles = useMemo(
    () =>
      buckets.flatMap((bucket) => {
        const bounds = tileBounds(String(bucket.keys.find((key) => /^\d+\/\d+\/\d+$/.test(String(key))) ?? ''))
        return bounds === undefined ? [] : [{ bounds, count: bucket.count }]
      }),
    [buckets],
  )
  const most = Math.max(1, ...tiles.map((tile) => tile.count))
  const projection = useMemo(() => {
    const box = isClose && tiles.length > 0 ? around(tiles.map(({ bounds }) => bounds)) : [-180, -58, 180, POLE]
    const [west, south, east, north] = box as [number, number, number, number]
    return geoMercator().fitExtent(
      [
        [4, 4],
        [WIDTH - 4, HEIGHT - 4],
      ],
      {
        type: 'MultiPoint',
        coordinates: [
          [west, Math.max(south, -POLE)],
          [east, Math.min(north, POLE)],
        ],
      },
    )
  }, [isClose, tiles])
  const path = useMemo(
    () => geoPath(projection)(outlines as Parameters<ReturnType<typeof geoPath>>[0]) ?? '',
    [projection],
  )
  useEffect(() => setClose(false), [buckets])
  return (
    <div class="mapbox">
      <div class="row">
        <b class="strong">Documents by tile</b>
        <button type="button" class="button small" aria-pressed={isClose} onClick={() => setClose(!isClose)}>
          {isClose ? 'Show the world' : 'Zoom to the tiles'}
        </button>
        <span class="push hint">1</span>
        <span class="ramp" aria-hidden="true">
          {[1, 2, 3, 4, 5, 6].map((step) => (
            <i key={step} class={`h${step}`} />
          ))}
        </span>
        <span class="hint">{count(most)}</span>
      </div>
      <svg
        class="map"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Map with ${count(tiles.length)} tiles, at most ${count(most)} documents in one`}
      >
        <path class="land" d={path} />
        {tiles.map(({ bounds: [west, south, east, north], count: value }) => {
          const [x, y] = projection([west, north]) ?? [0, 0]
          const [right, bottom] = projection([east, south]) ?? [0, 0]
          return (
            <rect
              key={`${west} ${north}`}
              class={`tile h${heatStep(value, most)}`}
              x={x}
              y={y}
              width={Math.max(1, right - x)}
              height={Math.max(1, bottom - y)}
            >
              <title>{`${north.toFixed(1)}°, ${west.toFixed(1)}°: ${count(value)}`}</title>
            </rect>
          )
        })}
      </svg>
    </div>
  )
}

function around(all: readonly (readonly [number, number, number, number])[]): number[] {
  const west = Math.min(...all.map(([one]) => one))
  const south = Math.min(...all.map(([, one]) => one))
  const east = Math.max(...all.map(([, , one]) => one))
  const north = Math.max(...all.map(([, , , one]) => one))
  return [west - 2, south - 2, east + 2, north + 2]
}
