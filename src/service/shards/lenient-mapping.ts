/**
 * The mapping as it has to be to take every document it ever took.
 *
 * A document in the log was accepted by the mapping of its day. A mapping can become stricter afterwards (`dynamic:
 * strict`, `ignore_malformed: false`), and the document must still come back after a crash.
 */
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'

export function lenientMapping(mapping: MappingJson): MappingJson {
  return lenientObject({ ...mapping, dynamic: 'false' })
}

function lenientObject(node: MappingJson): MappingJson {
  const lenient = { ...node }
  if ('dynamic' in node) lenient['dynamic'] = 'false'
  if ('ignore_malformed' in node) lenient['ignore_malformed'] = true
  for (const children of ['properties', 'fields']) {
    const map = node[children] as Record<string, MappingJson> | undefined
    if (map === undefined) continue
    lenient[children] = Object.fromEntries(Object.entries(map).map(([name, child]) => [name, lenientObject(child)]))
  }
  return lenient
}
