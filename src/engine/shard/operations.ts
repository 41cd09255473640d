/**
 * The operations of a shard and their results. Applying an operation is synchronous; callers await durability separately with
 * `Shard.sync()`, so that concurrent requests share one fsync.
 */
import type { LentBytes } from '../../base/memory/lent-bytes.ts'
import type { FieldSchema } from '../document/field-schema.ts'
import type { ParsedDocument } from '../document/parsed-document.ts'

export type VersionType = 'internal' | 'external' | 'external_gte'

/** The state of a document that the caller requires for the write. */
export interface WriteCondition {
  /** The version to assign, with an external version type; undefined with `internal`. */
  readonly version: number | undefined
  readonly versionType: VersionType
  readonly ifSeqNo: number | undefined
  readonly ifPrimaryTerm: number | undefined
}

export const NO_CONDITION: WriteCondition = {
  version: undefined,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
}

export interface IndexOperation {
  readonly idBytes: Uint8Array
  readonly routing: string | undefined
  /** The original document, for the log. Copied before `index` returns. */
  readonly source: Uint8Array
  /** The stored `_source`: the same bytes, a filtered copy, or undefined if `_source` is disabled. */
  readonly storedSource: Uint8Array | undefined
  readonly parsed: ParsedDocument
  /** The mapping's schemas the document was parsed with. */
  readonly schemas: readonly FieldSchema[]
  /** `create` fails if the document exists. */
  readonly create: boolean
  /** The id was just generated: no document can have it, so no lookup is needed. */
  readonly autoId: boolean
  /** The document was just read with `Shard.current`, and nothing has happened since: it is not searched again. */
  readonly isFound: boolean
  readonly condition: WriteCondition
}

export interface DeleteOperation {
  readonly idBytes: Uint8Array
  readonly routing: string | undefined
  readonly condition: WriteCondition
}

export interface WriteResult {
  /** For an index operation: whether a document existed before. For a delete: whether one was removed. */
  readonly existed: boolean
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
}

export interface StoredDocument {
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
  readonly routing: string | undefined
  readonly source: Uint8Array | undefined
  /** Names of fields that were ignored because of their values. */
  readonly ignored: readonly string[]
  /** Values stored by `store: true`: field name to JSON values. */
  readonly storedFields: Record<string, unknown[]> | undefined
}

/** A document that is about to be updated. */
export interface CurrentDocument {
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
  readonly routing: string | undefined
  /** Valid until another document is read. */
  readonly source: LentBytes | undefined
}

export interface ForceMergeOptions {
  /** Less than one leaves the choice to the merge policy. */
  readonly maxSegments: number
  readonly onlyExpungeDeletes: boolean
  /** Whether to commit the result; true by default. */
  readonly flush?: boolean
}
