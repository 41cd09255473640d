/** `useragent`: extracts program, operating system and device from a user agent string. */

import { patternFile } from '../../text/user-agent/pattern-file.ts'
import { parseUserAgent, type UserAgent } from '../../text/user-agent/user-agent.ts'
import type { Event } from '../event/event.ts'
import { fieldReference } from '../event/field-reference.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export const useragent = filterPlugin({
  name: 'useragent',
  touches: 'nothing',
  options: {
    source: option.field({ required: true }),
    target: option.field(),
    prefix: option.string({ default: '' }),
    regexes: option.touching('files', option.string()),
    lru_cache_size: option.number({ default: 100_000 }),
  },
  create(options, { ecs }) {
    const parse = parserOf(options.regexes)
    const known = new Map<string, UserAgent>()
    const lookUp = (text: string): UserAgent => {
      let found = known.get(text)
      if (found === undefined) {
        found = parse(text)
        if (known.size >= options.lru_cache_size) known.clear()
        known.set(text, found)
      }
      return found
    }
    const isClassic = ecs === 'disabled'
    const target = options.target ?? (isClassic ? '' : '[user_agent]')
    const base = target === '' || target.startsWith('[') ? target : `[${target}]`
    const write = isClassic ? classicFields : ecsFields
    const isInPlace = base !== '' && sameReference(base, options.source)
    return {
      filter(event) {
        const given = event.get(options.source)
        const text = Array.isArray(given) ? given[0] : given
        if (typeof text !== 'string' || text === '') return false
        // The parsed fields replace the source text.
        if (isInPlace) event.remove(options.source)
        write(event, lookUp(text), (name) => `${base}[${isClassic ? options.prefix : ''}${name}]`)
        return true
      },
    }
  },
})

function sameReference(a: string, b: string): boolean {
  return JSON.stringify(fieldReference(a).path) === JSON.stringify(fieldReference(b).path)
}

function parserOf(path: string | undefined): (text: string) => UserAgent {
  if (path === undefined) return parseUserAgent
  try {
    return patternFile(path)
  } catch (error) {
    throw new PluginOptionError(`Failed to load the patterns in ${path}: ${(error as Error).message}`)
  }
}

type Place = (name: string) => string

function classicFields(event: Event, { name, version, os, device }: UserAgent, place: Place): void {
  event.set(place('name'), name)
  setVersion(event, version, place, '')
  event.set(place('os'), os.name)
  event.set(place('os_name'), os.name)
  setVersion(event, os.version, place, 'os_')
  event.set(place('os_full'), [os.name, os.version.join('.')].filter((part) => part !== '').join(' '))
  event.set(place('device'), device)
}

function setVersion(event: Event, version: readonly string[], place: Place, prefix: string): void {
  if (version.length === 0) return
  event.set(place(`${prefix}version`), version.join('.'))
  const names = ['major', 'minor', 'patch']
  names.forEach((name, i) => {
    if (version[i] !== undefined) event.set(place(prefix + name), version[i])
  })
}

/** The parts of a version have no ECS field, so they are metadata. */
const PARTS = '[@metadata][filter][user_agent]'

function setParts(event: Event, version: readonly string[], place: string): void {
  ;['major', 'minor', 'patch'].forEach((name, i) => {
    if (version[i] !== undefined) event.set(`${place}[version][${name}]`, version[i])
  })
}

function ecsFields(event: Event, { name, version, os, device }: UserAgent, place: Place): void {
  event.set(place('name'), name)
  if (version.length > 0) event.set(place('version'), version.join('.'))
  event.set(`${place('os')}[name]`, os.name)
  if (os.version.length > 0) {
    event.set(`${place('os')}[version]`, os.version.join('.'))
  }
  event.set(`${place('os')}[full]`, [os.name, ...(os.version.length > 0 ? [os.version.join('.')] : [])].join(' '))
  setParts(event, version, PARTS)
  setParts(event, os.version, `${PARTS}[os]`)
  event.set(`${place('device')}[name]`, device)
}
