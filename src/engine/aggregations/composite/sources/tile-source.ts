/** Map tiles of one zoom. */

import { storageName } from '../../../mapping/storage-name.ts'
import type { SearchExecutionContext } from '../../../scoring/query.ts'
import { decodeLatitude, decodeLongitude } from '../../../values/geo-encoding.ts'
import { parseTile, tileKey, tileOf } from '../../../values/geotile.ts'
import { javaText } from '../../../values/java-text.ts'
import { GeoTileBounds } from '../../grids/geo-tile-bounds.ts'
import type { ValueSource } from '../../values/value-source.ts'
import type { BoundSource } from '../bound-source.ts'
import { printTile } from '../key-value.ts'
import type { CompositeSource } from '../source-settings.ts'
import { TileCodes } from './code-readers.ts'
import { hashDouble } from './number-source.ts'
import { rankOf } from './rank-source.ts'

/** Up to this zoom a tile's number within the zoom fits a double. */
const PLAIN_ZOOM_MAX = 26

export function tileSource(shard: SearchExecutionContext, settings: CompositeSource, source: ValueSource): BoundSource {
  const { precision: zoom, bounds: box } = settings
  const bounds = box === undefined ? undefined : new GeoTileBounds(box, zoom)
  const name = storageName(source.field) ?? ''
  const tiles = 2 ** zoom
  const listed = zoom > PLAIN_ZOOM_MAX ? listTiles(shard, name, zoom) : undefined
  const code = (x: number, y: number) =>
    listed === undefined ? x * tiles + y : rankOf(listed, tileKey({ zoom, x, y }))
  const keyOf = (number: number) =>
    listed === undefined ? tileKey({ zoom, x: Math.floor(number / tiles), y: number % tiles }) : listed[number]!
  return {
    settings,
    source,
    print: printTile,
    codes: ({ reader }) => {
      const docValues = source.field === undefined ? undefined : reader.geoDocValues(name)
      return docValues === undefined ? undefined : new TileCodes(docValues, zoom, bounds, code)
    },
    value: keyOf,
    position: (after) => {
      const key = typeof after === 'number' ? BigInt(Math.trunc(after)) : tileKey(parseTile(javaText(after)))
      const given = Number(key >> 58n)
      // A tile of another zoom is before or after all tiles of this one.
      if (given !== zoom) return given < zoom ? -1 : Number.MAX_VALUE
      const [x, y] = [Number((key >> 29n) & 0x1fffffffn), Number(key & 0x1fffffffn)]
      return code(x, y)
    },
    hash: (number) => hashDouble(Number(keyOf(number))),
    order: undefined,
  }
}

function listTiles(shard: SearchExecutionContext, name: string, zoom: number): BigInt64Array {
  const keys = new Set<bigint>()
  for (const { reader } of shard.view.segments) {
    const docValues = reader.geoDocValues(name)
    for (let slot = 0; slot < (docValues?.valueCount ?? 0); slot++) {
      const [lon, lat] = [docValues!.longitudeAt(slot), docValues!.latitudeAt(slot)]
      keys.add(tileKey(tileOf(decodeLongitude(lon), decodeLatitude(lat), zoom)))
    }
  }
  return BigInt64Array.from(keys).sort()
}
