/** `geo_point`: latitude and longitude in any of the forms the server takes. */
import { DECIMAL, END_OBJECT, INTEGER, type JsonReader, NULL, START_OBJECT } from '../../../base/json/json-reader.ts'
import { GEO } from '../../document/parsed-document.ts'
import { encodeLatitude, encodeLongitude } from '../../values/geo-encoding.ts'
import type { EntrySink, FieldPlan } from '../field-plan.ts'
import { readDecimal } from '../number-reader.ts'

/** Writes the point at the reader's current token: the object form straight from its bytes, every other form as a value. */
export function writePoint(plan: FieldPlan, reader: JsonReader, sink: EntrySink): void {
  if (reader.token === NULL) {
    if (plan.hasNullValue) plan.writeValue!(plan, plan.nullValue, sink)
    return
  }
  if (reader.token !== START_OBJECT) {
    plan.writeValue!(plan, reader.value(), sink)
    return
  }
  let latitude = Number.NaN
  let longitude = Number.NaN
  let rest: Record<string, unknown> | undefined
  while (reader.next() !== END_OBJECT) {
    const isLatitude = isName(reader, LAT)
    const isLongitude = !isLatitude && isName(reader, LON)
    const name = isLatitude ? 'lat' : isLongitude ? 'lon' : reader.text()
    const token = reader.next()
    if (rest === undefined && (isLatitude || isLongitude) && (token === INTEGER || token === DECIMAL)) {
      const value = readDecimal(reader.bytes, reader.start, reader.end)
      if (isLatitude) latitude = value
      else longitude = value
      continue
    }
    if (rest === undefined) {
      rest = {}
      if (!Number.isNaN(latitude)) rest['lat'] = latitude
      if (!Number.isNaN(longitude)) rest['lon'] = longitude
    }
    rest[name] = reader.value()
  }
  const plain = rest === undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  if (plain) addPoint(plan, latitude, longitude, sink)
  else plan.writeValue!(plan, rest ?? pointObject(latitude, longitude), sink)
}

function pointObject(latitude: number, longitude: number): Record<string, number> {
  return {
    ...(Number.isNaN(latitude) ? {} : { lat: latitude }),
    ...(Number.isNaN(longitude) ? {} : { lon: longitude }),
  }
}

export function addPoint(plan: FieldPlan, latitude: number, longitude: number, sink: EntrySink): void {
  if (!plan.writes) return
  sink.out.add(plan.schema!, GEO, encodeLatitude(latitude), encodeLongitude(longitude), sink.doc)
}

const LAT = [0x6c, 0x61, 0x74] as const
const LON = [0x6c, 0x6f, 0x6e] as const

function isName(reader: JsonReader, name: readonly [number, number, number]): boolean {
  const { bytes, start } = reader
  if (reader.end - start !== 3) return false
  return bytes[start] === name[0] && bytes[start + 1] === name[1] && bytes[start + 2] === name[2]
}
