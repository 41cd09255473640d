/** Decides whether a write may happen, given the document's current state, and which version it gets. */
import {
  documentAlreadyExists,
  type ShardLabel,
  seqNoDiffers,
  versionLower,
  versionNotHigher,
} from '../../base/errors/shard-errors.ts'
import type { DocumentFinder } from './document-finder.ts'
import type { WriteCondition } from './operations.ts'

/** Throws Elasticsearch's version conflict. */
export function checkCondition(
  label: ShardLabel,
  idBytes: Uint8Array,
  condition: WriteCondition,
  create: boolean,
  current: DocumentFinder,
): void {
  const { ifSeqNo, version } = condition
  if (ifSeqNo !== undefined) {
    const required = { seqNo: ifSeqNo, primaryTerm: condition.ifPrimaryTerm ?? 0 }
    if (!current.isLive) throw seqNoDiffers(label, textOf(idBytes), required, undefined)
    if (current.seqNo !== required.seqNo || current.primaryTerm !== required.primaryTerm) {
      throw seqNoDiffers(label, textOf(idBytes), required, current)
    }
  }
  if (create && current.isLive) throw documentAlreadyExists(label, textOf(idBytes), current.version)
  if (version === undefined || condition.versionType === 'internal' || !current.isKnown) return
  if (condition.versionType === 'external' && current.version >= version) {
    throw versionNotHigher(label, textOf(idBytes), current.version, version)
  }
  if (condition.versionType === 'external_gte' && current.version > version) {
    throw versionLower(label, textOf(idBytes), current.version, version)
  }
}

/** Versions continue across deletes as long as those are remembered. */
export function nextVersion(condition: WriteCondition, current: DocumentFinder): number {
  if (condition.versionType !== 'internal' && condition.version !== undefined) return condition.version
  return current.isKnown ? current.version + 1 : 1
}

function textOf(idBytes: Uint8Array): string {
  return Buffer.from(idBytes).toString()
}
