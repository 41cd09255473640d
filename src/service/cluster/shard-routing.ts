/** `_search_shards`: the shards a search would use, without searching. */

import { newMembers } from '../../base/json/members.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import { shardsOf } from '../search/shards/search-shards.ts'
import type { SearchScope } from '../search/shards/shard-access.ts'
import { printCopy } from './cluster-state.ts'
import { nodeIdentity } from './node-identity.ts'
import { shardCopies } from './shard-table.ts'

export function searchShards(node: SandpiperNode, scope: SearchScope): JsonObject {
  const resolver = node.names()
  const names = resolver.names(scope.expressions, scope.options)
  const targets = resolver.searchTargets(scope.expressions, scope.options)
  targets.sort((a, b) => (a.index.name < b.index.name ? -1 : 1))
  const indices: JsonObject = newMembers()
  const groups: JsonObject[][] = []
  for (const target of targets) {
    const { index, filters } = target
    const aliases = Object.keys(index.aliases)
      .filter((alias) => names.has(alias))
      .sort()
    indices[index.name] = {
      ...(aliases.length > 0 ? { aliases } : {}),
      ...(filters === undefined ? {} : { filter: filters.length === 1 ? filters[0] : { bool: { should: filters } } }),
    }
    const started = shardCopies(node, index).filter((copy) => copy.started)
    for (const shard of shardsOf(target, scope, node)) {
      const copies = started.filter((copy) => copy.key.shard === shard)
      groups.push(copies.map((copy) => printCopy(node, copy)))
    }
  }
  return { nodes: groups.length === 0 ? {} : { [node.id]: nodeIdentity(node) }, indices, shards: groups }
}
