/**
 * Reads for reports over many indices. A report reads index after index while other requests delete, close and reopen
 * some of them. As in Elasticsearch, what is not open at that moment is left out of the report and is no failure of it.
 */
import { isShardUnavailable } from '../../base/errors/shard-errors.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import type { HeldView, ShardKey } from '../shards/shard-host.ts'
import type { IndexContext } from './index-context.ts'

type Identity = Pick<IndexMetadata, 'uuid'>

/** Whether the index still exists. An index of the same name that was created since is another one. */
export const exists = ({ store }: Pick<IndexContext, 'store'>, { uuid }: Identity): boolean =>
  store.state.indexByUuid(uuid) !== undefined

/** The newest view of a shard; undefined if the shard is not open. */
export function holdIfOpen(context: IndexContext, index: Identity, key: ShardKey): HeldView | undefined {
  if (!exists(context, index)) return undefined
  try {
    return context.shards.host.holdView(key)
  } catch (error) {
    if (isShardUnavailable(error)) return undefined
    throw error
  }
}

/** What `read` resolves with; undefined if the index was deleted meanwhile. */
export async function unlessDeleted<T>(
  context: Pick<IndexContext, 'store'>,
  index: Identity,
  read: () => Promise<T>,
): Promise<T | undefined> {
  if (!exists(context, index)) return undefined
  try {
    const found = await read()
    return exists(context, index) ? found : undefined
  } catch (error) {
    if (exists(context, index)) throw error
    return undefined
  }
}
