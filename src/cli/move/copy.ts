/**
 * Copies the documents of an index as of one moment, slice by slice. A page is recorded after the target has confirmed
 * it; a page that is sent twice changes nothing, because documents carry their versions.
 */
import { SettingsError } from '../arguments/settings-error.ts'
import { created, versioned, writeItems } from './bulk-writer.ts'
import { leaseChanges, readChanges } from './changes.ts'
import type { Page } from './cluster.ts'
import { type MoveContext, rejecter } from './move-context.ts'
import type { MovedIndex } from './move-state.ts'
import { countDocuments, syncMapping } from './prepare.ts'

/** Leases of indices that wait for others are renewed this often. */
const RENEW_EVERY_MS = 60_000

/** The start of a slice. */
const START = ''

export class Copier {
  readonly #context: MoveContext
  #renewedMs = performance.now()

  constructor(context: MoveContext) {
    this.#context = context
  }

  async copy(item: MovedIndex): Promise<void> {
    const { state, record, options } = this.#context
    if (item.pit === undefined) await this.#openView(item)
    const slices = item.slices.map((_, slice) => this.#copySlice(item, slice))
    const outcomes = await Promise.allSettled(slices)
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    if (outcomes.some((outcome) => outcome.status === 'fulfilled' && !outcome.value)) {
      // The point in time has expired. All changes since the first one are followed anyway, so a new one can replace it.
      item.pit = undefined
      this.#context.progress.note(
        `${item.name}: the view was kept for ${options.keepAlive} and is gone; copying starts over`,
      )
      return await this.copy(item)
    }
    item.stage = 'copied'
    if (state.follows) {
      await this.#context.from.closePit(item.pit!)
      item.pit = undefined
    }
    await record.step(state)
  }

  /** The lease is taken before the point in time is opened, so that every write is in one of the two. */
  async #openView(item: MovedIndex): Promise<void> {
    const { from, state, record, options } = this.#context
    if (state.follows && item.next === undefined) item.next = await leaseChanges(this.#context, item.name)
    item.pit = await from.openPit(item.name, options.keepAlive)
    item.documents = await countDocuments(from, item.name)
    item.copied = 0
    item.slices = Array<string>(options.slices).fill(START)
    await record.step(state)
    await syncMapping(this.#context, item)
  }

  /** Returns false if the point in time has expired. */
  async #copySlice(item: MovedIndex, slice: number): Promise<boolean> {
    const { from, record, state, options } = this.#context
    const slices = item.slices.length
    for (;;) {
      const after = item.slices[slice]
      if (after === null || after === undefined) return true
      const { keepAlive, size } = options
      const request = { pit: item.pit!, keepAlive, size, slice, slices, after: after === START ? undefined : after }
      const page = await from.page(request)
      if (page === undefined) return false
      await this.#write(item, page)
      item.pit = page.pit
      item.slices[slice] = page.after ?? null
      item.copied += page.documents.length
      await record.progress(state)
      this.#show()
      await this.#renewLeases()
    }
  }

  async #write(item: MovedIndex, { documents }: Page): Promise<void> {
    const missing = documents.find(({ source }) => source === undefined)
    if (missing !== undefined) throw new SettingsError(`${item.name} does not store _source of ${missing.id}`)
    const items = documents.map((document) =>
      item.stream === undefined ? versioned('index', item.target, document) : created(item.stream, document),
    )
    await writeItems(this.#context.to, items, rejecter(this.#context, item))
  }

  #show(): void {
    const { progress, state } = this.#context
    const sum = (of: (item: MovedIndex) => number) => state.indices.reduce((all, item) => all + of(item), 0)
    progress.show(
      sum(({ copied }) => copied),
      sum(({ documents, copied }) => Math.max(documents, copied)),
    )
  }

  /** Indices that are copied already wait for their changes to be read. */
  async #renewLeases(): Promise<void> {
    if (performance.now() - this.#renewedMs < RENEW_EVERY_MS) return
    this.#renewedMs = performance.now()
    for (const item of this.#context.state.indices) {
      if (item.next !== undefined) await readChanges(this.#context, item.name, item.next, 0)
    }
  }
}
