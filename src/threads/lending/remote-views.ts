/**
 * The main thread's side of the views that a writer thread publishes. It opens the same files, shares the same memory,
 * and notifies the writer when a view is no longer read, so that files of merged segments can be deleted.
 */
import { join } from 'node:path'
import { ensure } from '../../base/assert.ts'
import { type ShardLabel, shardFailed } from '../../base/errors/shard-errors.ts'
import { readDescriptors } from '../../base/files/read-descriptors.ts'
import type { Arena } from '../../engine/memory/arena.ts'
import { openSegment, type StoredSegment } from '../../engine/segment/segment-reader.ts'
import type { SegmentReader, ShardView } from '../../engine/segment/segment-reader-api.ts'
import { checkLive, type ViewDescriptor } from '../../engine/shard/view/published-view.ts'
import { segmentNumberOf } from '../../engine/shard/view/segment-set.ts'
import { pinned } from '../../service/shards/inline-host.ts'
import type { HeldView, LentView, SegmentOnLoan, ShardKey, ViewLease } from '../../service/shards/shard-host.ts'
import { shardIdOf } from '../../service/shards/shard-id.ts'

export class RemoteViews {
  readonly #arena: Arena
  readonly #giveBack: (shardId: string, generation: number) => void
  readonly #nameOf: IndexNames
  readonly #shards = new Map<string, RemoteShard>()
  #lastGeneration = 0

  constructor(arena: Arena, giveBack: (shardId: string, generation: number) => void, nameOf: IndexNames) {
    this.#arena = arena
    this.#giveBack = giveBack
    this.#nameOf = nameOf
  }

  /** The writer published a view, or reopened one that was kept under a name. */
  publish(shardId: string, folder: string, descriptor: ViewDescriptor, kept?: string): void {
    let shard = this.#shards.get(shardId)
    if (shard === undefined) {
      const label = () => this.#labelOf(shardId)
      shard = new RemoteShard(label, folder, this.#arena, (generation) => this.#giveBack(shardId, generation))
      this.#shards.set(shardId, shard)
    }
    this.#lastGeneration = Math.max(this.#lastGeneration, descriptor.generation)
    if (kept === undefined) shard.publish(descriptor)
    else shard.found(kept, descriptor)
  }

  /** The highest number of a view so far. */
  get lastGeneration(): number {
    return this.#lastGeneration
  }

  /** A number that no segment of the shard had that this thread has read. */
  firstFreeSegment(key: ShardKey): number {
    return this.#shards.get(shardIdOf(key))?.firstFreeSegment ?? 1
  }

  /** Whether the shard has a newest view; it may have only kept views. */
  has(key: ShardKey): boolean {
    return this.#shards.get(shardIdOf(key))?.isPublished === true
  }

  hold(key: ShardKey): HeldView {
    return this.#open(key).hold()
  }

  /** The newest view, held for longer than one search. */
  lease(key: ShardKey): ViewLease {
    return this.#open(key).lease(key)
  }

  /** A view from before the restart, which the writer has just reopened. */
  reopened(key: ShardKey, name: string): ViewLease {
    return this.#open(key).reopened(key, name)
  }

  /** The newest view as plain data, for another thread; held until released. */
  lend(key: ShardKey): LentView | undefined {
    const shardId = shardIdOf(key)
    return this.#shards.get(shardId)?.lend(shardId)
  }

  /** The name of an open segment for other threads; undefined if it is not one of these views, such as one with hidden fields. */
  nameOf(reader: SegmentReader): SegmentOnLoan | undefined {
    for (const [shardId, shard] of this.#shards) {
      const tableAddress = shard.tableOf(reader)
      if (tableAddress !== undefined) return { shardId, segment: reader.name, tableAddress }
    }
    return undefined
  }

  /** The segment with that name; undefined if the newest view of its shard has none. */
  segment({ shardId, segment, tableAddress }: SegmentOnLoan): SegmentReader | undefined {
    return this.#shards.get(shardId)?.segment(segment, tableAddress)
  }

  /** Documents in the newest view, including deleted and nested ones: the maximum a search may have to read. */
  docCount(key: ShardKey): number {
    return this.#shards.get(shardIdOf(key))?.docCount ?? 0
  }

  /** The shard was closed. Views still held stay readable until they are released. */
  forget(key: ShardKey): void {
    const shardId = shardIdOf(key)
    this.#shards.get(shardId)?.close()
    this.#shards.delete(shardId)
  }

  #open(key: ShardKey): RemoteShard {
    const shard = this.#shards.get(shardIdOf(key))
    if (shard === undefined) throw shardFailed(this.#labelOf(shardIdOf(key)), 'it is not open')
    return shard
  }

  #labelOf(shardId: string): ShardLabel {
    const [indexUuid = '', shard] = shardId.split('/')
    return { index: this.#nameOf(indexUuid) ?? indexUuid, indexUuid, shard: Number(shard) }
  }
}

/** The name of an index, for errors. */
type IndexNames = (indexUuid: string) => string | undefined

/** An open segment file and the number of views that read it. */
interface OpenFile {
  readonly reader: StoredSegment
  readonly path: string
  views: number
}

class RemoteShard {
  readonly #label: () => ShardLabel
  readonly #folder: string
  readonly #arena: Arena
  readonly #giveBack: (generation: number) => void
  readonly #files = new Map<string, OpenFile>()
  /** Views from before the restart that are not yet held, by name. */
  readonly #found = new Map<string, RemoteView>()
  #current: RemoteView | undefined
  #firstFreeSegment = 1

