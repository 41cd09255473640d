/** Node filters of `_nodes/{nodeId}`, `preference=_only_nodes:` and similar. There is one node, which a filter selects or not. */
import { namePattern } from '../../base/name-pattern.ts'

export interface NamedNode {
  readonly id: string
  readonly name: string
}

const ALWAYS: ReadonlySet<string> = new Set(['_all', '_local', '_master'])
const ROLES: ReadonlySet<string> = new Set(['data', 'master', 'ingest', 'remote_cluster_client', '_all', '*'])
const HOST = '127.0.0.1'

/** An empty filter selects every node. */
export function namesThisNode(node: NamedNode, filter: string | undefined): boolean {
  return filter === undefined || filter.split(',').some((name) => name === '') || selectsNode(node, filter.split(','))
}

/** Each entry adds nodes to the selection, or takes those of a role from it (`data:false`). */
export function selectsNode(node: NamedNode, entries: readonly string[]): boolean {
  let isSelected = false
  for (const entry of entries) {
    const colon = entry.indexOf(':')
    const role = entry.slice(0, Math.max(0, colon))
    if (ROLES.has(role)) isSelected = entry.slice(colon + 1) !== 'false'
    else if (colon < 0 && isNamed(node, entry)) isSelected = true
  }
  return isSelected
}

function isNamed({ id, name }: NamedNode, entry: string): boolean {
  if (ALWAYS.has(entry) || entry === id) return true
  const matches = namePattern(entry)
  return entry !== '' && (matches(name) || matches(HOST))
}
