/** Validates a write by itself, before anything is looked up. Each problem is one line of the error. */
import { idTooLong, negativePrimaryTerm, negativeSeqNo } from '../../../base/errors/document-errors.ts'
import type { VersionType } from '../shard-host.ts'

export const ID_BYTES_MAX = 512

/** The conditions of a write as requested. */
export interface WriteConditions {
  readonly version: number | undefined
  readonly versionType: VersionType
  readonly ifSeqNo: number | undefined
  readonly ifPrimaryTerm: number | undefined
}

/** Names of version types in errors. */
const VERSION_TYPE_NAMES = { internal: 'INTERNAL', external: 'EXTERNAL', external_gte: 'EXTERNAL_GTE' } as const

/** The number shown in errors for "no version". */
const ANY_VERSION = -3

/** Rules for index and create. `create` includes documents with a generated id, unless `op_type=index` was given. */
export function indexProblems(conditions: WriteConditions, create: boolean, hasId: boolean): string[] {
  if (create) {
    if (conditions.versionType !== 'internal') {
      return ['create operations only support internal versioning. use index instead']
    }
    if (conditions.version !== undefined) {
      return ['create operations do not support explicit versions. use index instead']
    }
    if (conditions.ifSeqNo !== undefined || (conditions.ifPrimaryTerm ?? 0) !== 0) {
      return ['create operations do not support compare and set. use index instead']
    }
  }
  const problems: string[] = []
  if (!hasId && (conditions.versionType !== 'internal' || conditions.version !== undefined)) {
    problems.push('an id must be provided if version type or value are set')
  }
  return [...problems, ...conditionProblems(conditions)]
}

/** Rules for versions and sequence numbers that all writes share. */
export function conditionProblems(conditions: WriteConditions): string[] {
  const { version, versionType, ifSeqNo } = conditions
  const ifPrimaryTerm = conditions.ifPrimaryTerm ?? 0
  const problems: string[] = []
  const legal =
    versionType === 'internal' ? version === undefined || version > 0 : version !== undefined && version >= 0
  if (!legal) {
    problems.push(
      `illegal version value [${version ?? ANY_VERSION}] for version type [${VERSION_TYPE_NAMES[versionType]}]`,
    )
  }
  if (versionType === 'internal' && version !== undefined) problems.push(INTERNAL_VERSION)
  if (ifSeqNo !== undefined && (versionType !== 'internal' || version !== undefined)) {
    problems.push('compare and write operations can not use versioning')
  }
  if (ifPrimaryTerm === 0 && ifSeqNo !== undefined) problems.push('ifSeqNo is set, but primary term is [0]')
  if (ifPrimaryTerm !== 0 && ifSeqNo === undefined) {
    problems.push(`ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`)
  }
  return problems
}

export const INTERNAL_VERSION =
  'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and ' +
  '`if_primary_term` instead'

/** Additional rules of updates: a condition excludes retries and upserts. */
export function updateConditionProblems(
  conditions: WriteConditions,
  update: { retryOnConflict: number; docAsUpsert: boolean; hasUpsert: boolean },
): string[] {
  const problems = conditionProblems(conditions)
  if (conditions.ifSeqNo === undefined) return problems
  if (update.retryOnConflict > 0) problems.push('compare and write operations can not be retried')
  if (update.docAsUpsert) problems.push('compare and write operations can not be used with upsert')
  if (update.hasUpsert) problems.push("upsert requests don't support `if_seq_no` and `if_primary_term`")
  return problems
}

export function idProblems(id: string): string[] {
  const bytes = Buffer.byteLength(id)
  return bytes > ID_BYTES_MAX ? [idTooLong(id, bytes)] : []
}

/** The value for "no sequence number". */
const UNASSIGNED_SEQ_NO = -2

export function knownSeqNo(seqNo: number): number | undefined {
  if (seqNo === UNASSIGNED_SEQ_NO) return undefined
  if (seqNo < 0) throw negativeSeqNo(seqNo)
  return seqNo
}

export function knownPrimaryTerm(term: number): number {
  if (term < 0) throw negativePrimaryTerm(term)
  return term
}

/** `external_gt` is an older name of `external`. */
export function parseVersionType(text: string): VersionType | undefined {
  switch (text) {
    case 'internal':
    case 'external':
    case 'external_gte':
      return text
    case 'external_gt':
      return 'external'
    default:
      return undefined
  }
}
