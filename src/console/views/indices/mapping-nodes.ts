/** A mapping as a flat list of nodes, parents before their children. */
import { isObject, type Json } from '../../api/lossless-json.ts'

export interface MappingNode {
  readonly path: string
  readonly name: string
  readonly type: string
  readonly depth: number
  readonly children: number
  readonly isSubField: boolean
  readonly definition: Record<string, Json>
}

export function nodesOf(mapping: Json, prefix = '', depth = 0): MappingNode[] {
  if (!isObject(mapping)) return []
  return [...members(mapping['properties'], false, prefix, depth), ...members(mapping['fields'], true, prefix, depth)]
}

function members(list: Json, isSubField: boolean, prefix: string, depth: number): MappingNode[] {
  if (!isObject(list)) return []
  return Object.entries(list).flatMap(([name, definition]) => {
    if (!isObject(definition)) return []
    const path = prefix + name
    const below = nodesOf(definition, `${path}.`, depth + 1)
    const type = typeof definition['type'] === 'string' ? definition['type'] : 'object'
    const children = below.filter((node) => node.depth === depth + 1).length
    return [{ path, name, type, depth, children, isSubField, definition }, ...below]
  })
}

/** The nodes whose parents are expanded. With a filter: the nodes that match, and their parents. */
export function visibleNodes(nodes: readonly MappingNode[], part: string, opened: ReadonlySet<string>): MappingNode[] {
  if (part !== '') {
    const wanted = part.toLowerCase()
    const found = nodes.filter(({ path }) => path.toLowerCase().includes(wanted)).map(({ path }) => path)
    const kept = new Set(found.flatMap((path) => path.split('.').map((_, i, all) => all.slice(0, i + 1).join('.'))))
    return nodes.filter(({ path }) => kept.has(path))
  }
  return nodes.filter(({ path, depth }) => {
    const names = path.split('.')
    if (depth === 0) return true
    // Field names may contain dots, so parents are found by prefix.
    return (
      names.slice(0, -1).some((_, i) => opened.has(names.slice(0, i + 1).join('.'))) && parentsOpen(path, nodes, opened)
    )
  })
}

function parentsOpen(path: string, nodes: readonly MappingNode[], opened: ReadonlySet<string>): boolean {
  return nodes.every((node) => node.children === 0 || !path.startsWith(`${node.path}.`) || opened.has(node.path))
}
