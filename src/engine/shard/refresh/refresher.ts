/**
 * Makes operations visible: the buffer becomes a segment, and a new view shows it.
 *
 * A small buffer is sealed immediately. A large one is frozen and sealed by another thread while writes continue. The
 * resulting view shows the shard at the moment of freezing, the cut, because a later delete must not be visible without
 * the document that replaced the deleted one. One buffer is sealed at a time, and requests queue for their own cut.
 */
import type { PublishedView } from '../view/published-view.ts'
import type { SealedFile, SegmentSet } from '../view/segment-set.ts'
import type { RefreshSchedule } from './refresh-schedule.ts'
import type { Sealer } from './sealer.ts'

/**
 * Smaller buffers are sealed on the writer thread: it takes a few milliseconds, less than passing them to the sealing
 * thread.
 */
const ASIDE_BYTES_MIN = 1024 * 1024

export interface RefresherOptions {
  readonly segments: SegmentSet
  readonly schedule: RefreshSchedule
  /** Absent if there are no other threads. */
  readonly sealer: Sealer | undefined
  readonly asideBytesMin: number | undefined
  readonly onView: (view: PublishedView) => void
  /** Called when every operation up to the cut is visible. */
  readonly onRefreshed: () => void
  /**
   * What must be awaited before operations may be shown: until they are synced they may still be rejected. Undefined if
   * they are synced. Rejects or throws if they must not be shown.
   */
  readonly whenSafe: () => Promise<void> | undefined
}

type Work = () => Promise<void> | undefined

export class Refresher {
  readonly #options: RefresherOptions
  readonly #segments: SegmentSet
  /** The last running or queued refresh; undefined if there is none. */
  #last: Promise<void> | undefined
  /** A queued refresh that has not frozen the buffer yet: later callers share it. */
  #next: Promise<void> | undefined
  #stopped = false

  constructor(options: RefresherOptions) {
    this.#options = options
    this.#segments = options.segments
  }

  get isBusy(): boolean {
    return this.#last !== undefined
  }

  /** Makes every operation so far visible. With little to do, or without another thread, it is done on return. */
  refresh(): Promise<void> {
    if (this.#last === undefined) return this.#start(() => this.#publish())
    this.#next ??= this.#queue(() => {
      this.#next = undefined
      return this.#publish()
    })
    return this.#next
  }

  /**
   * Runs `atCut` atomically with the cut, and resolves with its view, held once for the caller. Later operations are
   * not in the view.
   */
  async cut(atCut: () => void): Promise<PublishedView> {
    let view: PublishedView | undefined
    const work = () =>
      this.#publish(atCut, (published) => {
        published.hold()
        view = published
      })
    await (this.#last === undefined ? this.#start(work) : this.#queue(work))
    return view!
  }

  /**
   * The buffer is full: writes a segment that searches do not see yet. Resolves immediately if one is being written.
   */
  async sealFull(): Promise<void> {
    if (this.#last !== undefined) return
    if (this.#goesAside()) await this.#start(() => this.#sealAside())
    else this.#segments.sealHere()
  }

  /** Resolves when nothing is running. */
  async settled(): Promise<void> {
    while (this.#last !== undefined) await this.#last.catch(ignore)
  }

  /** Discards running work. */
  stop(): void {
    this.#stopped = true
  }

  #publish(atCut?: () => void, onPublished?: (view: PublishedView) => void): Promise<void> | undefined {
    const { schedule, onView, onRefreshed, whenSafe } = this.#options
    const safe = whenSafe()
    // It is awaited only after the buffer is sealed.
    safe?.catch(ignore)
    atCut?.()
    if (this.#goesAside()) return this.#publishAside(safe, onPublished)
    const segments = this.#segments
    segments.sealHere()
    if (safe !== undefined) return this.#publishWhenSafe(safe, onPublished)
    if (segments.unpublished) {
      segments.publish()
      onView(segments.view)
    }
    onPublished?.(segments.view)
    schedule.cut()
    schedule.refreshed()
    onRefreshed()
    return undefined
  }

  /** The segments are written, but an operation in them may still be rejected. */
  async #publishWhenSafe(safe: Promise<void>, onPublished?: (view: PublishedView) => void): Promise<void> {
    const segments = this.#segments
    const { schedule, onView, onRefreshed } = this.#options
    const captured = segments.capture()
    schedule.cut()
    try {
      await safe
    } catch (error) {
      segments.letGo(captured)
      schedule.failed()
      throw error
    }
    segments.show(captured)
    onView(segments.view)
    onPublished?.(segments.view)
    schedule.refreshed()
    onRefreshed()
  }

  async #publishAside(safe: Promise<void> | undefined, onPublished?: (view: PublishedView) => void): Promise<void> {
    const segments = this.#segments
    const { schedule, onView, onRefreshed } = this.#options
    const captured = segments.capture()
    schedule.cut()
    try {
      const sealed = await this.#write()
      await this.#safeOrDelete(safe, sealed)
      segments.adopt(sealed, captured)
    } catch (error) {
      segments.letGo(captured)
      schedule.failed()
      throw error
    }
    onView(segments.view)
    onPublished?.(segments.view)
    schedule.refreshed()
    onRefreshed()
  }

  async #safeOrDelete(safe: Promise<void> | undefined, { name }: SealedFile): Promise<void> {
    try {
      await safe
    } catch (error) {
      this.#segments.directory.delete(name)
      throw error
    }
  }

  async #sealAside(): Promise<void> {
    this.#segments.adopt(await this.#write())
  }

  /** A buffer that could not be written is retried on this thread, where the next caller gets the error. */
  #goesAside(): boolean {
    const { sealer, asideBytesMin = ASIDE_BYTES_MIN } = this.#options
    const { active, frozen, directory } = this.#segments
    if (sealer === undefined || frozen !== undefined || !sealer.reaches(directory)) return false
    return !active.isEmpty && active.contentBytes >= asideBytesMin
  }

  async #write(): Promise<SealedFile> {
    const { nestedPaths, directory } = this.#segments
    this.#segments.assertRoom()
    const { buffer } = this.#segments.freeze()
    const name = this.#segments.reserveName()
    try {
      const outcome = await this.#options.sealer!.run({ directory, buffer, nestedPaths, outputName: name })
      if (this.#stopped) throw new Error('the shard has stopped')
      return { name, ...outcome }
    } catch (error) {
      directory.delete(name)
      this.#segments.sealFailed(error as Error)
      throw error
    }
  }

  #start(work: Work): Promise<void> {
    try {
      const going = work()
      return going === undefined ? DONE : this.#track(going)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #queue(work: Work): Promise<void> {
    return this.#track(this.#last!.catch(ignore).then(work))
  }

  #track(going: Promise<void>): Promise<void> {
    const tracked = going.finally(() => {
      if (this.#last === tracked) this.#last = undefined
    })
    this.#last = tracked
    return tracked
  }
}

const DONE = Promise.resolve()

function ignore(): void {}
