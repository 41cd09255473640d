/** Parses alias definitions of create-index bodies, templates and `PUT _alias`, and prints them. */

import { illegalArgument } from '../../base/api-error.ts'
import { noAlias } from '../../base/errors/index-errors.ts'
import { notCompressedContent } from '../../base/errors/value-errors.ts'
import type { AliasMetadata, JsonObject } from '../metadata/metadata.ts'
import { isObject } from '../settings/flat-settings.ts'

/** Parses `{"name": {definition}, …}`. Unknown members are rejected; members that Elasticsearch ignores are ignored. */
export function parseAliases(value: JsonObject): Record<string, AliasMetadata> {
  return Object.fromEntries(Object.entries(value).map(([name, body]) => [name, parseAlias(name, body)]))
}

/** The aliases of a component or composable template. As in Elasticsearch, values of the wrong type and unknown members are skipped. */
export function parseTemplateAliases(value: JsonObject): Record<string, AliasMetadata> {
  return Object.fromEntries(
    Object.entries(value).map(([name, body]) => [name, isObject(body) ? parseTemplateAlias(name, body) : {}]),
  )
}

function parseTemplateAlias(name: string, body: JsonObject): AliasMetadata {
  if (typeof body['filter'] === 'string') throw notCompressedContent(body['filter'])
  const known = Object.entries(body).filter(([member, value]) => {
    if (member === 'filter') return isObject(value)
    if (member === 'is_write_index' || member === 'is_hidden') return typeof value === 'boolean'
    return Object.hasOwn(ROUTING_MEMBERS, member) && typeof value === 'string'
  })
  return parseAlias(name, Object.fromEntries(known))
}

/** `routing` sets both routings. A specific one takes precedence, whatever the order. */
const ROUTING_MEMBERS: Readonly<Record<string, readonly ('indexRouting' | 'searchRouting')[]>> = {
  routing: ['indexRouting', 'searchRouting'],
  index_routing: ['indexRouting'],
  indexRouting: ['indexRouting'],
  'index-routing': ['indexRouting'],
  search_routing: ['searchRouting'],
  searchRouting: ['searchRouting'],
  'search-routing': ['searchRouting'],
}

function parseAlias(name: string, body: unknown): AliasMetadata {
  if (!isObject(body)) throw noAlias()
  const alias: { -readonly [K in keyof AliasMetadata]: AliasMetadata[K] } = {}
  const unknown = (member: string) => illegalArgument(`Unknown field [${member}] in alias [${name}]`)
  for (const [member, value] of inRoutingOrder(body)) {
    const routing = Object.hasOwn(ROUTING_MEMBERS, member) ? ROUTING_MEMBERS[member] : undefined
    if (isObject(value)) {
      if (member !== 'filter') throw unknown(member)
      // An empty filter counts as none.
      if (Object.keys(value).length > 0) alias.filter = value
    } else if (typeof value === 'string') {
      for (const part of routing ?? []) alias[part] = value
      if (!KNOWN_MEMBERS.has(member)) throw unknown(member)
    } else if (typeof value === 'boolean') {
      if (member === 'is_write_index') alias.isWriteIndex = value
      else if (member === 'is_hidden') alias.isHidden = value
      else if (!KNOWN_MEMBERS.has(member)) throw unknown(member)
    } else {
      if (!KNOWN_MEMBERS.has(member)) throw unknown(member)
      throw illegalArgument(`Unknown token [${tokenName(value)}] in alias [${name}]`)
    }
  }
  checkIndexRouting(name, alias)
  return alias
}

const inRoutingOrder = (body: JsonObject) =>
  Object.entries(body).sort(([a], [b]) => Number(b === 'routing') - Number(a === 'routing'))

const KNOWN_MEMBERS = new Set([...Object.keys(ROUTING_MEMBERS), 'filter', 'is_write_index', 'is_hidden'])

const tokenName = (value: unknown) =>
  value === null ? 'VALUE_NULL' : Array.isArray(value) ? 'START_ARRAY' : 'VALUE_NUMBER'

/** `search_routing` may list several values, `index_routing` only one. */
export function checkIndexRouting(name: string, alias: AliasMetadata): void {
  if (alias.indexRouting?.includes(',') === true) {
    throw illegalArgument(`alias [${name}] has several index routing values associated with it`)
  }
}

export function printAlias({ filter, indexRouting, searchRouting, isWriteIndex, isHidden }: AliasMetadata): JsonObject {
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(indexRouting === undefined ? {} : { index_routing: indexRouting }),
    ...(searchRouting === undefined ? {} : { search_routing: searchRouting }),
    ...(isWriteIndex === undefined ? {} : { is_write_index: isWriteIndex }),
    ...(isHidden === undefined ? {} : { is_hidden: isHidden }),
  }
}

export function printAliases(aliases: Readonly<Record<string, AliasMetadata>>): JsonObject {
  return Object.fromEntries(
    Object.keys(aliases)
      .sort()
      .map((name) => [name, printAlias(aliases[name]!)]),
  )
}
