/**
 * `preference`: which copies, or which shards, a search reads. There is one copy of a shard, so what names copies or nodes
 * either fits this node or fails; `_shards:` restricts the shards.
 */
import { illegalArgument, notANumber } from '../../../base/api-error.ts'
import { type NamedNode, selectsNode } from '../../names/node-names.ts'

/** Whether the search reads a shard. Throws for a malformed preference, and if only other nodes may be read. */
export function isPreferred(preference: string, index: string, shard: number, node: NamedNode): boolean {
  if (!preference.startsWith('_')) return true
  if (kindOf(preference) !== '_shards') return isOnPreferredNode(preference, index, shard, node)
  const bar = preference.indexOf('|')
  const listed = preference.slice('_shards:'.length, bar < 0 ? undefined : bar)
  if (!lists(listed, shard)) return false
  const more = bar < 0 ? '' : preference.slice(bar + 1)
  return !more.startsWith('_') || isOnPreferredNode(more, index, shard, node)
}

/** Throws for a malformed preference. */
export function checkPreference(preference: string): void {
  if (preference.startsWith('_')) kindOf(preference)
}

const KINDS: ReadonlySet<string> = new Set(['_shards', '_prefer_nodes', '_only_nodes', '_local', '_only_local'])
const WITH_LIST: ReadonlySet<string> = new Set(['_shards', '_prefer_nodes', '_only_nodes'])

function kindOf(preference: string): string {
  const colon = preference.indexOf(':')
  const kind = colon < 0 ? preference : preference.slice(0, colon)
  if (!KINDS.has(kind) || (colon < 0 && WITH_LIST.has(kind))) throw illegalArgument(`no Preference for [${kind}]`)
  return kind
}

function isOnPreferredNode(preference: string, index: string, shard: number, node: NamedNode): true {
  const kind = kindOf(preference)
  if (kind === '_shards') throw illegalArgument('unknown preference [SHARDS]')
  if (kind !== '_only_nodes') return true
  const entries = preference.slice('_only_nodes:'.length).split(',')
  if (selectsNode(node, entries)) return true
  throw illegalArgument(`no data nodes with criteria [${entries.join(',')}] found for shard: [${index}][${shard}]`)
}

/** Numbers behind the one that is found are not read. */
function lists(text: string, shard: number): boolean {
  for (const number of text === '' ? [] : text.split(',')) {
    if (!/^[+-]?\d+$/.test(number)) throw notANumber(number)
    if (Number(number) === shard) return true
  }
  return false
}
