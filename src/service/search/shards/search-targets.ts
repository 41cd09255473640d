/** The shards of a search and the number of documents in them, before the request is parsed. */
import { ApiError } from '../../../base/api-error.ts'
import type { IndexContext } from '../../catalog/index-context.ts'
import { resolverOf } from '../../catalog/index-context.ts'
import type { Change } from '../../metadata/metadata.ts'
import { SECTIONS } from '../../metadata/metadata.ts'
import type { MetadataState } from '../../metadata/metadata-state.ts'
import { EXPAND_HIDDEN } from '../../names/indices-options.ts'
import type { ShardKey } from '../../shards/shard-host.ts'

export type { MetadataState } from '../../metadata/metadata-state.ts'
export type MetadataChange = Change

/** All shards the names may refer to; empty if they do not resolve (the search itself reports why). */
export function possibleTargets(context: IndexContext, expressions: readonly string[]): ShardKey[] {
  try {
    const targets = resolverOf(context).searchTargets(expressions, { ...EXPAND_HIDDEN, ignoreUnavailable: true })
    return targets.filter(({ index }) => index.state === 'open').flatMap(({ index }) => context.shards.keys(index))
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/**
 * The changes between two snapshots of the metadata. Entries are compared by identity, because they never change in
 * place.
 */
export function metadataChanges(from: MetadataState | undefined, to: MetadataState): Change[] {
  if (from === to) return []
  const changes: Change[] = []
  for (const section of SECTIONS) {
    const before = from?.sections[section] as ReadonlyMap<string, unknown> | undefined
    const after = to.sections[section] as ReadonlyMap<string, unknown>
    if (before === after) continue
    for (const [name, value] of after) {
      if (before?.get(name) !== value) changes.push({ section, name, value } as Change)
    }
    for (const name of before?.keys() ?? []) {
      if (!after.has(name)) changes.push({ section, name, value: undefined } as Change)
    }
  }
  return changes
}
