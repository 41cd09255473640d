/** What rewrites of a search know about its indices, from the metadata of the shadow. */

import type { QueryParameters } from '../../http/query-parameters.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import type { Bridge } from '../exchange/bridge.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { ignoreAboveOf } from '../rewrite/ignore-above.ts'
import type { SearchScope } from '../rewrite/search-rewrite.ts'
import type { IndexShards } from '../rewrite/shard-places.ts'

const MAX_BUCKETS = 65_536
const MAX_WINDOW = 10_000
const NO_MAPPING: JsonObject = {}
const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'keyword'])

export function scopeOf(
  node: SandpiperNode,
  names: readonly string[],
  query: QueryParameters,
  hasScripts = true,
): SearchScope {
  const mappings = () => names.map((name) => node.state.index(name)?.mapping).filter((mapping) => mapping !== undefined)
  return {
    field(name) {
      for (const mapping of mappings()) {
        const found = findField(mapping, name)
        if (found !== undefined) return found
      }
      return undefined
    },
    fieldsOfType: (type) => [...new Set(mappings().flatMap((mapping) => namesOfType(mapping, type, '')))],
    hasScripts,
    get ignoreAbove() {
      const limited = names.map((name) => [name, ignoreAboveOf(node.state.index(name)?.mapping ?? NO_MAPPING)] as const)
      return new Map(limited.filter(([, limits]) => limits.length > 0))
    },
    get spread() {
      return spreadOf(node, names)
    },
    get shards() {
      return names.reduce((sum, name) => sum + (node.state.index(name)?.shardCount ?? 0), 0)
    },
    parameter: (name) => query.string(name),
    get runtime() {
      return Object.assign({}, ...mappings().map((mapping) => mapping['runtime'] ?? {})) as Record<string, JsonObject>
    },
    get maxBuckets() {
      const { transientSettings, state } = node.metadata
      const set = transientSettings['search.max_buckets'] ?? state.persistentSettings['search.max_buckets']
      return set === undefined ? MAX_BUCKETS : Number(set)
    },
    get maxResultWindow() {
      const windows = names.map((name) =>
        Number(node.state.index(name)?.settings['index.max_result_window'] ?? MAX_WINDOW),
      )
      return windows.length === 0 ? MAX_WINDOW : Math.min(...windows)
    },
  }
}

/** Whether fields are texts or keywords in all indices of a search. A field that some index does not have is none. */
export function textFields(exchange: Exchange, { shadow }: Bridge): (field: string) => boolean {
  let mappings: readonly (JsonObject | undefined)[] | undefined
  return (field) => {
    mappings ??= shadow
      .searchedIndices(exchange.params['index'] ?? '', exchange.query)
      .map((name) => shadow.node.state.index(name)?.mapping)
    if (mappings.length === 0) return false
    return mappings.every((mapping) => {
      const found = mapping && findField(mapping, field)
      return found !== undefined && TEXT_TYPES.has(String(found['type']))
    })
  }
}

/** How the documents of indices are spread over their shards. */
export function spreadOf(node: SandpiperNode, names: readonly string[]): IndexShards[] {
  return names.flatMap((name) => {
    const index = node.state.index(name)
    if (index === undefined) return []
    const partition = Number(index.settings['index.routing_partition_size'] ?? 1)
    return [{ name, shards: index.shardCount, routingShards: index.routingShards, partition }]
  })
}

function namesOfType(mapping: JsonObject, type: string, prefix: string): string[] {
  const members = [mapping['properties'], mapping['fields']].flatMap((group) =>
    Object.entries((group ?? {}) as Record<string, JsonObject>),
  )
  return members.flatMap(([name, field]) => [
    ...(field['type'] === type ? [prefix + name] : []),
    ...namesOfType(field, type, `${prefix}${name}.`),
  ])
}

/** Follows `properties` and `fields`. Names of properties may contain dots. */
function findField(mapping: JsonObject, path: string): JsonObject | undefined {
  for (const group of ['properties', 'fields']) {
    const members = mapping[group] as Record<string, JsonObject> | undefined
    if (members === undefined) continue
    if (Object.hasOwn(members, path)) return members[path]
    for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      const member = Object.hasOwn(members, path.slice(0, dot)) ? members[path.slice(0, dot)] : undefined
      const found = member && findField(member, path.slice(dot + 1))
      if (found !== undefined) return found
    }
  }
  return undefined
}
