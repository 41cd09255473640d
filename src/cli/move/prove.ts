/**
 * Proves that the target has the documents of the source. Each document is fetched from the target and compared; then
 * the counts are compared, which finds documents that only the target has.
 */

import { SettingsError } from '../arguments/settings-error.ts'
import type { MovedDocument } from './cluster.ts'
import { compareDocuments, contributionOf, type Difference, DocumentSet, getDocuments } from './compare.ts'
import { type MoveContext, pathOf } from './move-context.ts'
import type { MovedIndex } from './move-state.ts'
import { countDocuments } from './prepare.ts'

export interface IndexProof {
  readonly name: string
  readonly target: string
  readonly documents: number
  readonly bytes: number
  readonly digest: string
  readonly differenceCount: number
  /** At most a thousand. */
  readonly differences: readonly Difference[]
}

/** Called with the documents that differ, before they are compared again. */
export type Settle = (item: MovedIndex, different: readonly MovedDocument[]) => Promise<unknown>

/** The documents of the source that were compared, and those of them that differ. */
export interface ComparedSet {
  readonly documents: DocumentSet
  readonly different: Map<string, MovedDocument>
}

const LISTED_MAX = 1000
/** A document that changes while it is compared is compared again. */
const ROUNDS_MAX = 4

/** Documents of different routing may have the same id. */
export const keyOf = ({ id, routing }: Pick<MovedDocument, 'id' | 'routing'>): string =>
  routing === undefined ? id : `${id} ${routing}`

export class Prover {
  readonly #context: MoveContext
  /** Applies changes of the source that came in the meantime, and writes documents that versions kept out. */
  readonly #settle: Settle
  #compared = 0

  constructor(context: MoveContext, settle: Settle) {
    this.#context = context
    this.#settle = settle
  }

  async prove(item: MovedIndex): Promise<IndexProof> {
    const { from, options } = this.#context
    const isOwnView = item.pit === undefined
    const pit = item.pit ?? (await from.openPit(item.name, options.keepAlive))
    const set = await this.compareView(item, pit)
    if (isOwnView) await from.closePit(pit)
    return this.conclude(item, set)
  }

  /** Compares every document of a view of the source with the target. */
  async compareView(item: MovedIndex, pit: string): Promise<ComparedSet> {
    const set = { documents: new DocumentSet(), different: new Map<string, MovedDocument>() }
    const { slices } = this.#context.options
    await Promise.all(Array.from({ length: slices }, (_, slice) => this.#compareSlice(item, pit, slice, set)))
    return set
  }

  /** What stays different in a set that was compared, and whether the target has documents besides. */
  async conclude(item: MovedIndex, { documents, different }: ComparedSet): Promise<IndexProof> {
    const { to } = this.#context
    const differences = await this.#compareAgain(item, different)
    await to.client.need(`cannot refresh ${item.target}`, 'POST', `${pathOf(item.target)}/_refresh`)
    const count = await countDocuments(to, item.target)
    const listed = (start: string) => differences.filter(({ difference }) => difference.startsWith(start)).length
    const expected = documents.documents - listed('missing') + listed('only')
    if (count !== expected) differences.push(...(await this.#findExtra(item, count - expected)))
    return {
      name: item.name,
      target: item.target,
      documents: documents.documents,
      bytes: documents.bytes,
      digest: documents.digest,
      differenceCount: differences.length,
      differences: differences.slice(0, LISTED_MAX),
    }
  }

  async #compareSlice(item: MovedIndex, pit: string, slice: number, set: ComparedSet): Promise<void> {
    const { from, to, options, progress } = this.#context
    const { keepAlive, size, slices } = options
    const ignoresVersion = item.stream !== undefined
    let after: string | undefined
    let previous = new Set<string>()
    do {
      const page = await from.page({ pit, keepAlive, size, slice, slices, after })
      if (page === undefined) throw new SettingsError(`the view of ${item.name} is gone; the next run begins a new one`)
      // Pages may overlap, see `Cluster.page`.
      const documents = page.documents.filter((document) => !previous.has(keyOf(document)))
      const found = documents.length === 0 ? [] : await getDocuments(to, item.target, documents)
      documents.forEach((document, i) => {
        set.documents.add(contributionOf(document, ignoresVersion))
        if (compareDocuments(document, found[i], ignoresVersion) !== undefined)
          set.different.set(keyOf(document), document)
      })
      this.#compared += documents.length
      progress.show(this.#compared, this.#total())
      previous = new Set(page.documents.map(keyOf))
      after = page.after
    } while (after !== undefined)
  }

  /** A difference counts if it stays when the newest changes are applied and both sides are read again. */
  async #compareAgain(item: MovedIndex, different: ReadonlyMap<string, MovedDocument>): Promise<Difference[]> {
    const { from, to, state, options } = this.#context
    const ignoresVersion = item.stream !== undefined
    let left = [...different.values()]
    let differences: Difference[] = []
    for (let round = 0; left.length > 0 && round < ROUNDS_MAX; round++) {
      await this.#settle(item, left)
      differences = []
      const still: MovedDocument[] = []
      for (let start = 0; start < left.length; start += options.size) {
        const part = left.slice(start, start + options.size)
        // If the source has no history, only the view of the copy determines the expected documents.
        const sources = state.follows ? await getDocuments(from, item.name, part) : part
        const targets = await getDocuments(to, item.target, part)
        part.forEach((document, i) => {
          const source = sources[i]
          const target = targets[i]
          const difference =
            source === undefined ? target && 'only at the target' : compareDocuments(source, target, ignoresVersion)
          if (difference === undefined) return
          still.push(document)
          differences.push({
            id: JSON.parse(document.id) as string,
            difference: this.#explain(item, document.id, difference),
          })
        })
      }
      left = still
    }
    return left.length === 0 ? [] : differences
  }

  #explain(item: MovedIndex, id: string, difference: string): string {
    const reason = item.rejected[id]
    return reason === undefined ? difference : `${difference}; it was refused: ${reason}`
  }

  /** Documents that only the target has. */
  async #findExtra(item: MovedIndex, expected: number): Promise<Difference[]> {
    const extra: Difference[] = []
    await forEachExtra(this.#context, item, (documents) => {
      for (const { id } of documents) extra.push({ id: JSON.parse(id) as string, difference: 'only at the target' })
    })
    // The counts differ, but the documents at fault can no longer be listed.
    if (extra.length === 0) {
      const sentence = `the target has ${Math.abs(expected)} documents ${expected > 0 ? 'more' : 'fewer'}`
      return [{ id: '', difference: sentence }]
    }
    return extra
  }

  #total(): number {
    return this.#context.state.indices.reduce((sum, { documents }) => sum + documents, 0)
  }
}

/** Calls `take` with the documents of the target that the source does not have. */
export async function forEachExtra(
  { from, to, options }: MoveContext,
  item: MovedIndex,
  take: (documents: readonly MovedDocument[]) => void | Promise<void>,
): Promise<void> {
  const { keepAlive, size } = options
  const pit = await to.openPit(item.target, keepAlive)
  let after: string | undefined
  do {
    const page = await to.page({ pit, keepAlive, size, slice: 0, slices: 1, after })
    if (page === undefined) throw new SettingsError(`the view of ${item.target} is gone`)
    if (page.documents.length > 0) {
      const found = await getDocuments(from, item.name, page.documents, false)
      await take(page.documents.filter((_, i) => found[i] === undefined))
    }
    after = page.after
  } while (after !== undefined)
  await to.closePit(pit)
}
