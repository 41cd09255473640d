/**
 * Compares the documents of an index while the source still takes writes, so that only the last changes have to be
 * compared behind the write block.
 *
 * The view is opened when all changes before `next` are applied. A document without a change from `next` on is in the end
 * what the view shows, and the move does not write it again at the target: its comparison holds. Every other document is
 * among the changes that are followed from `next` on, and is compared again after the last of them was applied. The set of
 * documents is kept up to date: what a document added to it before a change is taken out, what it is now is put in.
 */
import type { Change } from './changes.ts'
import type { MovedDocument } from './cluster.ts'
import { type Contribution, compareDocuments, contributionOf, getDocuments } from './compare.ts'
import type { MoveContext } from './move-context.ts'
import type { MovedIndex } from './move-state.ts'
import { type ComparedSet, type IndexProof, keyOf, type Prover } from './prove.ts'

/** More changed documents than this are not kept in memory. */
const CHANGED_MAX = 1_000_000

export class EarlyProof {
  readonly #context: MoveContext
  readonly #prover: Prover
  readonly #item: MovedIndex
  readonly #pit: string
  readonly #set: ComparedSet
  /** Documents that have changed since they were compared. */
  #changed = new Map<string, MovedDocument>()
  /**
   * The contribution of each document that has changed since the view; undefined for a document that does not exist.
   */
  readonly #known = new Map<string, Contribution | undefined>()

  private constructor(context: MoveContext, prover: Prover, item: MovedIndex, pit: string, set: ComparedSet) {
    this.#context = context
    this.#prover = prover
    this.#item = item
    this.#pit = pit
    this.#set = set
  }

  /** Compares all documents. Changes must not be followed meanwhile. */
  static async begin(context: MoveContext, prover: Prover, item: MovedIndex): Promise<EarlyProof> {
    const { from, options } = context
    const pit = await from.openPit(item.name, options.keepAlive)
    return new EarlyProof(context, prover, item, pit, await prover.compareView(item, pit))
  }

  /** The number of documents that have to be compared again. */
  get left(): number {
    return this.#changed.size
  }

  /** Whether too many documents have changed since the view. */
  get isOutdated(): boolean {
    return this.#known.size + this.#changed.size > CHANGED_MAX
  }

  /** Records changes of the source that are about to be applied. */
  note(changes: readonly Change[]): void {
    for (const { document } of changes) {
      const { id, routing, version } = document
      this.#changed.set(keyOf(document), { id, routing, version, source: undefined })
    }
  }

  /** Compares the documents that have changed. */
  async compareChanged(): Promise<void> {
    const { options } = this.#context
    const documents = [...this.#changed.values()]
    this.#changed = new Map()
    for (let start = 0; start < documents.length; start += options.size)
      await this.#comparePart(documents.slice(start, start + options.size))
  }

  /** Compares the remaining documents, while writes to the source are blocked. */
  async conclude(): Promise<IndexProof> {
    for (;;) {
      await this.compareChanged()
      const proof = await this.#prover.conclude(this.#item, this.#set)
      // While differences were resolved, late changes may have been applied, whose documents have to be compared again.
      if (this.left === 0) return proof
    }
  }

  async close(): Promise<void> {
    await this.#context.from.closePit(this.#pit)
  }

  async #comparePart(documents: readonly MovedDocument[]): Promise<void> {
    const { from, to } = this.#context
    const item = this.#item
    const ignoresVersion = item.stream !== undefined
    await this.#readView(documents.filter((document) => !this.#known.has(keyOf(document))))
    const sources = await getDocuments(from, item.name, documents)
    const targets = await getDocuments(to, item.target, documents)
    documents.forEach((document, i) => {
      const [source, target] = [sources[i], targets[i]]
      const key = keyOf(document)
      const before = this.#known.get(key)
      const now = source && contributionOf(source, ignoresVersion)
      if (before !== undefined) this.#set.documents.remove(before)
      if (now !== undefined) this.#set.documents.add(now)
      this.#known.set(key, now)
      const isEqual =
        source === undefined ? target === undefined : compareDocuments(source, target, ignoresVersion) === undefined
      if (isEqual) this.#set.different.delete(key)
      else this.#set.different.set(key, source ?? document)
    })
  }

  /** What these documents add to the set as the view shows them. */
  async #readView(documents: readonly MovedDocument[]): Promise<void> {
    if (documents.length === 0) return
    const { from, options } = this.#context
    const ignoresVersion = this.#item.stream !== undefined
    const query = `{"ids":{"values":[${documents.map(({ id }) => id).join(',')}]}}`
    const request = { pit: this.#pit, keepAlive: options.keepAlive, size: options.size, slice: 0, slices: 1, query }
    const wanted = new Set(documents.map(keyOf))
    for (const key of wanted) this.#known.set(key, undefined)
    let after: string | undefined
    do {
      const page = await from.page({ ...request, after })
      if (page === undefined) throw new Error(`the view of ${this.#item.name} is gone; the next run begins a new one`)
      for (const document of page.documents) {
        const key = keyOf(document)
        if (wanted.has(key)) this.#known.set(key, contributionOf(document, ignoresVersion))
      }
      after = page.after
    } while (after !== undefined)
  }
}
