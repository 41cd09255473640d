/** `geoip`: looks up the location of an address in a MaxMind file that the user provides. */

import { MaxMindDatabase } from '../../text/maxmind.ts'
import { Fields, type FieldValue, isFields } from '../event/fields.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

interface GeoField {
  /** The name in the option `fields` and, unless `classic` differs, in the classic layout. */
  readonly name: string
  readonly classic?: string
  /** The field under ECS; empty if ECS has none. */
  readonly ecs: string
  value(found: Fields): FieldValue | undefined
}

function at(...path: readonly string[]): GeoField['value'] {
  return (found) => valueAt(found, path)
}

const FIELDS: readonly GeoField[] = [
  { name: 'city_name', ecs: '[geo][city_name]', value: at('city', 'names', 'en') },
  { name: 'continent_code', ecs: '[geo][continent_code]', value: at('continent', 'code') },
  { name: 'continent_name', ecs: '[geo][continent_name]', value: at('continent', 'names', 'en') },
  { name: 'country_code2', ecs: '[geo][country_iso_code]', value: at('country', 'iso_code') },
  { name: 'country_code3', ecs: '', value: at('country', 'iso_code') },
  { name: 'country_name', ecs: '[geo][country_name]', value: at('country', 'names', 'en') },
  { name: 'dma_code', ecs: '[mmdb][dma_code]', value: at('location', 'metro_code') },
  { name: 'postal_code', ecs: '[geo][postal_code]', value: at('postal', 'code') },
  { name: 'region_name', ecs: '[geo][region_name]', value: at('subdivisions', '-1', 'names', 'en') },
  { name: 'region_code', ecs: '[geo][region_code]', value: at('subdivisions', '-1', 'iso_code') },
  { name: 'region_iso_code', ecs: '[geo][region_iso_code]', value: regionOf },
  { name: 'timezone', ecs: '[geo][timezone]', value: at('location', 'time_zone') },
  { name: 'location', ecs: '[geo][location]', value: locationOf },
  { name: 'latitude', ecs: '[geo][location][lat]', value: at('location', 'latitude') },
  { name: 'longitude', ecs: '[geo][location][lon]', value: at('location', 'longitude') },
  { name: 'autonomous_system_number', classic: 'asn', ecs: '[as][number]', value: at('autonomous_system_number') },
  {
    name: 'autonomous_system_organization',
    classic: 'as_org',
    ecs: '[as][organization][name]',
    value: at('autonomous_system_organization'),
  },
  { name: 'isp', ecs: '[mmdb][isp]', value: at('isp') },
  { name: 'organization', ecs: '[mmdb][organization]', value: at('organization') },
  { name: 'domain', ecs: '[domain]', value: at('domain') },
]

const CITY = [
  ...['ip', 'city_name', 'continent_code', 'country_name', 'country_code2', 'country_code3', 'postal_code', 'dma_code'],
  ...['region_name', 'timezone', 'location', 'latitude', 'longitude'],
]
const NETWORK = ['ip', 'autonomous_system_number', 'autonomous_system_organization']

/** The default fields, by a word in the database's type. */
function defaultFields(type: string, isClassic: boolean): readonly string[] {
  if (type.includes('Country')) return ['ip', 'country_code2', 'country_name', 'continent_name']
  if (type.includes('Domain')) return ['domain']
  if (type.includes('ASN')) return NETWORK
  if (type.includes('ISP')) return [...NETWORK, 'isp', 'organization']
  return [...CITY, isClassic ? 'region_code' : 'region_iso_code']
}

const CACHED_MAX_DEFAULT = 1000

