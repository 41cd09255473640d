/**
 * A variant of the mapping that accepts every document the index ever accepted.
 *
 * A document in the log was accepted by the mapping at that time. The mapping may have become stricter (`dynamic:
 * strict`, `ignore_malformed: false`), and the document must still be recovered after a crash.
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