  constructor(label: () => ShardLabel, folder: string, arena: Arena, giveBack: (generation: number) => void) {
    this.#label = label
    this.#folder = folder
    this.#arena = arena
    this.#giveBack = giveBack
  }

  publish(descriptor: ViewDescriptor): void {
    this.#noteNames(descriptor)
    const old = this.#current
    this.#current = new RemoteView(descriptor, this)
    old?.release()
  }

  hold(): HeldView {
    return this.#current!.pin()
  }

  lease(key: ShardKey): ViewLease {
    const current = this.#current!
    current.hold()
    return this.#leaseOf(key, current)
  }

  found(name: string, descriptor: ViewDescriptor): void {
    this.#noteNames(descriptor)
    this.#found.set(name, new RemoteView(descriptor, this))
  }

  get firstFreeSegment(): number {
    return this.#firstFreeSegment
  }

  #noteNames({ segments }: ViewDescriptor): void {
    for (const { name } of segments) {
      this.#firstFreeSegment = Math.max(this.#firstFreeSegment, (segmentNumberOf(name) ?? 0) + 1)
    }
  }

  reopened(key: ShardKey, name: string): ViewLease {
    const view = this.#found.get(name)
    if (view === undefined) throw new Error(`there is no kept view ${name}`)
    this.#found.delete(name)
    return this.#leaseOf(key, view)
  }

  close(): void {
    this.#current?.release()
    this.#current = undefined
  }

  lend(shardId: string): LentView | undefined {
    return this.#current === undefined ? undefined : this.#lend(shardId, this.#current)
  }

  #lend(shardId: string, view: RemoteView): LentView {
    view.hold()
    return { shardId, folder: this.#folder, descriptor: view.descriptor, release: () => view.release() }
  }

