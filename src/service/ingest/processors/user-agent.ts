/** user_agent: extracts the browser, operating system and device from a user agent string. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { illegalArgument } from '../../../base/api-error.ts'
import { JHashMap } from '../../../engine/painless/index.ts'
import { patternFile } from '../../../text/user-agent/pattern-file.ts'
import { parseUserAgent, type UserAgent } from '../../../text/user-agent/user-agent.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

const PROPERTIES = ['NAME', 'OS', 'DEVICE', 'ORIGINAL', 'VERSION']
const REMEMBERED_MAX = 1_000

export const userAgent: ProcessorFactory = (reader, { databaseFolder }) => {
  const field = reader.string('field')
  const target = reader.optionalString('target_field') ?? 'user_agent'
  const regexFile = reader.optionalString('regex_file') ?? '_default_'
  const wanted = reader.optionalStrings('properties')
  const ignoresMissing = reader.boolean('ignore_missing', false)
  reader.boolean('extract_device_type', false)
  const properties = new Set(wanted?.map((name) => name.toUpperCase()) ?? PROPERTIES)
  for (const name of properties) {
    if (PROPERTIES.includes(name)) continue
    const shown = wanted!.find((given) => given.toUpperCase() === name)
    throw reader.error('properties', `illegal property value [${shown}]. valid values are [${PROPERTIES.join(', ')}]`)
  }
  let parse: (text: string) => UserAgent = parseUserAgent
  if (regexFile !== '_default_') {
    // Regex files of users are in the same folder as the geoip databases.
    const path = databaseFolder === undefined ? undefined : join(databaseFolder, '..', 'ingest-user-agent', regexFile)
    if (path === undefined || /[/\\]/.test(regexFile) || !existsSync(path)) {
      throw reader.error('regex_file', `regex file [${regexFile}] doesn't exist (has to exist at node startup)`)
    }
    parse = patternFile(path)
  }
  const known = new Map<string, UserAgent>()
  return (document) => {
    const text = document.text(field, ignoresMissing)
    if (text === undefined || (text === null && ignoresMissing)) return
    if (text === null) throw illegalArgument(`field [${field}] is null, cannot parse user-agent.`)
    let found = known.get(text)
    if (found === undefined) {
      if (known.size >= REMEMBERED_MAX) known.clear()
      found = parse(text)
      known.set(text, found)
    }
    document.set(target, details(text, found, properties))
  }
}

function details(text: string, { name, version, os, device }: UserAgent, properties: ReadonlySet<string>): JHashMap {
  const map = new JHashMap()
  if (properties.has('ORIGINAL')) map.put_2('original', text)
  if (properties.has('NAME')) map.put_2('name', name === '' ? 'Other' : name)
  if (properties.has('VERSION') && version.length > 0) map.put_2('version', version.join('.'))
  if (properties.has('OS') && os.name !== '' && os.name !== 'Other') {
    const system = new JHashMap()
    system.put_2('name', os.name)
    if (os.version.length > 0) {
      system.put_2('version', os.version.join('.'))
      system.put_2('full', `${os.name} ${os.version.join('.')}`)
    }
    map.put_2('os', system)
  }
  if (properties.has('DEVICE')) {
    const thing = new JHashMap()
    thing.put_2('name', device === '' ? 'Other' : device)
    map.put_2('device', thing)
  }
  return map
}
