/**
 * geoip: looks up the location of an IP address in a MaxMind database. The operator puts databases into the folder
 * `config/ingest-geoip` of the data folder; nothing is downloaded.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { illegalArgument } from '../../../base/api-error.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { JArrayList, JHashMap, JList, javaString } from '../../../engine/painless/index.ts'
import { type EntryMap, MaxMindDatabase } from '../../../text/maxmind.ts'
import { javaOf } from '../pipeline/java-config.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

type Property = (entry: EntryMap, ip: string) => unknown

const at =
  (...path: string[]): Property =>
  (entry) => {
    let value: unknown = entry
    for (const name of path) {
      if (Array.isArray(value)) value = name === 'last' ? value.at(-1) : undefined
      else value = typeof value === 'object' && value !== null ? (value as EntryMap)[name] : undefined
    }
    return value
  }

const REGION = at('subdivisions', 'last', 'iso_code')
const COUNTRY = at('country', 'iso_code')

const PROPERTIES: Readonly<Record<string, Property>> = {
  IP: (_entry, ip) => ip,
  COUNTRY_IN_EUROPEAN_UNION: at('country', 'is_in_european_union'),
  COUNTRY_ISO_CODE: COUNTRY,
  CONTINENT_CODE: at('continent', 'code'),
  COUNTRY_NAME: at('country', 'names', 'en'),
  CONTINENT_NAME: at('continent', 'names', 'en'),
  REGION_ISO_CODE: (entry, ip) => {
    const [country, region] = [COUNTRY(entry, ip), REGION(entry, ip)]
    return country === undefined || region === undefined ? undefined : `${String(country)}-${String(region)}`
  },
  REGION_NAME: at('subdivisions', 'last', 'names', 'en'),
  CITY_NAME: at('city', 'names', 'en'),
  TIMEZONE: at('location', 'time_zone'),
  LOCATION: (entry, ip) => {
    const [lat, lon] = [at('location', 'latitude')(entry, ip), at('location', 'longitude')(entry, ip)]
    return lat === undefined || lon === undefined ? undefined : { lat: decimal(lat), lon: decimal(lon) }
  },
  POSTAL_CODE: at('postal', 'code'),
  ACCURACY_RADIUS: at('location', 'accuracy_radius'),
  ASN: at('autonomous_system_number'),
  ORGANIZATION_NAME: at('autonomous_system_organization'),
  ISP: at('isp'),
  DOMAIN: at('domain'),
  CONNECTION_TYPE: at('connection_type'),
}

const CITY = [
  'CONTINENT_NAME',
  'COUNTRY_NAME',
  'COUNTRY_ISO_CODE',
  'REGION_ISO_CODE',
  'REGION_NAME',
  'CITY_NAME',
  'LOCATION',
]
const COUNTRY_DEFAULTS = ['CONTINENT_NAME', 'COUNTRY_NAME', 'COUNTRY_ISO_CODE']

function defaultProperties(type: string): readonly string[] {
  if (type.includes('Country')) return COUNTRY_DEFAULTS
  if (type.includes('ASN')) return ['IP', 'ASN', 'ORGANIZATION_NAME']
  return CITY
}

/** A database is loaded once, and again when its file has changed. */
const opened = new Map<string, { readonly changedMs: number; readonly database: MaxMindDatabase }>()

function open(path: string): MaxMindDatabase | undefined {
  const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (changedMs === undefined) return undefined
  const known = opened.get(path)
  if (known?.changedMs === changedMs) return known.database
  const database = MaxMindDatabase.open(path)
  opened.set(path, { changedMs, database })
  return database
}

export const geoip: ProcessorFactory = (reader, { databaseFolder }) => {
  const field = reader.string('field')
  const target = reader.optionalString('target_field') ?? 'geoip'
  const file = reader.optionalString('database_file') ?? 'GeoLite2-City.mmdb'
  const given = reader.optionalStrings('properties')
  const ignoresMissing = reader.boolean('ignore_missing', false)
  const takesFirst = reader.boolean('first_only', true)
  reader.boolean('download_database_on_pipeline_creation', true)
  for (const name of given ?? []) {
    if (Object.hasOwn(PROPERTIES, name.toUpperCase())) continue
    const shown = Object.keys(PROPERTIES).join(', ')
    throw reader.error('properties', `illegal property value [${name}]. valid values are [${shown}]`)
  }
  const path = databaseFolder === undefined || /[/\\]/.test(file) ? undefined : join(databaseFolder, file)
  const lookUp = (database: MaxMindDatabase, ip: string): JHashMap | undefined => {
    const entry = database.lookUp(ip)
    if (entry === undefined) return undefined
    const map = new JHashMap()
    for (const name of given?.map((property) => property.toUpperCase()) ?? defaultProperties(database.type)) {
      const value = PROPERTIES[name]!(entry, ip)
      if (value !== undefined) map.put_2(name.toLowerCase(), javaOf(value))
    }
    return map
  }
  return (document) => {
    const value = document.find(field, ignoresMissing)
    if (value === undefined || (value === null && ignoresMissing)) return
    if (value === null) throw illegalArgument(`field [${field}] is null, cannot extract geoip information.`)
    const database = path === undefined ? undefined : open(path)
    if (database === undefined) {
      document.append('tags', `_geoip_database_unavailable_${file}`, false)
      return
    }
    if (typeof value === 'string') {
      const found = lookUp(database, value)
      if (found !== undefined && found.size_0() > 0) document.set(target, found)
      return
    }
    if (!(value instanceof JList))
      throw illegalArgument(`field [${field}] should contain only string or array of strings`)
    const found = value.items.map((ip) => lookUp(database, javaString(ip)) ?? null)
    if (!takesFirst) {
      if (found.some((one) => one !== null)) document.set(target, new JArrayList(found))
      return
    }
    const first = found.find((one) => one !== null)
    if (first !== undefined) document.set(target, first)
  }
}

const decimal = (value: unknown) => (typeof value === 'number' ? new Double(value) : value)
