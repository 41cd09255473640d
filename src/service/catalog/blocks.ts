/** `index.blocks.*`: operations that an index rejects, and the resulting errors. */
import { blockedIndices } from '../../base/errors/index-errors.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'

/**
 * The intended operation on an index. `delete` covers everything that frees resources, including closing and opening.
 */
export type BlockedAction = 'read' | 'write' | 'metadataRead' | 'metadataWrite' | 'delete'

interface Block {
  readonly setting: string
  /** The block in error messages: status name, number, description. */
  readonly shown: string
  readonly status: number
  readonly actions: readonly BlockedAction[]
}

const BLOCKS: readonly Block[] = [
  {
    setting: 'index.blocks.read_only',
    shown: 'FORBIDDEN/5/index read-only (api)',
    status: 403,
    actions: ['write', 'metadataWrite', 'delete'],
  },
  { setting: 'index.blocks.read', shown: 'FORBIDDEN/7/index read (api)', status: 403, actions: ['read'] },
  { setting: 'index.blocks.write', shown: 'FORBIDDEN/8/index write (api)', status: 403, actions: ['write'] },
  {
    setting: 'index.blocks.metadata',
    shown: 'FORBIDDEN/9/index metadata (api)',
    status: 403,
    actions: ['metadataRead', 'metadataWrite', 'delete'],
  },
  {
    setting: 'index.blocks.read_only_allow_delete',
    shown:
      'TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block; for more ' +
      'information, see https://www.elastic.co/guide/en/elasticsearch/reference/8.19/fix-watermark-errors.html',
    status: 429,
    actions: ['write', 'metadataWrite'],
  },
]

/** Throws `cluster_block_exception` for the first index that blocks the action. */
export function checkBlocks(indices: readonly IndexMetadata[], action: BlockedAction): void {
  const refused: string[] = []
  let status = 0
  for (const index of indices) {
    const blocks = BLOCKS.filter(
      ({ setting, actions }) => actions.includes(action) && index.settings[setting] === 'true',
    )
    if (blocks.length === 0) continue
    // The status is 429 if all blocks are retryable, otherwise that of the block that is not.
    for (const block of blocks) status = status === 0 || status === 429 ? block.status : status
    refused.push(`index [${index.name}] blocked by: [${blocks.map(({ shown }) => shown).join(', ')}];`)
  }
  if (refused.length > 0) throw blockedIndices(status, refused.join(''))
}

/**
 * Whether an update may change settings in spite of a block, because the block must be removable. The metadata block
 * allows only an update that changes nothing else.
 */
export function liftsBlock(names: readonly string[]): boolean {
  return (
    (names.length === 1 && names[0] === 'index.blocks.metadata') ||
    names.includes('index.blocks.read_only') ||
    names.includes('index.blocks.read_only_allow_delete')
  )
}
