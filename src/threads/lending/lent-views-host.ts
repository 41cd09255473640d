/**
 * The shard host of a searcher thread. It provides the views that the main thread has lent. Any other operation needs
 * the main thread, so the request is sent back there.
 */
import type {
  BulkAnswer,
  GetAnswer,
  HeldView,
  SegmentInfo,
  ShardHost,
  ShardKey,
  ShardStats,
  WriteAnswer,
} from '../../service/shards/shard-host.ts'
import type { RemoteViews } from './remote-views.ts'

export class LentViewsHost implements ShardHost {
  readonly #views: RemoteViews
  readonly #lack: () => never

  /** `lack` records that the request needs the main thread, and throws. */
  constructor(views: RemoteViews, lack: () => never) {
    this.#views = views
    this.#lack = lack
  }

  holdView(key: ShardKey): HeldView {
    return this.#views.has(key) ? this.#views.hold(key) : this.#lack()
  }

  openShard(): Promise<void> {
    return this.#lack()
  }

  closeShard(): Promise<void> {
    return this.#lack()
  }

  setMapping(): Promise<void> {
    return this.#lack()
  }

  setSettings(): Promise<void> {
    return this.#lack()
  }

  write(): Promise<WriteAnswer> {
    return this.#lack()
  }

  bulk(): Promise<BulkAnswer> {
    return this.#lack()
  }

  get(): Promise<GetAnswer | undefined> {
    return this.#lack()
  }

  refresh(): Promise<void> {
    return this.#lack()
  }

  flush(): Promise<void> {
    return this.#lack()
  }

  forceMerge(): Promise<void> {
    return this.#lack()
  }

  stats(): Promise<ShardStats> {
    return this.#lack()
  }

  segments(): Promise<readonly SegmentInfo[]> {
    return this.#lack()
  }

  close(): Promise<void> {
    return this.#lack()
  }
}