  /** Takes over the caller's reference. */
  #leaseOf(key: ShardKey, view: RemoteView): ViewLease {
    const { generation, segments } = view.descriptor
    return {
      key,
      generation,
      docCount: segments.reduce((sum, { docCount }) => sum + docCount, 0),
      bytes: segments.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
      hold: () => view.pin(),
      lend: () => this.#lend(shardIdOf(key), view),
      release: () => view.release(),
    }
  }

  get isPublished(): boolean {
    return this.#current !== undefined
  }

  get docCount(): number {
    const last = this.#current?.descriptor.segments.at(-1)
    return last === undefined ? 0 : last.docBase + last.docCount
  }

  /** The address of the section table of an open segment. */
  tableOf(reader: SegmentReader): number | undefined {
    for (const file of this.#files.values()) if (file.reader === reader) return file.reader.loader.tableAddress
    return undefined
  }

  segment(name: string, tableAddress: number): SegmentReader | undefined {
    const current = this.#current
    if (current === undefined) return undefined
    current.open()
    current.release()
    return this.#files.get(fileKey(name, tableAddress))?.reader
  }

  openSegment(name: string, size: number, tableAddress: number): StoredSegment {
    const known = this.#files.get(fileKey(name, tableAddress))
    if (known !== undefined) {
      known.views++
      return known.reader
    }
    const path = join(this.#folder, name)
    const read = (offset: number, target: Uint8Array) => this.#read(path, offset, target)
    const reader = openSegment({ name, size, read }, this.#arena, tableAddress)
    this.#files.set(fileKey(name, tableAddress), { reader, path, views: 1 })
    return reader
  }

  /** The file may be closed between two reads. When it cannot be opened again, its index was deleted meanwhile. */
  #read(path: string, offset: number, target: Uint8Array): void {
    try {
      readDescriptors.read(path, offset, target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      throw shardFailed(this.#label(), 'its index was deleted while it was read')
    }
  }

  closeView(generation: number, opened: readonly StoredSegment[]): void {
    for (const { name, loader } of opened) {
      const key = fileKey(name, loader.tableAddress)
      const file = this.#files.get(key)!
      if (--file.views > 0) continue
      this.#files.delete(key)
      file.reader.close()
      readDescriptors.forget(file.path)
    }
    this.#giveBack(generation)
  }
}

/** A shard that was closed and reopened has the same files but other tables. */
const fileKey = (name: string, tableAddress: number) => `${name}@${tableAddress}`

/** A view: opened when it is first held, returned when it is no longer held and a newer one exists. */
class RemoteView {
  readonly descriptor: ViewDescriptor
  readonly #shard: RemoteShard
  #opened: { view: ShardView; readers: StoredSegment[] } | undefined
  /** Being the newest view counts as one holder. */
  #holders = 1

  constructor(descriptor: ViewDescriptor, shard: RemoteShard) {
    this.descriptor = descriptor
    this.#shard = shard
  }

  hold(): void {
    this.#holders++
  }

  open(): { view: ShardView; readers: StoredSegment[] } {
    this.#opened ??= this.#openSegments()
    this.hold()
    return this.#opened
  }

  /** Holds the view for one search: its segments stay in memory until release. */
  pin(): HeldView {
    const { view, readers } = this.open()
    return pinned(view, readers, () => this.release())
  }

  release(): void {
    ensure(this.#holders > 0, 'a view is released as often as it is held')
    if (--this.#holders > 0) return
    this.#shard.closeView(this.descriptor.generation, this.#opened?.readers ?? [])
  }

  #openSegments(): { view: ShardView; readers: StoredSegment[] } {
    const { generation, liveRoots, segments } = this.descriptor
    const readers = segments.map(({ name, fileBytes, tableAddress }) =>
      this.#shard.openSegment(name, fileBytes, tableAddress),
    )
    let firstDoc = 0
    const views = segments.map(({ live, liveCount, docBase, docCount }, i) => {
      const reader = readers[i]!
      ensure(reader.docCount === docCount, 'the file of a segment has the documents that its view says')
      ensure(docBase === firstDoc, 'the documents of a view are numbered without gaps')
      checkLive({ live, liveCount }, docCount)
      firstDoc += docCount
      return { reader, live, liveCount, docBase }
    })
    return { view: { generation, segments: views, liveRoots }, readers }
  }
}