export const geoip = filterPlugin({
  name: 'geoip',
  touches: 'nothing',
  options: {
    source: option.field({ required: true }),
    target: option.field(),
    database: option.path(),
    default_database_type: option.ignored('The file of `database` says what it holds.'),
    fields: option.strings(),
    cache_size: option.number({ default: CACHED_MAX_DEFAULT }),
    tag_on_failure: option.strings({ default: ['_geoip_lookup_failure'] }),
  },
  create(options, { ecs, log }) {
    const isClassic = ecs === 'disabled'
    const target = options.target ?? (isClassic ? 'geoip' : parentOf(options.source))
    const database = openDatabase(options.database)
    if (database === undefined) log.warn('geoip has no database: every event will be tagged; set the database option')
    const names = new Set(options.fields?.map(fieldName) ?? defaultFields(database?.type ?? '', isClassic))
    const wanted = FIELDS.filter(({ name }) => names.has(name))
    const base = target.startsWith('[') ? target : `[${target}]`
    const known = new Map<string, Fields | undefined>()

    const lookUp = (ip: string): Fields | undefined => {
      if (known.has(ip)) return known.get(ip)
      const found = database?.lookUp(ip) as Fields | undefined
      if (known.size >= options.cache_size) known.clear()
      known.set(ip, found)
      return found
    }

    return {
      filter(event) {
        const value = event.get(options.source)
        const given = Array.isArray(value) ? value[0] : value
        const ip = typeof given === 'string' ? given.trim() : ''
        const found = ip === '' ? undefined : lookUp(ip)
        // A city entry without a location counts as not found.
        const isNowhere = found === undefined || (database!.type.includes('City') && locationOf(found) === undefined)
        if (isNowhere) {
          if (ip !== '' && database !== undefined) event.setDefault(target, new Fields())
          for (const tag of options.tag_on_failure) event.tag(tag)
          return false
        }
        if (names.has('ip')) event.set(`${base}[ip]`, ip)
        for (const { name, classic = name, ecs: place, value: read } of wanted) {
          const known = read(found)
          const where = isClassic ? `[${classic}]` : place
          if (known !== undefined && where !== '') event.set(base + where, known)
        }
        return true
      },
      failed(event) {
        for (const tag of options.tag_on_failure) event.tag(tag)
      },
    }
  },
})

/** The full name of a field. The short names of the classic layout are accepted too. */
function fieldName(given: string): string {
  const word = given.toLowerCase()
  const known = word === 'ip' ? word : FIELDS.find(({ name, classic }) => name === word || classic === word)?.name
  if (known !== undefined) return known
  throw new PluginOptionError(
    `illegal field value ${given}. valid values are ip, ${FIELDS.map(({ name }) => name).join(', ')}`,
  )
}

function openDatabase(path: string | undefined): MaxMindDatabase | undefined {
  if (path === undefined) return undefined
  try {
    return MaxMindDatabase.open(path, () => new Fields())
  } catch (error) {
    throw new PluginOptionError(`The GeoIP database ${path} cannot be read: ${(error as Error).message}`)
  }
}

/** The parent of the source: `[client][ip]` is described in `[client]`. */
function parentOf(source: string): string {
  const match = /^(\[.+\])\[ip\]$/.exec(source)
  if (match === null) {
    throw new PluginOptionError(
      'GeoIP Filter in ECS-Compatiblity mode requires a `target` when `source` is not an `ip` sub-field',
    )
  }
  return match[1]!
}

function valueAt(fields: FieldValue | undefined, path: readonly string[]): FieldValue | undefined {
  let value = fields
  for (const name of path) {
    if (Array.isArray(value)) value = value.at(Number(name))
    else value = isFields(value) ? value[name] : undefined
  }
  return value
}

/** The region code, such as `CH-ZH`. */
function regionOf(found: Fields): FieldValue | undefined {
  const country = valueAt(found, ['country', 'iso_code'])
  const region = valueAt(found, ['subdivisions', '-1', 'iso_code'])
  return country === undefined || region === undefined ? undefined : `${String(country)}-${String(region)}`
}

function locationOf(found: Fields): FieldValue | undefined {
  const lat = valueAt(found, ['location', 'latitude'])
  const lon = valueAt(found, ['location', 'longitude'])
  if (lat === undefined || lon === undefined) return undefined
  const location = new Fields()
  location['lat'] = lat
  location['lon'] = lon
  return location
}
