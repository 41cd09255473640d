/** Node filters of `_nodes/{nodeId}` and similar endpoints. There is one node, which a filter selects or not. */
import { namePattern } from '../../../base/name-pattern.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'

const ALWAYS: ReadonlySet<string> = new Set(['_all', '_local', '_master', ''])
const BY_ROLE = /^(data|master|ingest|_all|\*):(true|\*)$/

export function namesThisNode(node: SandpiperNode, filter: string | undefined): boolean {
  if (filter === undefined) return true
  return filter.split(',').some((name) => {
    if (ALWAYS.has(name) || name === node.id) return true
    return name.includes(':') ? BY_ROLE.test(name) : namePattern(name)(node.name)
  })
}
