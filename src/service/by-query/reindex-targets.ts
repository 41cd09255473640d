/** Resolves the indices that a reindex or by-query operation reads and writes. */
import { validationFailed } from '../../base/api-error.ts'
import { notAnAlias, noWriteIndex } from '../../base/errors/index-errors.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'

/** `slices=auto` uses one slice per shard, up to this many. */
const AUTO_SLICES_MAX = 20

/** Throws if the source does not exist or is also the destination. */
export function checkReindexTargets(
  node: SandpiperNode,
  sources: readonly string[],
  destination: string,
  requireAlias: boolean,
): void {
  const read = node.names().indices(sources, EXPAND_OPEN_FORBID_CLOSED)
  const written = checkDestination(node, destination, requireAlias)
  const both = read.find((index) => index.name === written)
  if (both !== undefined) throw validationFailed(`reindex cannot write into an index its reading from [${both.name}]`)
}

/** The name of the destination index; undefined if it does not exist yet. */
export function checkDestination(node: SandpiperNode, destination: string, requireAlias: boolean): string | undefined {
  const target = node.state.abstraction(destination)
  if (requireAlias && target?.kind !== 'alias') throw notAnAlias(destination)
  if (target === undefined) return undefined
  if (target.kind === 'index') return target.index.name
  if (target.kind === 'dataStream') return target.indices.at(-1)?.name
  const written = target.alias.writeIndex
  if (written === undefined) throw noWriteIndex(destination)
  return typeof written === 'string' ? written : written.name
}

/** The number of slices. `auto` uses the smallest number of shards among the indices read. */
export function sliceCount(node: SandpiperNode, sources: readonly string[], wanted: number | 'auto'): number {
  if (wanted !== 'auto') return wanted
  const read = node.names().indices(sources, EXPAND_OPEN_FORBID_CLOSED)
  if (read.length === 0) return 1
  return Math.min(AUTO_SLICES_MAX, ...read.map((index) => index.shardCount))
}
