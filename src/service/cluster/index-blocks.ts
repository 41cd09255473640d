/** The blocks of an index as the cluster state shows them. */
import { newMembers } from '../../base/json/members.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'

const BLOCKS: readonly { setting: string; id: string; description: string; levels: readonly string[] }[] = [
  { setting: 'read_only', id: '5', description: 'index read-only (api)', levels: ['write', 'metadata_write'] },
  { setting: 'read', id: '7', description: 'index read (api)', levels: ['read'] },
  { setting: 'write', id: '8', description: 'index write (api)', levels: ['write'] },
  { setting: 'metadata', id: '9', description: 'index metadata (api)', levels: ['metadata_read', 'metadata_write'] },
  {
    setting: 'read_only_allow_delete',
    id: '12',
    description: 'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
    levels: ['write', 'metadata_write'],
  },
]

/** Blocks by number with what they forbid; undefined if there are none. */
export function indexBlocks(index: IndexMetadata): JsonObject | undefined {
  const found: JsonObject = newMembers()
  if (index.state === 'close') {
    found['4'] = { description: 'index closed', retryable: false, levels: ['read', 'write'] }
  }
  for (const { setting, id, description, levels } of BLOCKS) {
    if (index.settings[`index.blocks.${setting}`] !== 'true') continue
    found[id] = { description, retryable: false, levels }
  }
  return Object.keys(found).length === 0 ? undefined : { ...found }
}
