import { parseFailure } from '../../../base/errors/value-errors.ts'
import { parseDouble } from '../../values/java-number.ts'
export interface GeoPoint {
  lat: number
  lon: number
}
export function parseGeoPoint(value: unknown, _options: { ignoreZValue: boolean }): GeoPoint {
  if (typeof value === 'string' && value.includes(',')) {
    const [lat, lon] = value.split(',') as [string, string]
    return { lat: parseDouble(lat), lon: parseDouble(lon) }
  }
  if (value !== null && typeof value === 'object' && 'lat' in value && 'lon' in value)
    return { lat: Number(value.lat), lon: Number(value.lon) }
  throw parseFailure('geo_point expected')
}
export const normalizePoint = (point: GeoPoint) => point
