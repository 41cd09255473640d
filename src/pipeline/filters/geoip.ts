/** `geoip`: where an address is, from a MaxMind file the user gives. */
import { Fields, type FieldValue, isFields } from '../event/fields.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { MaxMindDatabase } from './maxmind.ts'

/** Names of the wanted values: in the options and the classic layout, and where they stand under ECS. */
const FIELDS: readonly { name: string; ecs: string; path: readonly string[] }[] = [
  { name: 'city_name', ecs: '[geo][city_name]', path: ['city', 'names', 'en'] },
  { name: 'continent_code', ecs: '[geo][continent_code]', path: ['continent', 'code'] },
  { name: 'country_code2', ecs: '[geo][country_iso_code]', path: ['country', 'iso_code'] },
  { name: 'country_name', ecs: '[geo][country_name]', path: ['country', 'names', 'en'] },
  { name: 'dma_code', ecs: '[mmdb][dma_code]', path: ['location', 'metro_code'] },
  { name: 'postal_code', ecs: '[geo][postal_code]', path: ['postal', 'code'] },
  { name: 'region_name', ecs: '[geo][region_name]', path: ['subdivisions', '0', 'names', 'en'] },
  { name: 'region_code', ecs: '[geo][region_code]', path: ['subdivisions', '0', 'iso_code'] },
  { name: 'timezone', ecs: '[geo][timezone]', path: ['location', 'time_zone'] },
  { name: 'latitude', ecs: '', path: ['location', 'latitude'] },
  { name: 'longitude', ecs: '', path: ['location', 'longitude'] },
  { name: 'asn', ecs: '[as][number]', path: ['autonomous_system_number'] },
  { name: 'as_org', ecs: '[as][organization][name]', path: ['autonomous_system_organization'] },
]

const CACHED_MAX_DEFAULT = 1000

export const geoip = filterPlugin({
  name: 'geoip',
  options: {
    source: option.field({ required: true }),
    target: option.field(),
    database: option.path(),
    default_database_type: option.words(['City', 'ASN'], { default: 'City' }),
    fields: option.strings(),
    cache_size: option.number({ default: CACHED_MAX_DEFAULT }),
    tag_on_failure: option.strings({ default: ['_geoip_lookup_failure'] }),
  },
  create(options, { ecs, log }) {
    const isClassic = ecs === 'disabled'
    const target = options.target ?? (isClassic ? 'geoip' : parentOf(options.source))
    const database = openDatabase(options.database)
    if (database === undefined) log.warn('geoip has no database: every event will be tagged; set the database option')
    const wanted = FIELDS.filter(({ name }) => options.fields === undefined || options.fields.includes(name))
    const wantsLocation = options.fields === undefined || options.fields.includes('location')
    const known = new Map<string, Fields | undefined>()

    const lookUp = (ip: string): Fields | undefined => {
      if (known.has(ip)) return known.get(ip)
      const found = database?.lookUp(ip)
      if (known.size >= options.cache_size) known.clear()
      known.set(ip, found)
      return found
    }

    return {
      filter(event) {
        const value = event.get(options.source)
        const ip = Array.isArray(value) ? value[0] : value
        const found = typeof ip === 'string' ? lookUp(ip.trim()) : undefined
        if (found === undefined) {
          for (const tag of options.tag_on_failure) event.tag(tag)
          return false
        }
        const base = target.startsWith('[') ? target : `[${target}]`
        event.set(`${base}[ip]`, ip as string)
        for (const { name, ecs: place, path } of wanted) {
          const known = valueAt(found, path)
          if (known !== undefined && (isClassic || place !== ''))
            event.set(base + (isClassic ? `[${name}]` : place), known)
        }
        const location = wantsLocation ? locationOf(found) : undefined
        if (location !== undefined) event.set(`${base}${isClassic ? '' : '[geo]'}[location]`, location)
        return true
      },
    }
  },
})

function openDatabase(path: string | undefined): MaxMindDatabase | undefined {
  if (path === undefined) return undefined
  try {
    return MaxMindDatabase.open(path)
  } catch (error) {
    throw new PluginOptionError(`The GeoIP database ${path} cannot be read: ${(error as Error).message}`)
  }
}

/** `[client][ip]` is described in `[client]`. */
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
    if (Array.isArray(value)) value = value[Number(name)]
    else value = isFields(value) ? value[name] : undefined
  }
  return value
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
