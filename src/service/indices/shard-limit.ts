/** `cluster.max_shards_per_node`: rejects requests that would open too many shards. */
import { validationException } from '../../base/errors/index-errors.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { integerSetting } from '../settings/update-settings.ts'

const SETTING = 'cluster.max_shards_per_node'
const STANDARD = 1000
const HELP =
  'https://www.elastic.co/guide/en/elasticsearch/reference/8.19/size-your-shards.html#troubleshooting-max-shards-open'

/** `next` contains the changed indices; they replace their versions in `state`. */
export function checkShardLimit(store: MetadataStore, state: MetadataState, next: readonly IndexMetadata[]): void {
  const before = next.reduce((sum, { name }) => sum + copiesOf(state.index(name)), 0)
  const added = next.reduce((sum, index) => sum + copiesOf(index), 0) - before
  if (added <= 0) return
  const limit = Number(store.transientSettings[SETTING] ?? state.persistentSettings[SETTING] ?? STANDARD)
  let current = 0
  for (const index of state.indices.values()) current += copiesOf(index)
  if (current + added <= limit) return
  throw validationException(
    `this action would add [${added}] shards, but this cluster currently has [${current}]/[${limit}] maximum normal shards ` +
      `open; for more information, see ${HELP}`,
  )
}

/** The number of shards of an index, including unassigned replicas. */
function copiesOf(index: IndexMetadata | undefined): number {
  if (index === undefined || index.state !== 'open') return 0
  return index.shardCount * (1 + integerSetting(index.settings, 'index.number_of_replicas'))
}
