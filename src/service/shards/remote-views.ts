/**
 * The main thread's side of the views a writer thread publishes: opens the same files, shares the same memory, and tells
 * the writer when a view is no longer read, so that files of merged segments can go.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { shardFailed } from '../../base/errors/shard-errors.ts'
import type { Arena } from '../../engine/memory/arena.ts'
import { openSegment, type StoredSegment } from '../../engine/segment/segment-reader.ts'
import type { ShardView } from '../../engine/segment/segment-reader-api.ts'
import type { ViewDescriptor } from '../../engine/shard/published-view.ts'
import { pinned } from './inline-host.ts'
import type { HeldView, ShardKey } from './shard-host.ts'
import { shardIdOf } from './thread-messages.ts'

export class RemoteViews {
  readonly #arena: Arena
  readonly #giveBack: (shardId: string, generation: number) => void
  readonly #shards = new Map<string, RemoteShard>()

  constructor(arena: Arena, giveBack: (shardId: string, generation: number) => void) {
    this.#arena = arena
    this.#giveBack = giveBack
  }

  /** The writer published a view. */
  publish(shardId: string, folder: string, descriptor: ViewDescriptor): void {
    let shard = this.#shards.get(shardId)
    if (shard === undefined) {
      shard = new RemoteShard(folder, this.#arena, (generation) => this.#giveBack(shardId, generation))
      this.#shards.set(shardId, shard)
    }
    shard.publish(descriptor)
  }

  hold(key: ShardKey): HeldView {
    const shard = this.#shards.get(shardIdOf(key))
    if (shard === undefined) throw shardFailed({ index: key.indexUuid, ...key }, 'it is not open')
    return shard.hold()
  }

  /** The shard was closed. Views somebody still holds stay readable until they are let go. */
  forget(key: ShardKey): void {
    const shardId = shardIdOf(key)
    this.#shards.get(shardId)?.close()
    this.#shards.delete(shardId)
  }
}

/** A segment file this thread has open, and how many views read it. */
interface OpenFile {
  readonly reader: StoredSegment
  readonly descriptor: number
  views: number
}

class RemoteShard {
  readonly #folder: string
  readonly #arena: Arena
  readonly #giveBack: (generation: number) => void
  readonly #files = new Map<string, OpenFile>()
  #current: RemoteView | undefined

  constructor(folder: string, arena: Arena, giveBack: (generation: number) => void) {
    this.#folder = folder
    this.#arena = arena
    this.#giveBack = giveBack
  }

  publish(descriptor: ViewDescriptor): void {
    const old = this.#current
    this.#current = new RemoteView(descriptor, this)
    old?.release()
  }

  hold(): HeldView {
    const current = this.#current!
    const { view, readers } = current.open()
    return pinned(view, readers, () => current.release())
  }

  close(): void {
    this.#current?.release()
    this.#current = undefined
  }

  openSegment(name: string, size: number, tableAddress: number): StoredSegment {
    const known = this.#files.get(name)
    if (known !== undefined) {
      known.views++
      return known.reader
    }
    const descriptor = openSync(join(this.#folder, name), 'r')
    const read = (offset: number, target: Uint8Array) => readFully(descriptor, name, offset, target)
    const reader = openSegment({ name, size, read }, this.#arena, tableAddress)
    this.#files.set(name, { reader, descriptor, views: 1 })
    return reader
  }

  closeView(generation: number, opened: readonly StoredSegment[]): void {
    for (const { name } of opened) {
      const file = this.#files.get(name)!
      if (--file.views > 0) continue
      this.#files.delete(name)
      file.reader.close()
      closeSync(file.descriptor)
    }
    this.#giveBack(generation)
  }
}

function readFully(descriptor: number, name: string, offset: number, target: Uint8Array): void {
  let done = 0
  while (done < target.length) {
    const count = readSync(descriptor, target, done, target.length - done, offset + done)
    if (count === 0) throw new Error(`${name} ends at ${offset + done}, wanted ${offset + target.length}`)
    done += count
  }
}

/** One view: opened when somebody first holds it, given back when nobody does and a newer one is there. */
class RemoteView {
  readonly #descriptor: ViewDescriptor
  readonly #shard: RemoteShard
  #opened: { view: ShardView; readers: StoredSegment[] } | undefined
  /** Being the newest view counts as one. */
  #holders = 1

  constructor(descriptor: ViewDescriptor, shard: RemoteShard) {
    this.#descriptor = descriptor
    this.#shard = shard
  }

  open(): { view: ShardView; readers: StoredSegment[] } {
    this.#opened ??= this.#openSegments()
    this.#holders++
    return this.#opened
  }

  release(): void {
    if (--this.#holders > 0) return
    this.#shard.closeView(this.#descriptor.generation, this.#opened?.readers ?? [])
  }

  #openSegments(): { view: ShardView; readers: StoredSegment[] } {
    const { generation, liveRoots, segments } = this.#descriptor
    const readers = segments.map(({ name, fileBytes, tableAddress }) =>
      this.#shard.openSegment(name, fileBytes, tableAddress),
    )
    const views = segments.map(({ live, liveCount, docBase }, i) => ({ reader: readers[i]!, live, liveCount, docBase }))
    return { view: { generation, segments: views, liveRoots }, readers }
  }
}
